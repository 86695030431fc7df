"""What a solve with compiled kernels works with, what it finds, and the memory that it needs."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from perfectplay.game import Game
from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.memory.expansion import Run
from perfectplay.solvers.memory.sorted_keys import index_of
from perfectplay.solvers.table.grades import Scale
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import Entry

HELD = 150 << 20
"""Bytes that Python, numba and the code take."""
WIDEST = 0.2
"""The fraction of all positions in the widest layer."""


class Solved(NamedTuple):
    """Every symmetry class with its grade, in disjoint runs, and the number of positions with each entry."""

    scale: Scale
    runs: list[Run]
    counts: Counter[Entry]
    start: Entry


class Work(NamedTuple):
    """What a solve works with: compiled rules, threads, memory, a folder for checkpoints."""

    game: Game
    kernels: Any
    pool: ThreadPool
    memory: int
    saved: CheckpointFolder


def counted(work: Work, positions: Run | None, layer: Run, scale: Scale) -> Any:
    """The number of positions with each grade: of those given, or else of all images of the layer's."""
    _, kernels, pool, _, _ = work

    def weigh(part: slice) -> Any:
        counts = np.zeros(scale.size, np.int64)
        if positions is None:
            kernels.weigh(layer.keys[part], layer.grades[part], counts)
        else:
            kernels.count_grades(positions.keys[part], layer.grades, counts, *index)
        return counts

    if positions is not None:
        index = index_of(pool, layer.keys)
    parts = pool.parts((positions or layer).keys.size)
    return np.sum(pool.map(weigh, parts), axis=0)


def entries_of(scale: Scale, counts: Any) -> Counter[Entry]:
    """The number of positions with each entry."""
    return Counter({scale.entry(int(grade)): int(counts[grade]) for grade in np.flatnonzero(counts)})


def memory_by_layer(positions: int, children: float, key_bytes: int) -> int:
    """The bytes needed to solve layer by layer."""
    return HELD + int(positions * (key_bytes + 1 + WIDEST * children * (8 + key_bytes)))


def memory_at_once(positions: int, edges: float, key_bytes: int) -> int:
    """The bytes needed to solve all positions at once, each with so many edges.

    A position takes its key, two bytes while positions are found and up to eight in the hash table, later a grade and
    the place of its parents; an edge takes four bytes, and while parents are listed an eighth more.
    """
    return HELD + int(positions * (key_bytes + 12 + 4.5 * edges))
