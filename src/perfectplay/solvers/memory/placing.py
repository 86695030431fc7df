"""Layers of games in which a move only adds to the mover's own word, such as rows of marks on an empty board.

The loops are in kernels/placing_kernels.py. They need keys that are the two words side by side and symmetries that are
permutations. Whether a move does no more than add is found while they run: they give up at the first that does.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from perfectplay.solvers.memory.expansion import GradeArray, Run
from perfectplay.solvers.memory.sorted_keys import Keys, index_of, kind_for, place_of, unique
from perfectplay.solvers.thread_pool import ThreadPool

LARGE = 1 << 20
"""The least positions in a layer for which these loops are worth their compilation."""
CHUNK = 1 << 22
"""The keys that are written at a time."""
AHEAD = 2
"""What the loops hold for each position of a layer, in units of what a child takes when all are sorted at once."""


def swapped(kernels: Any, pool: ThreadPool, run: Run) -> Keys:
    """The classes of the ongoing positions with the other side to move, sorted."""
    parts = pool.parts(run.keys.size)
    counts = pool.map(lambda part: part.stop - part.start - np.count_nonzero(run.grades[part]), parts)
    stops = np.cumsum(counts).tolist()
    found: Keys = np.empty(stops[-1], np.int64)

    def swap(i: int) -> int:
        out = found[stops[i] - counts[i] : stops[i]]
        return int(kernels.swap_sides(run.keys[parts[i]], run.grades[parts[i]], out)[1])

    return unique(pool, found, max(pool.map(swap, range(len(parts)))))


def whole_groups(kernels: Any, pool: ThreadPool, keys: Keys) -> list[slice]:
    """The keys in slices, none of which ends within a group."""
    cuts = [0, *(part.stop for part in pool.parts(keys.size, each=8))]
    wholes = [place_of(keys, int(keys[cut]) >> kernels.BITS << kernels.BITS) for cut in cuts[:-1]]
    return [slice(a, b) for a, b in pairwise([*wholes, keys.size]) if a < b]


def children(kernels: Any, pool: ThreadPool, run: Run) -> Keys | None:
    """The children of all ongoing positions, sorted and distinct; None if a move does more than add."""
    parents = swapped(kernels, pool, run)
    if not parents.size:
        return parents

    def expand(part: slice) -> list[Keys] | None:
        words = max(1, (1 << kernels.BITS) >> 6)
        bits, groups, found = np.zeros(words, np.int64), np.zeros(-(-words // 64), np.int64), []
        mine, begin = parents[part], 0
        while begin < mine.size:
            out = np.empty(CHUNK, np.int64)
            begin, count = kernels.expand_swapped(mine, begin, bits, groups, out)
            if begin < 0:
                return None
            found.append(out[:count])  # memory that is never written is never taken
        return found

    found = pool.map(expand, whole_groups(kernels, pool, parents))
    chunks = [chunk for part in found if part for chunk in part]
    return None if None in found else joined(pool, chunks)


def joined(pool: ThreadPool, chunks: list[Keys]) -> Keys:
    """The chunks in one array; they are used up."""
    stops = np.cumsum([chunk.size for chunk in chunks]).tolist()
    out: Keys = np.empty(stops[-1], kind_for(int(chunks[-1][-1])))

    def copy(i: int) -> None:
        out[stops[i] - chunks[i].size : stops[i]] = chunks[i]
        chunks[i] = chunks[i][:0]

    pool.map(copy, range(len(chunks)))
    return out


def grade_by_children(kernels: Any, pool: ThreadPool, layer: Run, below: Run, earlier: GradeArray) -> bool:
    """Grades the ongoing positions by their children in the layer below; False if a move does more than add."""
    parents = swapped(kernels, pool, layer)
    if not parents.size:
        return True
    grades = np.empty(parents.size, layer.grades.dtype)

    def grade(part: slice) -> bool:
        known = np.zeros(1 << kernels.BITS, layer.grades.dtype)
        return bool(kernels.grade_swapped(parents[part], grades[part], below.keys, below.grades, earlier, known))

    if not all(pool.map(grade, whole_groups(kernels, pool, parents))):
        return False
    index = index_of(pool, parents)
    pool.map(
        lambda part: kernels.swap_back(layer.keys[part], layer.grades[part], grades, *index),
        pool.parts(layer.keys.size),
    )
    return True
