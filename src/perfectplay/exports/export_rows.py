"""A solution row by row, as the formats for other programs have it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from perfectplay.bits import bit_numbers
from perfectplay.exports.canonical_positions import classes_of, levels_of, sides_of
from perfectplay.game import Game
from perfectplay.players.models.game_graph import Graph
from perfectplay.words import Entry, Position

AT_ONCE = 10_000
"""Rows that are made together."""


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


class Rows(NamedTuple):
    """Rows that are still to be made, and how many there are."""

    number: int
    rows: Iterator[Row]


def rows_of(game: Game, graph: Graph, everything: bool) -> Rows:
    """All positions in the graph, or one of each class; those first that are reached first."""
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

    return Rows(ordered.size, rows())


@lru_cache(maxsize=1 << 16)
def moves_with_flag(legal: int, flags: bytes) -> int:
    """Those of the legal moves, as bits, that have a flag."""
    return sum(1 << move for move, flag in zip(bit_numbers(legal), flags, strict=True) if flag)
