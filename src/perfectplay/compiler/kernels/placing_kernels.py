# mypy: ignore-errors
"""Loops for layers in which a move only adds to the mover's own word: children of a group lie together.

This file is a pattern like rule_kernels.py, to which it is appended. A child's first word is the second word of its
parent. So positions are visited in the order of their keys with the other side to move: those that share the other
side's word have children that share their first word, a few thousand neighbours at most. Sorting the parents takes the
place of sorting the children, and a child's grade is found in the cache instead of anywhere in memory. Measured on
lines:5,4,4: 46 s of CPU time in all, instead of some 400 (bench/NOTES.md).
"""

import numpy as np

from perfectplay.compiler.intrinsics import lowest
from perfectplay.compiler.kernels.rule_kernels import BATCH, kernel, rank_batch
from perfectplay.compiler.pattern_stubs import BITS, IMAGES, image, key, moves, play, smallest, unkey

# ---- below this line the text is the same for every game ----

LOW = (1 << BITS) - 1


@kernel
def swap_sides(keys, grades, out):
    """Writes the classes of the positions graded 0, with the other side to move; returns the number and the greatest.

    A class is swapped back by doing it again, so no two have the same.
    """
    at = greatest = 0
    for i in range(keys.size):
        if grades[i] == 0:
            mine, theirs = unkey(np.int64(keys[i]))
            mine, theirs = smallest(theirs, mine)
            number = key(mine, theirs)
            out[np.uint64(at)] = number
            greatest = max(greatest, number)
            at += 1
    return at, greatest


@kernel
def has_fixed(word):
    """Whether an image other than the first leaves this word as it is."""
    same = 0
    for turn in range(1, IMAGES):
        same += image(word, 0, turn)[0] == word
    return same > 0


@kernel
def expand_swapped(swapped, begin, bits, groups, out):
    """Writes the keys of the children, sorted and distinct, until `out` may be too small for another group.

    Returns the place of the next group and the number of keys; -1 for it if a move does more than add to a word.
    `bits` has a bit for each word, `groups` one for each 64 of these; both are clear before and after.
    """
    excess = written = 0
    while begin < swapped.size and out.size - written > LOW:
        theirs = np.int64(swapped[begin]) >> BITS
        shared = has_fixed(theirs)
        while begin < swapped.size and swapped[begin] >> BITS == theirs:
            mine = np.int64(swapped[begin]) & LOW
            legal = moves(mine, theirs)
            while legal:
                next_mine, next_theirs = play(mine, theirs, lowest(legal))
                legal &= legal - 1
                excess |= next_theirs >> BITS | next_mine ^ theirs
                if shared:
                    next_mine, next_theirs = smallest(next_mine, next_theirs)
                word = (next_theirs & LOW) >> 6
                bits[np.uint64(word)] |= np.int64(1) << (next_theirs & 63)
                groups[np.uint64(word >> 6)] |= np.int64(1) << (word & 63)
            begin += 1
        for group in range(groups.size):
            words = groups[group]
            groups[group] = 0
            while words:
                word = group << 6 | lowest(words)
                words &= words - 1
                rest = bits[np.uint64(word)]
                bits[np.uint64(word)] = 0
                while rest:
                    out[np.uint64(written)] = theirs << BITS | word << 6 | lowest(rest)
                    written += 1
                    rest &= rest - 1
    return -1 if excess else begin, written


@kernel
def grade_swapped(swapped, out, keys, grades, earlier, known):
    """Writes the grades of these positions, given their children's; returns False if a move does more than add.

    `known` has room for the grade of each word. No child is looked at after one that wins at once.
    """
    excess = begin = at = 0
    top = earlier.max()
    while begin < swapped.size:
        theirs = np.int64(swapped[begin]) >> BITS
        shared = has_fixed(theirs)
        end = keys.size
        while at < end:
            middle = (at + end) >> 1
            if keys[middle] >> BITS < theirs:
                at = middle + 1
            else:
                end = middle
        while at < keys.size and keys[at] >> BITS == theirs:
            known[np.uint64(keys[at] & LOW)] = earlier[grades[at]]
            at += 1
        while begin < swapped.size and swapped[begin] >> BITS == theirs:
            mine = np.int64(swapped[begin]) & LOW
            legal = moves(mine, theirs)
            best = np.int64(0)
            while legal:
                next_mine, next_theirs = play(mine, theirs, lowest(legal))
                legal &= legal - 1
                excess |= next_theirs >> BITS | next_mine ^ theirs
                if shared:
                    next_mine, next_theirs = smallest(next_mine, next_theirs)
                best = max(best, np.int64(known[np.uint64(next_theirs & LOW)]))
                if best == top:
                    break
            out[begin] = best
            begin += 1
    return excess == 0


@kernel
def swap_back(keys, grades, swapped_grades, coarse, shift, prefixes, branches, leaves):
    """Grades the positions graded 0 by the grades of the same positions in the order of `swap_sides`."""
    numbers = np.empty(BATCH, np.int64)
    places = np.empty(BATCH, np.int64)
    for begin in range(0, keys.size, BATCH):
        end = min(keys.size, begin + BATCH)
        total, _ = swap_sides(keys[begin:end], grades[begin:end], numbers)
        rank_batch(numbers, places, total, swapped_grades, coarse, shift, prefixes, branches, leaves)
        at = 0
        for i in range(begin, end):
            if grades[i] == 0:
                grades[i] = swapped_grades[np.uint64(numbers[at])]
                at += 1
