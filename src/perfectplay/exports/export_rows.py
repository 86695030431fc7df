"""A solution row by row, as the formats for other programs have it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, canonical, images
from perfectplay.players.models.game_graph import Graph
from perfectplay.words import Entry, Position

AT_ONCE = 10_000
"""Rows that are made together."""


class Report(NamedTuple):
    """What is said of a file that was written: lines for a person, and the same as facts for a script."""

    lines: list[str]
    facts: dict[str, object]


class Row(NamedTuple):
    """A position and what is known of it."""

    position: Position
    level: int
    """The fewest plies in which it can be reached."""
    side: int
    """A side that can be to move there: in some games either can, then this is one."""
    entry: Entry
    best: int
    """The best moves: bit m for move m."""


def rows_of(game: Game, graph: Graph, everything: bool) -> tuple[int, Iterator[Row]]:
    """The number of rows, and the rows: all positions in the graph, or one of each class, those reached first first."""
    levels, best = levels_of(graph), graph.best(graph.scores)
    sides = sides_of(graph, levels)
    ordered = np.argsort(levels, kind="stable") if everything else classes_of(game, graph, levels)

    flags = best.astype(np.uint8).tobytes()

    def rows() -> Iterator[Row]:
        for begin in range(0, ordered.size, AT_ONCE):
            numbers = ordered[begin : begin + AT_ONCE]
            positions = [graph.position(number) for number in numbers.tolist()]
            edges = zip(graph.firsts[numbers].tolist(), graph.firsts[numbers + 1].tolist(), strict=True)
            moves = [
                moves_with_flag(game.moves(*position), flags[first:end]) if first < end else 0
                for position, (first, end) in zip(positions, edges, strict=True)
            ]
            sides_here, levels_here = sides[numbers].tolist(), levels[numbers].tolist()
            yield from map(Row, positions, levels_here, sides_here, graph.entries(numbers), moves)

    return ordered.size, rows()


@lru_cache(maxsize=1 << 16)
def moves_with_flag(legal: int, flags: bytes) -> int:
    """Those of the legal moves, as bits, that have a flag."""
    return sum(1 << move for move, flag in zip(bit_numbers(legal), flags, strict=True) if flag)


# The positions to export: one of each symmetry class; the fewest plies in which they are reached, and by whom.


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
