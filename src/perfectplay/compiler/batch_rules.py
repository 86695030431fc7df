# mypy: ignore-errors
"""One ply of one game, and random moves: what batches of games on the CPU and on a GPU share.

This file is a pattern, like `rule_kernels.py`; `guard` compiles for the CPU or for the GPU. Random numbers are those of
splitmix64 at the places draw * games + game: they need no state, and depend on no thread.

A batch is three arrays with a column for each game: `words` and `small`, whose rows are named below, and `plies`. The
last rows of each tell how the last game ended that was played in this column.
"""

from numba import njit as guard

from perfectplay.compiler.intrinsics import ones, wrapping_add, wrapping_mult
from perfectplay.compiler.pattern_stubs import (
    AGAIN,
    MOVES,
    POINTS,
    again,
    margin,
    moves,
    nth_move,
    outcome,
    play,
)

# ---- below this line the text is the same for every game ----

MINE, THEIRS, LEGAL, LAST_MINE, LAST_THEIRS, LEAD = 0, 1, 2, 3, 4, 5
ONGOING, FAULTY = 2, -2
SIDE, RESULT, REWARD, DONE, CUT, LAST_SIDE = 0, 1, 2, 3, 4, 5
WON, DRAWN, LOST, STOPPED, LENGTH, POINTS_WON, TALLIES = 0, 1, 2, 3, 4, 5, 6
GOLDEN, FIRST_FACTOR, SECOND_FACTOR = -0x61C8864680B583EB, -0x40A7B892E31B1A47, -0x6B2FB644ECCEEE15
LOW_34, LOW_37, LOW_33, LOW_32 = (1 << 34) - 1, (1 << 37) - 1, (1 << 33) - 1, (1 << 32) - 1


@guard
def for_first(value, side):
    """A value to this side as the first side sees it, and the other way round."""
    return -value if side != 0 else value


@guard
def after_ply(mine, theirs, side, move):
    """The position after the move, the side to move there, and its outcome for that side."""
    following = 1 - side
    if AGAIN and again(mine, theirs, move):
        following = side
    next_mine, next_theirs = play(mine, theirs, move)
    return next_mine, next_theirs, following, outcome(next_mine, next_theirs)


@guard
def checked_moves(mine, theirs):
    """The legal moves of a game that goes on; 0 if there is none, or one without a name."""
    legal = moves(mine, theirs)
    return 0 if legal < 0 or legal >> MOVES != 0 else legal


@guard
def note_end(words, small, at, mine, theirs, side, ended):
    """Keeps the final position of a game; returns its result and margin for the first side, a draw if it is truncated.

    The result is FAULTY if it is none.
    """
    result, lead = 0, 0
    if ended != ONGOING:
        result = for_first(ended, side)
        if POINTS:
            lead = for_first(margin(mine, theirs), side)
    words[LAST_MINE, at], words[LAST_THEIRS, at], words[LEAD, at] = mine, theirs, lead
    small[LAST_SIDE, at] = side
    return (result if -1 <= result <= 1 else FAULTY), lead


@guard
def random_number(start, place):
    """The random number at this place of the sequence that begins at `start`: a word of 64 bits."""
    number = wrapping_add(start, wrapping_mult(place, GOLDEN))
    number = wrapping_mult(number ^ (number >> 30 & LOW_34), FIRST_FACTOR)
    number = wrapping_mult(number ^ (number >> 27 & LOW_37), SECOND_FACTOR)
    return number ^ (number >> 31 & LOW_33)


@guard
def random_move(legal, number):
    """A move among these, chosen by a random number; no move is more likely than another by more than 2 ** -26."""
    return nth_move(legal, (number >> 32 & LOW_32) * ones(legal) >> 32)
