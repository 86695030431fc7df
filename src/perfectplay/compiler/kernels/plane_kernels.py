# mypy: ignore-errors
"""The loop that writes planes sixteen entries at once, where the mask of each entry is within a byte of its word.

This file is a pattern, like `rule_kernels.py`: masks and values are constants of a game. In connect four it takes
7 ns per position, `batch_arrays.write_planes`, which takes any masks, 40 (bench/NOTES.md).
"""

import numpy as np
from numba import njit

from perfectplay.compiler.byte_vectors import spread

MASKS, VALUES = (1,) * 8, (1,) * 8

# ---- below this line the text is the same for every game ----

write_half = spread(MASKS, VALUES)


@njit(nogil=True, cache=True, no_cfunc_wrapper=True)
def write_planes(mine, theirs, out, begin, end):
    """Writes the planes of each position, one row each."""
    half = len(MASKS)
    for i in range(begin, end):
        write_half(out, 2 * half * i, mine[np.uint64(i)])
        write_half(out, 2 * half * i + half, theirs[np.uint64(i)])
