# mypy: ignore-errors
"""Gaussian elimination over GF(2) on words of 64 bits."""

import numpy as np

from perfectplay.compiler.intrinsics import ones, width
from perfectplay.compiler.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)


@kernel
def solve_parities(rows, sums, found):
    """Sets bits of `found`, clear before, so that those in each row have the parity in `sums`; returns whether it can.

    Bits that no equation decides stay clear. It uses up the rows and sums.
    """
    count, words = rows.shape
    pivots = np.full(64 * words, -1, np.int64)
    for i in range(count):
        top = words - 1
        while top >= 0:
            if rows[i, top] == 0:
                top -= 1
                continue
            place = 64 * top + width(rows[i, top]) - 1
            other = pivots[place]
            if other < 0:
                pivots[place] = i
                break
            for word in range(top + 1):
                rows[i, word] ^= rows[other, word]
            sums[i] ^= sums[other]
        if top < 0 and sums[i]:
            return False
    for place in range(pivots.size):
        i = pivots[place]
        if i >= 0:
            odd = np.int64(sums[i])
            for word in range((place >> 6) + 1):
                odd ^= ones(rows[i, word] & found[word]) & 1
            found[place >> 6] |= odd << (place & 63)
    return True
