# mypy: ignore-errors
"""The inner loops that verify a table: a pattern like `rule_kernels.py`, with which it shares no loop.

Children are looked up in a sorted array: the starts of buckets of keys leave a few of them to a binary search. They are
taken in batches, step by step, so that many memory accesses overlap: a quarter of the time of one search after another.
"""

import numpy as np
from numba import njit

from perfectplay.compiler.intrinsics import fetch, lowest
from perfectplay.compiler.pattern_stubs import (
    AGAIN,
    IMAGES,
    POINTS,
    again,
    image,
    key,
    margin,
    moves,
    outcome,
    play,
    smallest,
    unkey,
)

# ---- below this line the text is the same for every game ----

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
MOST_MOVES = 64
BATCH = 128


@kernel
def first_fault(begin, end, keys, grades, met, starts, shift, earlier, ends, counts):
    """The first place from `begin` to `end` where a key is not canonical, a grade wrong or a child missing; -1 if none.

    `met` gets a 1 for each child; `counts` the number of distinct images of the positions with each grade. The second
    half of `earlier` is for children in which the same side moves again.
    """
    numbers = np.empty(BATCH * MOST_MOVES, np.int64)
    places = np.empty(BATCH * MOST_MOVES, np.int64)
    totals = np.empty(BATCH, np.int64)
    bests = np.empty(BATCH, np.int64)
    for first in range(begin, end, BATCH):
        last = min(end, first + BATCH)
        total = children_of_batch(first, last, keys, grades, starts, shift, ends, counts, numbers, totals, bests)
        find_batch(total, keys, grades, met, starts, shift, numbers, places)
        at = 0
        for i in range(first, last):
            best = bests[i - first]
            for e in range(at, at + totals[i - first]):
                if places[e] < 0:
                    return i
                met[np.uint64(places[e])] = 1
                grade = np.int64(grades[np.uint64(places[e])])
                if AGAIN and numbers[e] < 0:
                    grade += earlier.size // 2
                best = max(best, np.int64(earlier[grade]))
            if grades[i] != best:
                return i
            at += totals[i - first]
    return -1


@kernel
def children_of_batch(first, last, keys, grades, starts, shift, ends, counts, numbers, totals, bests):
    """Writes the keys of all children, ~key where the same side moves again, and returns their number.

    `bests` gets the grade of a finished position, 0 of an ongoing one, -1 of a wrong one, which has no children then.
    """
    at = 0
    for i in range(first, last):
        mine, theirs = unkey(np.int64(keys[i]))
        least_mine, least_theirs = smallest(mine, theirs)
        right = least_mine == mine and least_theirs == theirs and key(mine, theirs) == keys[i]
        ended = outcome(mine, theirs)
        legal = moves(mine, theirs) if ended == 2 else 0
        best = 0
        if -1 <= ended <= 1:
            best = ends[1] + margin(mine, theirs) if POINTS else ends[ended + 1]
        elif ended != 2:
            right = False
        before = at
        while legal:
            move = lowest(legal)
            legal &= legal - 1
            next_mine, next_theirs = play(mine, theirs, move)
            next_mine, next_theirs = smallest(next_mine, next_theirs)
            number = key(next_mine, next_theirs)
            if number < 0 or number >> shift >= starts.size - 1:
                right = False
            else:
                fetch(starts, number >> shift)
                numbers[at] = ~number if AGAIN and again(mine, theirs, move) else number
                at += 1
        same = 1
        for turn in range(1, IMAGES):
            other_mine, other_theirs = image(mine, theirs, turn)
            same += other_mine == mine and other_theirs == theirs
        counts[grades[i]] += IMAGES // same
        if not right:
            at, best = before, -1
        totals[i - first] = at - before
        bests[i - first] = best
    return at


@kernel
def find_batch(total, keys, grades, met, starts, shift, numbers, places):
    """Writes the place of each of these keys, or -1; `starts` has the place of the first key of each bucket."""
    for e in range(total):
        number = numbers[e]
        if AGAIN and number < 0:
            number = ~number
        fetch(keys, np.int64(starts[np.uint64(number >> shift)]))
    for e in range(total):
        number = numbers[e]
        if AGAIN and number < 0:
            number = ~number
        low = np.int64(starts[np.uint64(number >> shift)])
        stop = np.int64(starts[np.uint64((number >> shift) + 1)])
        high = stop
        while low < high:
            middle = (low + high) >> 1
            if keys[np.uint64(middle)] < number:
                low = middle + 1
            else:
                high = middle
        if low < stop and keys[np.uint64(low)] == number:
            places[e] = low
            fetch(grades, low)
            fetch(met, low)
        else:
            places[e] = -1
