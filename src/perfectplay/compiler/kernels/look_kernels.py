# mypy: ignore-errors
"""The one loop over rules that a small game needs: all that they say of a position, in one pass.

This file is a pattern, like `rule_kernels.py`. A user waits for its compiler before anything else, so it is one
function, which solves and checks, and calls each rule in as few places as it can.
"""

import numpy as np
from numba import njit

from perfectplay.compiler.intrinsics import lowest, ones, wrapping_add, wrapping_mult, wrapping_sub
from perfectplay.compiler.pattern_stubs import (
    AGAIN,
    BITS,
    GROUP,
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
def look(keys, facts, children, others, full):
    """Writes what the rules say of each position, and the keys of its children's canonical forms, all in a row.

    The facts are its outcome, its number of moves, of distinct images, its margin and its tier; ~key is a child in
    which the same side moves again. `others` gets the keys of all its images, unless it is empty. Returns the number
    of children; -1 - place of a position at which rules break the contract.

    A `full` look is one at canonical positions, at their images, too. They must have the same outcome, margin and tier,
    keys that invert, and the same images; and the children of an image must be that image of the children, which is
    right for almost all symmetries: the host looks again at a position that is refused. A child must be an image of its
    canonical form, or it would belong to no class; where permutations are a GROUP, it certainly is.
    """
    orbit = np.empty((IMAGES, 2), np.int64)
    below = np.empty((MOST_MOVES, 3), np.int64)
    at = 0
    for i in range(keys.size):
        mine, theirs = unkey(keys[i])
        sound = key(mine, theirs) == keys[i]
        same = count = 0
        for turn in range(IMAGES):
            one_mine, one_theirs = mine, theirs
            if turn:
                one_mine, one_theirs = image(mine, theirs, turn)
                number = key(one_mine, one_theirs)
                if others.size:
                    others[i * IMAGES + turn] = number
                if full:
                    back_mine, back_theirs = unkey(number)
                    sound &= back_mine == one_mine and back_theirs == one_theirs
                    sound &= one_mine > mine or (one_mine == mine and one_theirs >= theirs)
            orbit[turn, 0], orbit[turn, 1] = one_mine, one_theirs
            itself = one_mine == mine and one_theirs == theirs
            same += itself
            if turn and (itself or not full):
                continue
            ended = outcome(one_mine, one_theirs)
            legal = moves(one_mine, one_theirs) if ended == 2 else 0
            points = margin(one_mine, one_theirs) if POINTS and ended != 2 else 0
            rank = tier(one_mine, one_theirs) if TIERED else 0
            if turn == 0:
                count = ones(legal)
                sound &= -1 <= ended <= 2 and (ended != 2 or legal > 0) and legal >> MOVES == 0
                facts[i, 0], facts[i, 1], facts[i, 3], facts[i, 4] = ended, count, points, rank
            else:
                sound &= ended == facts[i, 0] and points == facts[i, 3] and rank == facts[i, 4] and ones(legal) == count
            total = child = 0
            while legal:
                move = lowest(legal)
                legal &= legal - 1
                raw_mine, raw_theirs = play(one_mine, one_theirs, move)
                kept = 1 if AGAIN and again(one_mine, one_theirs, move) else 0
                if turn:
                    total = wrapping_add(total, mixed(raw_mine, raw_theirs, kept))
                    continue
                next_mine, next_theirs = smallest(raw_mine, raw_theirs)
                number = key(next_mine, next_theirs)
                back_mine, back_theirs = unkey(number)
                excess = (next_mine | next_theirs) >> BITS | (back_mine ^ next_mine) | (back_theirs ^ next_theirs)
                sound &= excess == 0 and number >= 0
                children[at] = ~number if kept else number
                at += 1
                below[child, 0], below[child, 1], below[child, 2] = raw_mine, raw_theirs, kept
                child += 1
                if full and not GROUP and (raw_mine != next_mine or raw_theirs != next_theirs):
                    known = False
                    for other in range(1, IMAGES):
                        back_mine, back_theirs = image(next_mine, next_theirs, other)
                        known |= back_mine == raw_mine and back_theirs == raw_theirs
                    sound &= known
            if turn:
                for child in range(count):
                    raw_mine, raw_theirs = image(below[child, 0], below[child, 1], turn)
                    total = wrapping_sub(total, mixed(raw_mine, raw_theirs, below[child, 2]))
                sound &= total == 0
        if full and not GROUP:
            for turn in range(1, IMAGES):
                for other in range(1, IMAGES):  # the images of an image are images, too
                    back_mine, back_theirs = image(orbit[turn, 0], orbit[turn, 1], other)
                    known = False
                    for one in range(IMAGES):
                        known |= orbit[one, 0] == back_mine and orbit[one, 1] == back_theirs
                    sound &= known
        facts[i, 2] = IMAGES // same
        if not sound:
            return -1 - i
    return at


@njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)
def mixed(mine, theirs, kept):
    """A number of 64 bits: the sum over some positions tells whether they are the same ones in another order."""
    number = wrapping_add(wrapping_mult(mine ^ mine >> 31, 0x1F83D9ABFB41BD6B), theirs)
    number = wrapping_add(wrapping_mult(number ^ number >> 29, 0x3C6EF372FE94F82B), kept)
    return wrapping_mult(number ^ number >> 32, 0x2545F4914F6CDD1D)
