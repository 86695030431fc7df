# mypy: ignore-errors
"""Calls of a game's rules on a GPU, with checks of the contract.

This file is a pattern like ../rule_kernels.py, appended to hash_set.py.
"""

from numba import cuda

from perfectplay.compiler.gpu.hash_set import GRADE_AT, added, device, found, kernel, key_at
from perfectplay.compiler.pattern_stubs import (
    AGAIN,
    BITS,
    IMAGES,
    KEY_BITS,
    MOVES,
    again,
    image,
    key,
    margin,
    moves,
    outcome,
    play,
    smallest,
    tier,
    unkey,
)

# ---- below this line the text is the same for every game ----

FRESH, FULL, BROKEN, UNLIKE, EXCESS, LONG, ASTRAY, EDGES, SHORT, FAR = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
FALLING, FARTHEST, DRAWS = 10, 11, 12
TALLIES = 13


@device
def checked_outcome(mine, theirs, number, tallies):
    """The outcome; reports an invalid one, or a key that does not invert."""
    ended = outcome(mine, theirs)
    if ended < -1 or ended > 2 or key(mine, theirs) != number:
        tallies[BROKEN] = 1
    return ended


@device
def checked_margin(mine, theirs, ended, most, tallies):
    """The margin of a finished position; reports one that contradicts the outcome, or of more than `most` points."""
    lead = margin(mine, theirs)
    if (lead > 0) != (ended > 0) or (lead < 0) != (ended < 0):
        tallies[BROKEN] = 1
    if lead > most or lead < -most:
        tallies[FAR] = 1
        lead = 0
    return lead


@device
def is_kept(mine, theirs, move):
    """1 if the same side moves again, else 0."""
    return 1 if AGAIN and again(mine, theirs, move) else 0


@device
def checked_moves(mine, theirs, tallies):
    """The legal moves; reports if there is none, or one without a name."""
    legal = moves(mine, theirs)
    if legal <= 0 or legal >> MOVES != 0:
        tallies[BROKEN] = 1
        legal = 0
    return legal


@device
def child(mine, theirs, move, symmetric):
    """The key of the position after the move, or of its class; -1 if a word is too wide, -2 if the key is too long."""
    next_mine, next_theirs = play(mine, theirs, move)
    excess = (next_mine | next_theirs) >> BITS
    if symmetric:
        next_mine, next_theirs = smallest(next_mine, next_theirs)
    number = key(next_mine, next_theirs)
    if excess != 0:
        return -1
    return -2 if number >> KEY_BITS != 0 else number


@device
def weight(mine, theirs):
    """The number of distinct images of the position."""
    same = 1
    for turn in range(1, IMAGES):
        other_mine, other_theirs = image(mine, theirs, turn)
        same += other_mine == mine and other_theirs == theirs
    return IMAGES // same


@device
def class_of(number):
    """The key of the class of the position with this key."""
    mine, theirs = unkey(number)
    mine, theirs = smallest(mine, theirs)
    return key(mine, theirs)


@kernel
def add_classes(table, shape, classes, classes_shape, tallies):
    """Adds the classes of all positions in the table to another; counts them."""
    for at in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        if table[at] != 0:
            place, new = added(classes, classes_shape, class_of(key_at(table, shape, at)))
            if new:
                cuda.atomic.add(tallies, FRESH, 1)
            if place < 0:
                tallies[FULL] = 1


@kernel
def count_positions(table, shape, classes, classes_shape, values, counts):
    """Counts the positions in the table by the grades of their classes, or by their values if there are any."""
    for at in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        if table[at] != 0:
            place = found(classes, classes_shape, class_of(key_at(table, shape, at)))
            if place >= 0:
                value = int(values[place]) if values.size > 0 else int(classes[place]) >> GRADE_AT
                cuda.atomic.add(counts, value, 1)


@kernel
def answer(asked, answers):
    """Writes outcome, moves, the next position, its canonical form, its key and the position of that key.

    Then whether the same side moves again, the tier, and the margin of the next position if it is finished.
    """
    for i in range(cuda.grid(1), asked.shape[0], cuda.gridsize(1)):
        mine, theirs = int(asked[i, 0]), int(asked[i, 1])
        answers[i, 0], answers[i, 1] = outcome(mine, theirs), moves(mine, theirs)
        next_mine, next_theirs = play(mine, theirs, int(asked[i, 2]))
        answers[i, 2], answers[i, 3] = next_mine, next_theirs
        answers[i, 9], answers[i, 10] = is_kept(mine, theirs, int(asked[i, 2])), tier(mine, theirs)
        answers[i, 11] = margin(next_mine, next_theirs) if outcome(next_mine, next_theirs) != 2 else 0
        next_mine, next_theirs = smallest(next_mine, next_theirs)
        answers[i, 4], answers[i, 5] = next_mine, next_theirs
        number = key(next_mine, next_theirs)
        next_mine, next_theirs = unkey(number)
        answers[i, 6], answers[i, 7], answers[i, 8] = number, next_mine, next_theirs
