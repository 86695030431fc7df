"""Which positions need not be stored, because a search of so many plies finds out what they are worth.

The search looks at all lines of k plies and knows only how games end. It finds a win or a loss in k plies or fewer,
and a draw if all lines are over by then. What it does not find out, is in the table: that it was not found says so.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.explain.graph import Graph
from perfectplay.game import Game, canonical
from perfectplay.table.grades import Grades
from perfectplay.words import Entry, Position

MOST_LOOKED_AT = 1_000_000
"""A search that looks at more positions for one move would take a small chip minutes."""


class Classes(NamedTuple):
    """One position of each class of images, with its number in the graph and its grade."""

    positions: list[Position]
    numbers: NDArray[np.int64]
    grades: NDArray[np.int64]
    scale: Grades


def classes_of(game: Game, graph: Graph) -> Classes:
    """The classes of a game's positions."""
    smallest = canonical(game)
    found: dict[Position, int] = {}
    for number in range(graph.counts.size):
        found.setdefault(smallest(*graph.position(number)), number)
    scale = Grades(1 + max(0, int(graph.distances.max())))  # one more, so that a ply earlier has a grade of its own
    pairs = zip(graph.values.tolist(), graph.distances.tolist(), strict=True)
    entries: dict[tuple[int, int], int] = {}
    grades = [
        entries[pair]
        if pair in entries
        else entries.setdefault(pair, scale.grade(Entry(pair[0], None if pair[1] < 0 else pair[1])))
        for pair in pairs
    ]
    numbers = np.fromiter(found.values(), np.int64, len(found))
    return Classes(list(found), numbers, np.array(grades, np.int64)[numbers], scale)


class Thinned(NamedTuple):
    """What is left to store if a search looks `plies` ahead."""

    plies: int
    missing: NDArray[np.bool_]
    """The positions of the graph that the search does not find out."""
    looked_at: int
    """The most positions that are looked at for one move."""


def thinnings(graph: Graph) -> Iterator[Thinned]:
    """What is left for a search of 0, 1, 2, ... plies, as long as that is less each time and does not take too long."""
    known = ~graph.going
    nothing = np.zeros(graph.counts.size)
    work = np.ones(graph.counts.size, np.int64)
    plies = 0
    while True:
        below = graph.gathered(np.add, work[graph.children], nothing.astype(np.int64))
        looked_at = int(below.max())
        if plies and looked_at > MOST_LOOKED_AT:
            return
        yield Thinned(plies, ~known, looked_at)
        plies += 1
        decided = (graph.values != 0) & (graph.distances <= plies)
        all_known = graph.gathered(np.minimum, known[graph.children], nothing) == 1
        after = known | decided | (all_known & graph.going)
        if (after == known).all():
            return
        known, work = after, 1 + below


def frequencies(classes: Classes, thinned: Thinned) -> Counter[int]:
    """How often each grade has to be stored."""
    values, counts = np.unique(classes.grades[thinned.missing[classes.numbers]], return_counts=True)
    return Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))
