# mypy: ignore-errors
"""The defaults for hints that a game does not give: the pattern before `search_kernels.py`."""

from numba import njit, njit as guard

from perfectplay.compiler.intrinsics import lowest
from perfectplay.compiler.pattern_stubs import hopeless, moves, order, outcome, play, plies_left, safe, wins

# ---- below this line the text is the same for every game ----

HAS_PLIES_LEFT, NO_SUICIDE, RANKED = plies_left is not None, safe is not None, order is not None

inside = njit(forceinline=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
"""Small functions: inlining takes 0.8 of the time."""


@guard
def tried_wins(mine, theirs):
    """The moves that win immediately, found by trying all moves."""
    found = 0
    rest = moves(mine, theirs)
    while rest:
        move = lowest(rest)
        rest &= rest - 1
        next_mine, next_theirs = play(mine, theirs, move)
        if outcome(next_mine, next_theirs) == -1:
            found |= 1 << move
    return found


@guard
def tried_safe(mine, theirs):
    """The moves that neither lose immediately nor let the opponent win immediately, found by trying all moves."""
    found = 0
    rest = moves(mine, theirs)
    while rest:
        move = lowest(rest)
        rest &= rest - 1
        next_mine, next_theirs = play(mine, theirs, move)
        ended = outcome(next_mine, next_theirs)
        if ended == 0 or (ended == 2 and wins(next_mine, next_theirs) == 0):
            found |= 1 << move
    return found


@inside
def nothing(mine, theirs):
    """The stub for a missing hint."""
    return 0


@inside
def nothing_more(mine, theirs, move):
    """The stub for a missing hint about a move."""
    return 0


wins = wins or tried_wins
safe = safe or tried_safe
order = order or nothing_more
plies_left = plies_left or nothing
hopeless = hopeless or nothing
