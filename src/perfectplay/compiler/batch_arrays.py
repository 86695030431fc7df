# mypy: ignore-errors
"""Loops over batches of games that call no rules: legal moves as masks, positions as planes, illegal actions."""

import numpy as np

from perfectplay.compiler.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)


@kernel
def find_illegal(legal, actions, begin, end):
    """The first game whose action is not among its legal moves, or -1."""
    for i in range(begin, end):
        action = actions[np.uint64(i)]
        if action < 0 or action > 62 or legal[np.uint64(i)] >> action & 1 == 0:
            return i
    return -1


@kernel
def write_masks(legal, out, begin, end):
    """Writes for each game and move whether it is legal."""
    for i in range(begin, end):
        bits = legal[np.uint64(i)]
        for move in range(out.shape[1]):
            out[np.uint64(i), np.uint64(move)] = bits >> move & 1


@kernel
def write_planes(mine, theirs, masks, values, out, begin, end):
    """Writes the planes of each position, one row each: a 1 where a word has this value under this mask."""
    half = masks.size
    for i in range(begin, end):
        for word in range(2):
            bits = theirs[np.uint64(i)] if word else mine[np.uint64(i)]
            at = out[np.uint64(i), word * half : word * half + half]
            for place in range(half):
                at[np.uint64(place)] = bits & masks[np.uint64(place)] == values[np.uint64(place)]
