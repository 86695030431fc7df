"""The positions to export: one of each symmetry class; the fewest plies in which they are reached, and by whom."""

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import Game, canonical, images
from perfectplay.players.models.game_graph import Graph
from perfectplay.words import Position


def classes_of(game: Game, graph: Graph, levels: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number in the graph of one position of each class, those first that are reached first.

    It is the position of its class that is reached first; of several, the canonical one.
    """
    order = np.argsort(levels, kind="stable")
    if graph.of_classes or images(game).count == 1:
        return order
    smallest = canonical(game)
    numbers: dict[Position, int] = {}
    for number in order.tolist():
        position = graph.position(number)
        least = smallest(*position)
        if least not in numbers or (position == least and levels[number] == levels[numbers[least]]):
            numbers[least] = number
    return np.fromiter(numbers.values(), np.int64, len(numbers))


def levels_of(graph: Graph) -> NDArray[np.int32]:
    """For each position of the graph the fewest plies in which it can be reached from the start."""
    levels = np.full(graph.counts.size, -1, np.int32)
    last = np.empty(graph.counts.size, np.int32)
    newest = np.array([graph.number(graph.game.start)])
    level = 0
    while newest.size:
        levels[newest] = level
        level += 1
        counts = graph.counts[newest]
        skipped = np.repeat(graph.firsts[newest] - np.cumsum(counts) + counts, counts)
        after = graph.children[skipped + np.arange(counts.sum())]
        after = after[levels[after] < 0]
        last[after] = np.arange(after.size)
        newest = after[last[after] == np.arange(after.size)]  # each once; to sort them takes longer
    return levels


def sides_of(graph: Graph, levels: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each position a side that can be to move there after the fewest plies; the first if either can."""
    if not graph.extra_turns:
        return levels % 2
    before = levels[graph.parents]
    ahead = np.flatnonzero(levels[graph.children] == before + 1)
    ahead = ahead[np.argsort(before[ahead], kind="stable")]
    sides = np.where(levels == 0, 0, 1).astype(np.int32)
    for edges in np.split(ahead, np.searchsorted(before[ahead], np.arange(1, int(levels.max()) + 1))):
        np.minimum.at(sides, graph.children[edges], sides[graph.parents[edges]] ^ ~graph.again[edges])
    return sides
