"""Measures the cost of a search: nodes, cache size and seconds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.game import Game
from perfectplay.words import Entry, Move, Position, TooBig

CLOCK = 1024
"""Nodes between two readings of the clock, which cost more than a node."""


@dataclass
class Meter:
    """Counts the nodes of one search, stops it at its limits, and exposes its cache and the move that it chooses."""

    most: int
    seconds: float = inf
    nodes: int = 0
    cache: Mapping[Position, Any] = field(default_factory=dict)
    move: Move | None = None
    """The move that the search would play. Each call sets it on its way back, the root's call last."""
    scores: Mapping[Move, int] = field(default_factory=dict)
    """The score of each move at the root, if the search finds them all."""
    begin: float = field(default_factory=perf_counter)

    def visit(self) -> None:
        """Counts one node; raises TooBig at the limit of nodes or seconds."""
        if self.nodes == self.most:
            raise TooBig(f"stopped after {self.most:,} nodes")
        if self.nodes % CLOCK == 0 and self.passed() > self.seconds:
            raise TooBig(f"stopped after {self.seconds:g} seconds")
        self.nodes += 1

    def restart(self) -> None:
        """Sets the clock to zero: what was prepared until now is no part of the search."""
        self.begin = perf_counter()

    def passed(self) -> float:
        """The seconds since the search began."""
        return perf_counter() - self.begin


Search = Callable[[Game, Position, Meter], Entry]
"""Finds the value of a position, and the distance or None; the game must end."""


class Measured(NamedTuple):
    """The result and the cost of a search; a stopped search has no entry, but a reason."""

    entry: Entry | None
    stopped: str | None
    seconds: float
    meter: Meter


def measure(search: Search, game: Game, position: Position, meter: Meter) -> Measured:
    """Runs the search until it ends or the meter stops it."""
    entry, stopped = None, None
    try:
        entry = search(game, position, meter)
    except TooBig as reason:
        stopped = reason
    except RecursionError:  # a game of several hundred plies, or one with undetected cycles
        stopped = TooBig("too deep for recursion")
    seconds = meter.passed()  # before the reason is made into words, which may take a forecast
    return Measured(entry, None if stopped is None else str(stopped), seconds, meter)
