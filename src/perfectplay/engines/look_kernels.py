# mypy: ignore-errors
"""The one loop over rules that a small game needs: all that they say of a position, in one pass.

This file is a pattern, like `rule_kernels.py`. A user waits for its compiler before anything else, so it is one
function: every further one that calls the rules takes another quarter of a second.
"""

from numba import njit

from perfectplay.engines.intrinsics import lowest, ones
from perfectplay.engines.pattern_stubs import (
    AGAIN,
    BITS,
    IMAGES,
    MOVES,
    POINTS,
    TIERED,
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

MOST_MOVES = 64


@njit(nogil=True, cache=True, no_cfunc_wrapper=True)
def look(keys, facts, children, others):
    """Writes what the rules say of each position, and the keys of its children's canonical forms, all in a row.

    The facts are its outcome, its number of moves, of distinct images, its margin and its tier; ~key is a child in
    which the same side moves again. `others` gets the keys of all its images, unless it is empty. Returns the number
    of children; -1 - place of a position at which rules break the contract.
    """
    at = 0
    for i in range(keys.size):
        mine, theirs = unkey(keys[i])
        ended = outcome(mine, theirs)
        sound = key(mine, theirs) == keys[i] and -1 <= ended <= 2
        count = 0
        if ended == 2:
            legal = moves(mine, theirs)
            count = ones(legal)
            sound &= legal > 0 and legal >> MOVES == 0
            while legal:
                move = lowest(legal)
                legal &= legal - 1
                next_mine, next_theirs = play(mine, theirs, move)
                next_mine, next_theirs = smallest(next_mine, next_theirs)
                number = key(next_mine, next_theirs)
                back_mine, back_theirs = unkey(number)
                excess = (next_mine | next_theirs) >> BITS | (back_mine ^ next_mine) | (back_theirs ^ next_theirs)
                sound &= excess == 0 and number >= 0
                children[at] = ~number if AGAIN and again(mine, theirs, move) else number
                at += 1
        same = 1
        if IMAGES > 1:  # a constant: else nothing of this is compiled
            for turn in range(1, IMAGES):
                other_mine, other_theirs = image(mine, theirs, turn)
                same += other_mine == mine and other_theirs == theirs
                if others.size:
                    others[i * IMAGES + turn] = key(other_mine, other_theirs)
                if turn == 1 + keys[i] % (IMAGES - 1):
                    sound &= outcome(other_mine, other_theirs) == ended
                    if ended == 2:
                        sound &= ones(moves(other_mine, other_theirs)) == count
        facts[i, 0] = ended
        facts[i, 1] = count
        facts[i, 2] = IMAGES // same
        facts[i, 3] = margin(mine, theirs) if POINTS and ended != 2 else 0
        facts[i, 4] = tier(mine, theirs) if TIERED else 0
        if not sound:
            return -1 - i
    return at
