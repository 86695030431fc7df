"""Times how long a player takes for its moves, and counts the nodes that it tells."""

from time import perf_counter
from typing import NamedTuple

from perfectplay.words import Move, Player, Position


class Times(NamedTuple):
    """The time that a player took for its moves, and the nodes that it searched, if it told."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    nodes: int | None = None

    @property
    def mean(self) -> float:
        """The mean seconds per move."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def mean_nodes(self) -> float | None:
        """The mean nodes per move; None if they are not known."""
        return None if self.nodes is None or not self.moves else self.nodes / self.moves

    def plus(self, other: "Times") -> "Times":
        """Both together."""
        counts = [nodes for nodes in (self.nodes, other.nodes) if nodes is not None]
        longest = max(self.longest, other.longest)
        return Times(self.moves + other.moves, self.seconds + other.seconds, longest, sum(counts) if counts else None)


class StopWatch:
    """The times of one player's moves since they were last read."""

    def __init__(self) -> None:
        self.times = Times()

    def timed(self, player: Player) -> Player:
        """The same player, timed."""

        def choose(position: Position) -> Move:
            begin = perf_counter()
            move = player(position)
            took = perf_counter() - begin
            self.times = self.times.plus(Times(1, took, took))
            return move

        return choose

    def searched(self, nodes: int) -> None:
        """Adds the nodes of a search."""
        self.times = self.times.plus(Times(nodes=nodes))

    def read(self) -> Times:
        """The times since the last reading."""
        times, self.times = self.times, Times()
        return times
