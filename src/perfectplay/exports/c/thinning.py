"""Which positions need not be stored, because a search of k plies finds their values.

The search looks at all lines of k plies and knows only how games end. It finds a win or a loss in k plies or fewer,
and a draw or a margin if all lines are over by then. What it does not find out, is in the table: that it was not found
says so.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.players.models.game_graph import Graph
from perfectplay.solvers.table.grades import Grades, Points, Scale
from perfectplay.words import Entry

MOST_LOOKED_AT = 1_000_000
"""A search that looks at more positions for one move would take a small chip minutes."""


def grades_of(graph: Graph) -> tuple[Scale, NDArray[np.int64]]:
    """The grade of each position, and the scale that they are on."""
    if graph.margins is not None:
        points = Points(int(np.abs(graph.margins).max()))
        return points, graph.margins.astype(np.int64) + points.most + 1
    scale = Grades(1 + max(0, int(graph.distances.max())))  # one more, so that a ply earlier has a grade of its own
    pairs = np.stack([graph.values.astype(np.int64), graph.distances.astype(np.int64)])
    kinds, places = np.unique(pairs, axis=1, return_inverse=True)
    grades = [scale.grade(Entry(value, None if plies < 0 else plies)) for value, plies in kinds.T.tolist()]
    return scale, np.array(grades, np.int64)[places.ravel()]


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
        after = known | ((graph.gathered(np.minimum, known[graph.children], nothing) == 1) & graph.going)
        if graph.margins is None:
            after |= (graph.values != 0) & (graph.distances <= plies)
        if (after == known).all():
            return
        known, work = after, 1 + below


def frequencies(grades: NDArray[np.int64]) -> Counter[int]:
    """How often there is each grade."""
    values, counts = np.unique(grades, return_counts=True)
    return Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))
