"""The positions to write down: one of each class of images, or all; where they stand in the graph of the game."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.explain.graph import Graph
from perfectplay.game import Game, canonical
from perfectplay.words import Position


class Classes(NamedTuple):
    """The classes of images of a game's positions."""

    smallest: list[Position]
    """The canonical position of each, which itself need not be reachable."""
    numbers: NDArray[np.int64]
    """The number in the graph of the position of each that is reached first; of several, the canonical one."""
    levels: NDArray[np.int32]
    """The fewest plies in which a position of each is reached."""


def classes_of(game: Game, graph: Graph) -> Classes:
    """The classes, those first that are reached first."""
    smallest, levels = canonical(game), levels_of(graph)
    found: dict[Position, int] = {}
    for number in np.argsort(levels, kind="stable").tolist():
        position = graph.position(number)
        least = smallest(*position)
        if least not in found or (position == least and levels[number] == levels[found[least]]):
            found[least] = number
    numbers = np.fromiter(found.values(), np.int64, len(found))
    return Classes(list(found), numbers, levels[numbers])


def levels_of(graph: Graph) -> NDArray[np.int32]:
    """For each position of the graph the fewest plies in which it can be reached from the start."""
    levels = np.full(graph.counts.size, -1, np.int32)
    newest = np.array([graph.number(graph.game.start)])
    level = 0
    while newest.size:
        levels[newest] = level
        level += 1
        counts = graph.counts[newest]
        skipped = np.repeat(graph.firsts[newest] - np.cumsum(counts) + counts, counts)
        after = np.unique(graph.children[skipped + np.arange(counts.sum())])
        newest = after[levels[after] < 0]
    return levels
