# mypy: ignore-errors
"""The solver's inner loops that call the rules: one text for all games.

This file is a pattern. The part below the line is appended to a game's rules in a module of its own, whose
compiled code numba can cache on disk (docs/decisions/0007); above it are stubs for what a game provides,
so that the file can be read and checked like any other.

Hot loops index arrays with unsigned integers: numba then omits the test for negative indices, a quarter of the time
of a lookup. Children are taken in batches, so that many memory accesses overlap.
UNTRIED rules, a user's own, are watched for positions that share a key and for images that differ: up to 0.2 of
the time of a solve.
"""

import numpy as np
from numba import njit

from perfectplay.compiler.intrinsics import fetch, lowest, ones
from perfectplay.compiler.pattern_stubs import (
    AGAIN,
    BITS,
    IMAGES,
    MOVES,
    POINTS,
    SEPARATE,
    UNTRIED,
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

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
inner = njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)
MOST_MOVES = 64
BATCH = 128


@kernel
def judge(keys, grades, ends, marks, counts):
    """Grades finished positions, the others 0; returns the number of children, and whether all have the marks.

    `counts` gets the number of children of each position, unless it is empty.
    If rules break the contract, it returns -1 - place of such a position instead of the number of children. The faults
    are an invalid outcome, a margin that contradicts it, no legal move or one without a name, a key that does not
    invert, and an image, one of all by its key, with another outcome or another number of moves.
    """
    children = 0
    alike = True
    fault = 0
    for i in range(keys.size):
        mine, theirs = unkey(np.int64(keys[i]))
        alike &= ones(mine) + ones(theirs) == marks
        sound = key(mine, theirs) == keys[i]
        ended = outcome(mine, theirs)
        count = 0
        if ended == 2:
            grades[i] = 0
            legal = moves(mine, theirs)
            count = ones(legal)
            children += count
            sound &= legal > 0 and legal >> MOVES == 0
        elif -1 <= ended <= 1:
            grades[i] = ends[ended + 1]
            if POINTS:
                lead = margin(mine, theirs)
                sound &= abs(lead) < ends[1] and (lead > 0) == (ended > 0) and (lead < 0) == (ended < 0)
                grades[i] = ends[1] + lead
        else:
            sound = False
        if UNTRIED and IMAGES > 1:
            other_mine, other_theirs = image(mine, theirs, 1 + np.int64(keys[i]) % (IMAGES - 1))
            sound &= outcome(other_mine, other_theirs) == ended
            if ended == 2:
                sound &= ones(moves(other_mine, other_theirs)) == count
        if not sound:
            fault = -1 - i
        if counts.size:
            counts[i] = count
    return fault if fault else children, alike


@kernel
def expand(keys, grades, symmetric, children):
    """Writes the keys of the children of all positions graded 0 in a row; returns a fault and the greatest key.

    The fault is 0 if there is none; else -1 - place of a position that has a child with a negative or too wide word
    or key, or with a key of another position.
    """
    at = 0
    greatest = fault = 0
    shared = least = ties = np.int64(0)
    for i in range(keys.size):
        if grades[i] == 0:
            mine, theirs = unkey(np.int64(keys[i]))
            legal = moves(mine, theirs)
            while legal:
                next_mine, next_theirs = play(mine, theirs, lowest(legal))
                legal &= legal - 1
                excess = (next_mine | next_theirs) >> BITS  # an image may drop it
                if symmetric and SEPARATE:
                    if ties == 0 or next_mine != shared:
                        shared = next_mine
                        least, ties = tied_images(next_mine, next_theirs)
                    next_theirs = least_of_ties(next_mine, next_theirs, ties)
                    next_mine = least
                elif symmetric:
                    next_mine, next_theirs = smallest(next_mine, next_theirs)
                number = key(next_mine, next_theirs)
                if UNTRIED:
                    back_mine, back_theirs = unkey(number)
                    excess |= (back_mine ^ next_mine) | (back_theirs ^ next_theirs)
                if excess or number < 0:
                    fault = -1 - i
                greatest = max(greatest, number)
                children[np.uint64(at)] = number
                at += 1
    return fault, greatest


@inner
def tied_images(mine, theirs):
    """The least first word of all images, and the images that have it, as bits."""
    least, ties = mine, np.int64(1)
    for i in range(1, IMAGES):
        other, _ = image(mine, theirs, i)
        if other < least:
            least, ties = other, np.int64(1) << i
        elif other == least:
            ties |= np.int64(1) << i
    return least, ties


@inner
def least_of_ties(mine, theirs, ties):
    """The least second word of these images."""
    least = theirs
    if ties != 1:
        _, least = image(mine, theirs, lowest(ties))
        ties &= ties - 1
        while ties:
            _, other = image(mine, theirs, lowest(ties))
            least = min(least, other)
            ties &= ties - 1
    return least


@kernel
def turns_kept(keys, grades, kept):
    """Writes for each child that `expand` writes whether the side that made the move is to move there, too."""
    at = 0
    for i in range(keys.size):
        if grades[i] == 0:
            mine, theirs = unkey(np.int64(keys[i]))
            legal = moves(mine, theirs)
            while legal:
                kept[np.uint64(at)] = again(mine, theirs, lowest(legal))
                legal &= legal - 1
                at += 1


@kernel
def tiers_of(keys, tiers):
    """Writes the tier of each position."""
    for i in range(keys.size):
        mine, theirs = unkey(np.int64(keys[i]))
        tiers[i] = tier(mine, theirs)


@kernel
def canonical_keys(keys, out):
    """Writes the key of each position's canonical form."""
    for i in range(keys.size):
        mine, theirs = unkey(np.int64(keys[i]))
        mine, theirs = smallest(mine, theirs)
        out[i] = key(mine, theirs)


@kernel
def batch_children(keys, grades, begin, end, numbers, counts):
    """Writes the keys of the children of the positions in [begin, end) and the count of each; returns the total.

    Where the same side moves again, it writes ~key.
    """
    total = 0
    shared = least = ties = np.int64(0)
    for i in range(begin, end):
        before = total
        if grades[i] == 0:
            mine, theirs = unkey(np.int64(keys[i]))
            legal = moves(mine, theirs)
            while legal:
                move = lowest(legal)
                next_mine, next_theirs = play(mine, theirs, move)
                legal &= legal - 1
                if SEPARATE:
                    if ties == 0 or next_mine != shared:
                        shared = next_mine
                        least, ties = tied_images(next_mine, next_theirs)
                    next_theirs = least_of_ties(next_mine, next_theirs, ties)
                    next_mine = least
                else:
                    next_mine, next_theirs = smallest(next_mine, next_theirs)
                number = key(next_mine, next_theirs)
                if AGAIN and again(mine, theirs, move):
                    number = ~number
                numbers[np.uint64(total)] = number
                total += 1
        counts[i - begin] = total - before
    return total


@kernel
def rank_batch(numbers, places, total, grades, coarse, shift, prefixes, branches, leaves):
    """Replaces each of these keys, all present, by its place in the indexed sorted array, and ~key by ~place.

    It prefetches what it needs next, and the grades at these places: lookups take 0.6 of the time.
    """
    one = np.int64(1)
    for e in range(total):
        number = numbers[e]
        if AGAIN and number < 0:
            number = ~number
        at = np.int64(coarse[np.uint64(number >> 12 >> shift)])
        while prefixes[np.uint64(at)] < number >> 12:
            at += 1
        below = branches[np.uint64(2 * at)] & ((one << (number >> 6 & 63)) - 1)
        leaf = 2 * (branches[np.uint64(2 * at + 1)] + ones(below))
        places[e] = leaf
        fetch(leaves, leaf)
    for e in range(total):
        leaf = places[e]
        number = numbers[e]
        if AGAIN and number < 0:
            number = ~number
        below = leaves[np.uint64(leaf)] & ((one << (number & 63)) - 1)
        place = leaves[np.uint64(leaf + 1)] + ones(below)
        numbers[e] = ~place if AGAIN and numbers[e] < 0 else place
        fetch(grades, place)


@kernel
def number_children(keys, grades, out, counts, coarse, shift, prefixes, branches, leaves):
    """Writes the places of the children of all positions graded 0, and each position's number of children.

    Where the same side moves again, it writes ~place.
    """
    numbers = np.empty(BATCH * MOST_MOVES, np.int64)
    places = np.empty(BATCH * MOST_MOVES, np.int64)
    at = 0
    for begin in range(0, keys.size, BATCH):
        end = min(keys.size, begin + BATCH)
        total = batch_children(keys, grades, begin, end, numbers, counts[begin:end])
        rank_batch(numbers, places, total, grades, coarse, shift, prefixes, branches, leaves)
        for e in range(total):
            out[at + e] = numbers[e]
        at += total


@kernel
def weigh(keys, grades, counts):
    """Adds to the count of each grade the number of distinct images of the positions with it."""
    for i in range(keys.size):
        mine, theirs = unkey(np.int64(keys[i]))
        same = 1
        for turn in range(1, IMAGES):
            other_mine, other_theirs = image(mine, theirs, turn)
            same += other_mine == mine and other_theirs == theirs
        counts[grades[i]] += IMAGES // same


@kernel
def count_grades(keys, grades, counts, coarse, shift, prefixes, branches, leaves):
    """Adds to the count of each grade the number of positions whose class has it."""
    numbers = np.empty(BATCH, np.int64)
    places = np.empty(BATCH, np.int64)
    for begin in range(0, keys.size, BATCH):
        total = min(keys.size - begin, BATCH)
        canonical_keys(keys[begin : begin + total], numbers)
        rank_batch(numbers, places, total, grades, coarse, shift, prefixes, branches, leaves)
        for e in range(total):
            counts[grades[numbers[e]]] += 1
