"""The positions of a graph by the longest game that can follow, so that one pass settles each of them."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.players.models.game_graph import Graph

Places = NDArray[np.int64]
"""Numbers of positions or of edges."""


class Layer(NamedTuple):
    """Unfinished positions after which the longest game takes equally many plies, and their edges.

    `begins` is where each position's edges begin among these. All edges lead to layers before.
    """

    positions: Places
    edges: Places
    begins: Places


@lru_cache(maxsize=4)
def layers(graph: Graph) -> list[Layer]:
    """The layers, those first whose games end after one ply; positions from which a game may never end have none."""
    by_child = np.argsort(graph.children, kind="stable")
    arriving = np.bincount(graph.children, minlength=graph.counts.size)
    firsts = np.cumsum(arriving) - arriving
    waiting = graph.counts.copy()
    result: list[Layer] = []
    wave = np.flatnonzero(~graph.going)
    while True:
        edges = by_child[ranges(firsts[wave], arriving[wave])[0]]
        parents, arrivals = np.unique(graph.parents[edges], return_counts=True)
        waiting[parents] -= arrivals
        wave = parents[waiting[parents] == 0]
        if not wave.size:
            return result
        result.append(Layer(wave, *ranges(graph.firsts[wave], graph.counts[wave])))


def ranges(firsts: Places, counts: Places) -> tuple[Places, Places]:
    """Numbers from each of `firsts` on, as many as `counts` says, in a row; and where each of them begins."""
    begins = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) + np.repeat(firsts - begins, counts), begins
