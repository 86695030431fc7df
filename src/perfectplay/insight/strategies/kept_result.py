"""The goal of one side: the result of the start, and the moves that keep it, in the graph of all positions."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import COMPILED_BITS, Game
from perfectplay.players.models.game_graph import Graph, compiled_graph, plain_graph
from perfectplay.solvers.memory.interpreted import LOOKED_AT, SMALL, Reached
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import DRAW, FIRST, WIN, Entry, TooBig

MOST_POSITIONS = 1_000_000
"""The most positions of a game whose strategy is looked for."""
FAR_TOO_MANY = 100
"""An early forecast can be too high, but not so many times."""

Mask = NDArray[np.bool_]
"""One truth value for each position, or for each edge."""


@dataclass(frozen=True, eq=False)
class Goal:
    """The result that a side has to keep, in the graph of all positions of a game."""

    game: Game
    graph: Graph
    side: int

    @cached_property
    def start(self) -> int:
        """The number of the start."""
        return self.graph.number(self.game.start)

    @cached_property
    def entry(self) -> Entry:
        """The value of the start to our side, with its distance or margin."""
        entry = self.graph.entry(self.start)
        if self.side == FIRST:
            return entry
        return type(entry)(-entry.margin) if entry.margin is not None else Entry(-entry.value, entry.distance)  # type: ignore[call-arg]

    @property
    def value(self) -> int:
        """The result to keep, for our side."""
        return self.entry.value

    @cached_property
    def good(self) -> Mask:
        """The edges after which the mover has at least the result that our side keeps."""
        edges: Mask = self.graph.results >= self.value
        return edges

    @cached_property
    def must_end(self) -> bool:
        """Whether play could go on for ever, and must not: a win has to be reached."""
        return self.value == WIN and not self.graph.ends

    def reach(self, choice: Mask) -> "Reach":
        """All that can come up if our side plays any of the allowed moves that keep the result, and the other any."""
        graph = self.graph
        size = graph.counts.size
        seen = {True: np.zeros(size, bool), False: np.zeros(size, bool)}
        fresh = {True: np.empty(0, np.int64), False: np.empty(0, np.int64)}
        own_start = self.side == FIRST
        seen[own_start][self.start] = True
        fresh[own_start] = np.array([self.start])
        while fresh[True].size or fresh[False].size:
            arrivals: dict[bool, list[Any]] = {True: [], False: []}
            for own in (True, False):
                edges = edges_of(graph, fresh[own])
                if own:
                    edges = edges[choice[edges] & self.good[edges]]
                children, again = graph.children[edges], graph.again[edges]
                arrivals[own].append(children[again])
                arrivals[not own].append(children[~again])
            for own in (True, False):
                numbers = np.concatenate(arrivals[own])
                marks = np.zeros(size, bool)
                marks[numbers] = True
                fresh[own] = np.flatnonzero(marks & ~seen[own])
                seen[own][fresh[own]] = True
        return Reach(self, choice, seen[True], seen[False])


def edges_of(graph: Graph, positions: NDArray[Any]) -> NDArray[np.int64]:
    """The edges of these positions, one position after another."""
    counts = graph.counts[positions]
    begins = np.cumsum(counts) - counts
    edges: NDArray[np.int64] = np.arange(int(counts.sum())) + np.repeat(graph.firsts[:-1][positions] - begins, counts)
    return edges


@dataclass(frozen=True, eq=False)
class Reach:
    """The positions that come up under some moves of our side: those with our side to move, and the others."""

    goal: Goal
    choice: Mask
    ours: Mask
    theirs: Mask

    @cached_property
    def own_edges(self) -> Mask:
        """The allowed moves of our side in positions that come up."""
        edges: Mask = self.ours[self.goal.graph.parents] & self.choice
        return edges

    @cached_property
    def given_away(self) -> Mask:
        """Those of them that give the result away."""
        return self.own_edges & ~self.goal.good

    @property
    def positions(self) -> int:
        """The number of unfinished positions that come up with our side to move."""
        return int((self.ours & self.goal.graph.going).sum())

    @property
    def replies(self) -> int:
        """The number of moves of the other side that come up."""
        return int(self.goal.graph.counts[self.theirs].sum())

    @property
    def erring(self) -> Mask:
        """The positions with our side to move in which an allowed move gives the result away."""
        positions = np.zeros(self.ours.size, bool)
        positions[self.goal.graph.parents[self.given_away]] = True
        return positions

    @cached_property
    def endless(self) -> tuple[Mask, Mask]:
        """The positions, ours and theirs, from which play under these moves can go on for ever."""
        graph, edges = self.goal.graph, {True: self.own_edges, False: self.theirs[self.goal.graph.parents]}
        alive = {True: self.ours & graph.going, False: self.theirs & graph.going}
        while True:
            count = int(alive[True].sum() + alive[False].sum())
            following = {
                own: edges[own] & np.where(graph.again, alive[own][graph.children], alive[not own][graph.children])
                for own in (True, False)
            }
            for own in (True, False):
                more = np.zeros(alive[own].size, bool)
                more[graph.parents[following[own]]] = True
                alive[own] &= more
            if int(alive[True].sum() + alive[False].sum()) == count:
                return alive[True], alive[False]

    @property
    def proven(self) -> bool:
        """Whether the result is kept, and a win is reached."""
        return not self.given_away.any() and not (
            self.goal.must_end and (self.endless[0].any() or self.endless[1].any())
        )


def graphing(game: Game) -> Steps[Graph]:
    """The graph of all positions of a game, symmetric ones too; raises TooBig."""
    large = (
        f"{game.name} has more than {MOST_POSITIONS:,} positions, and strategies are looked for in games of at most "
        f"that many; try a smaller size of it"
    )
    forward, look = Reached(game, SMALL), LOOKED_AT
    while forward.next_ply():
        yield Step("positions", len(forward.positions))
        if look < len(forward.positions) <= SMALL:
            look = 2 * len(forward.positions)
            if forward.expected() > FAR_TOO_MANY * MOST_POSITIONS:
                raise TooBig(large)
    if len(forward.positions) <= SMALL:
        return plain_graph(game, forward)
    if game.bits > COMPILED_BITS:
        raise TooBig(large)
    graph = compiled_graph(game, symmetric=False)
    while True:
        try:
            step = next(graph)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        if step.done > MOST_POSITIONS:
            graph.close()
            raise TooBig(large)
        yield step


def side_with_something(entry: Entry) -> int:
    """The side that has something to keep: the winner, and of a draw the first."""
    return FIRST if entry.value >= DRAW else 1 - FIRST
