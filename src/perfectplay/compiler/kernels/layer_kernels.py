# mypy: ignore-errors
"""The loops that grade a layer by the layer below it.

This file is a pattern like rule_kernels.py, to which it is appended. Bound by memory: a child's grade can be anywhere.
Measured on the widest layers of drop:5,5,4, one core: by places 27 ns per child and 6 for the index, by blocks 18.5
and 1.5, of which 9 generate children (bench/NOTES.md).
"""

import numpy as np

from perfectplay.compiler.intrinsics import fetch, lowest, ones
from perfectplay.compiler.kernels.rule_kernels import BATCH, MOST_MOVES, batch_children, kernel, rank_batch
from perfectplay.compiler.pattern_stubs import AGAIN, key, moves, play, smallest, unkey

# ---- below this line the text is the same for every game ----


@kernel
def grade_by_blocks(keys, grades, branches, blocks):
    """Grades the positions graded 0 by the best of their children, whose grades one ply earlier are in blocks.

    A block has the grades of 32 consecutive keys. `branches` has for each 64 blocks a bit for each that there is, and
    the number of the first. All children are by the other side.
    """
    one = np.int64(1)
    numbers = np.empty(BATCH * MOST_MOVES, np.int64)
    owners = np.empty(BATCH * MOST_MOVES, np.int64)
    for begin in range(0, keys.size, BATCH):
        total = 0
        for i in range(begin, min(keys.size, begin + BATCH)):
            if grades[i] == 0:
                mine, theirs = unkey(np.int64(keys[i]))
                legal = moves(mine, theirs)
                while legal:
                    next_mine, next_theirs = play(mine, theirs, lowest(legal))
                    legal &= legal - 1
                    next_mine, next_theirs = smallest(next_mine, next_theirs)
                    numbers[np.uint64(total)] = key(next_mine, next_theirs)
                    owners[np.uint64(total)] = i
                    total += 1
        for e in range(total):
            number = numbers[e]
            branch = number >> 11 << 1
            below = branches[np.uint64(branch)] & ((one << (number >> 5 & 63)) - 1)
            place = (branches[np.uint64(branch + 1)] + ones(below)) << 5 | number & 31
            numbers[e] = place
            fetch(blocks, place)
        for e in range(total):  # without a loop over the children of each, whose end is hard to predict
            i = np.uint64(owners[e])
            grades[i] = max(grades[i], blocks[np.uint64(numbers[e])])


@kernel
def grade_by_children(keys, grades, child_grades, earlier, coarse, shift, prefixes, branches, leaves):
    """Grades the positions graded 0 by the best of their children, whose grades are all known.

    The second half of `earlier` is for children in which the same side moves again.
    """
    numbers = np.empty(BATCH * MOST_MOVES, np.int64)
    counts = np.empty(BATCH, np.int64)
    places = np.empty(BATCH * MOST_MOVES, np.int64)
    for begin in range(0, keys.size, BATCH):
        end = min(keys.size, begin + BATCH)
        total = batch_children(keys, grades, begin, end, numbers, counts)
        rank_batch(numbers, places, total, child_grades, coarse, shift, prefixes, branches, leaves)
        for e in range(total):
            if AGAIN and numbers[e] < 0:
                numbers[e] = earlier[earlier.size // 2 + child_grades[np.uint64(~numbers[e])]]
            else:
                numbers[e] = earlier[child_grades[np.uint64(numbers[e])]]
        at = 0
        for i in range(begin, end):
            if grades[i] == 0:
                best = np.int64(0)
                for e in range(at, at + counts[i - begin]):
                    best = max(best, numbers[e])
                grades[i] = best
                at += counts[i - begin]
