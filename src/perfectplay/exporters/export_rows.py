"""A solution row by row, as the formats for other programs have it."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from perfectplay.bits import bit_numbers
from perfectplay.exporters.canonical_positions import classes_of, levels_of, sides_of
from perfectplay.game import Game
from perfectplay.models.game_graph import Graph
from perfectplay.words import Entry, Move, Position


class Row(NamedTuple):
    """A position and what is known of it."""

    position: Position
    level: int
    """The fewest plies in which it can be reached."""
    side: int
    """A side that can be to move there: in some games either can, then this is one."""
    entry: Entry
    best: list[Move]


class Rows(NamedTuple):
    """Rows that are still to be made, and how many there are."""

    number: int
    rows: Iterator[Row]


def rows_of(game: Game, graph: Graph, everything: bool) -> Rows:
    """All positions in the graph, or one of each class; those first that are reached first."""
    levels, best = levels_of(graph), graph.best(graph.scores)
    sides = sides_of(graph, levels)
    ordered = np.argsort(levels, kind="stable") if everything else classes_of(game, graph, levels)

    def rows() -> Iterator[Row]:
        for number in ordered.tolist():
            position = graph.position(number)
            legal = bit_numbers(game.moves(*position)) if graph.counts[number] else []
            chosen = best[graph.edges(number)].tolist()
            yield Row(
                position,
                int(levels[number]),
                int(sides[number]),
                graph.entry(number),
                [move for move, is_best in zip(legal, chosen, strict=True) if is_best],
            )

    return Rows(ordered.size, rows())
