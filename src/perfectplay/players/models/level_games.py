"""Games between players of known strength, on the graph of a solved game: who wins them, and what they meet.

The positions are numbered anew, children first, so that one pass over them is enough where every game ends. Where play
has cycles, passes are repeated until nothing changes any more.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.kernels.play_kernels import children_first, meet, visit, weigh
from perfectplay.players.models.game_graph import Graph, Numbers, ranges
from perfectplay.players.models.level_policies import MOST_EDGES, ladder, probabilities_of
from perfectplay.players.models.levels import ALL, BEGINNER, USUAL, Level
from perfectplay.players.models.odds import can_end, links_between
from perfectplay.players.models.policies import scores_within
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, Position, TooBig

AT_ONCE = 1 << 17
"""Positions between two steps of progress, about a tenth of a second."""
SETTLED = 1e-12
"""Where play has cycles: the error of a score, and the probability of games that are left undecided."""
STEPS = 20
SKILLS = tuple(Level(Fraction(step, STEPS), ALL) for step in range(STEPS, -1, -1))
"""Players from random to perfect: each plays perfectly but for random moves, the next with 5% fewer of them."""


Scores = NDArray[np.float64]
"""A number for each two players."""
Enough = Callable[[Scores, Scores], bool]
"""Whether scores with such errors are exact enough."""


class Visits(NamedTuple):
    """How often play visits each position that can still end, by expectation, between players of equal level.

    `sides` has an entry for each position, side to move and level. `later` has one for each position and level: each
    visit is counted as often as plies were made before it. `endless` is, for each level, the probability that a game
    never ends.
    """

    sides: NDArray[np.float64]
    later: NDArray[np.float64]
    endless: NDArray[np.float64]

    @property
    def both(self) -> NDArray[np.float64]:
        """The visits by position and level."""
        return np.asarray(self.sides.sum(axis=1))


class PositionRange(NamedTuple):
    """Some positions, from `begin` to `end`, and the probability of each of their edges for each player."""

    begin: int
    end: int
    weights: Numbers


class LevelGames:
    """Games on one graph, `graph`, whose positions are numbered children first; `ends`: every game ends.

    They may take so many bytes of memory.
    """

    def __init__(self, graph: Graph, memory: int) -> None:
        self.graph, self.ends = renumber(graph)
        self.memory, self.start = memory, self.graph.number(graph.game.start)
        self.cached_visits: Visits | None = None

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The levels 1 to 10 of the game."""
        large = self.graph.children.size > MOST_EDGES or not self.ends
        return USUAL if large else ladder(self.graph)  # a large graph must not be kept for the next time

    def check_memory(self, numbers: int, each: int) -> None:
        """Raises TooBig if so many numbers for each position, and for each edge, are too many."""
        needed = 8 * (numbers * self.graph.counts.size + each * self.graph.children.size)
        if needed > self.memory:
            raise TooBig(f"it takes {in_bytes(needed)} of memory, and {in_bytes(self.memory)} are allowed")

    def parts(self, levels: tuple[Level, ...], descending: bool = False) -> Iterable[PositionRange]:
        """All positions in parts; to be gone through once, or where play has cycles any number of times."""
        graph, sights = self.graph, sorted({level.sight for level in levels})
        looks = np.zeros(graph.children.size, np.uint8)
        for bit, sight in enumerate(sights):
            looks |= graph.best(scores_within(graph, sight)).astype(np.uint8) << bit
        noises = np.array([float(level.noise) for level in levels])
        bits = np.array([sights.index(level.sight) for level in levels])

        def part(begin: int) -> PositionRange:
            end = min(begin + AT_ONCE, graph.counts.size)
            weights = np.empty((int(graph.firsts[end] - graph.firsts[begin]), len(levels)))
            weigh(begin, end, graph.firsts, looks, noises, bits, weights)
            return PositionRange(begin, end, weights)

        begins = range(0, graph.counts.size, AT_ONCE)
        parts = map(part, reversed(begins) if descending else begins)
        return parts if self.ends else [*parts]

    def scores(self, levels: tuple[Level, ...], enough: Enough | None = None) -> Steps[Scores]:
        """What each level scores against each other, as first and second in turn: a row a level, from 0 to 1.

        An endless game is a draw. Where play has cycles, the work ends as soon as scores with such errors are enough.
        """
        graph, players = self.graph, len(levels)
        self.check_memory(players**2 * (1 if self.ends else 2), 0 if self.ends else players)
        passed = np.zeros((graph.counts.size, players, players))
        passed[~graph.going] = -graph.values[~graph.going].astype(float)[:, None, None]
        parts, edges = self.parts(levels), (graph.firsts, graph.children, graph.again)
        undecided = None if self.ends else self.undecided(levels)
        while True:
            for begin, end, weights in parts:
                meet(begin, end, *edges, weights, -1.0, passed)
                if undecided is not None:
                    meet(begin, end, *edges, weights, 1.0, undecided)
                yield Step("scores", end, graph.counts.size)
            first = -passed[self.start].T
            scores: Scores = (1 + (first - first.T) / 2) / 2
            errors = (
                np.zeros_like(scores) if undecided is None else (undecided[self.start] + undecided[self.start].T) / 4
            )
            if (errors <= SETTLED).all() or (enough is not None and enough(scores, errors)):
                return scores

    def undecided(self, levels: tuple[Level, ...]) -> Scores:
        """1 for each position, player that has just moved and player to move from which a game can end, else 0."""
        graph, kinds = self.graph, [level if level.noise == 0 else BEGINNER for level in levels]  # with the same moves
        probabilities = {kind: probabilities_of(graph, kind, False) for kind in {*kinds}}
        alive = {
            (a, b): can_end_for(graph, probabilities[b], probabilities[a]) for a, b in product(probabilities, repeat=2)
        }
        flags = np.zeros((graph.counts.size, len(levels), len(levels)))
        for (i, a), (j, b) in product(enumerate(kinds), repeat=2):
            if i != j:
                flags[:, i, j] = alive[a, b] & graph.going
        return flags

    def visited(self) -> Steps[Visits]:
        """The visits of each level against itself."""
        if self.cached_visits is None:
            groups = [self.levels] if self.ends else [(level,) for level in self.levels]  # each until it has settled
            visits = []
            for group in groups:
                visits.append((yield from self.visits_of(group)))
            self.cached_visits = Visits(*(np.concatenate(one, axis=-1) for one in zip(*visits, strict=True)))
        return self.cached_visits

    def visits_of(self, levels: tuple[Level, ...]) -> Steps[Visits]:
        """The visits of these levels."""
        graph, players = self.graph, len(levels)
        self.check_memory(7 * players, 0 if self.ends else players)
        waiting, visits = np.zeros((2, graph.counts.size, 3, players))
        waiting[self.start, FIRST] = 1
        endless, alive = np.zeros(players), self.alive(levels)
        parts, edges = self.parts(levels, descending=True), (graph.firsts, graph.children, graph.again)
        rest, passes = 1.0, 0
        while rest > SETTLED:
            for begin, end, weights in parts:
                visit(begin, end, *edges, weights, alive, waiting, visits, endless)
                yield Step("visits", graph.counts.size - begin, graph.counts.size)
            passes += 1
            rest = 0.0 if self.ends else max(waiting[:, :2].sum(), waiting[:, 2].sum() / passes)
        return Visits(visits[:, :2], visits[:, 2], endless)

    def alive(self, levels: tuple[Level, ...]) -> NDArray[np.bool_]:
        """For each position and level whether its games can still end."""
        graph, count = self.graph, self.graph.counts.size
        if self.ends:
            return np.ones((count, len(levels)), bool)
        players = [probabilities_of(graph, level, False) for level in levels]
        return np.stack([can_end_for(graph, one, one) for one in players], axis=-1)


def renumber(graph: Graph) -> tuple[Graph, bool]:
    """The same graph with its positions numbered children first, and whether every game ends."""
    order = np.empty(graph.counts.size, np.int64)
    count = children_first(graph.number(graph.game.start), graph.firsts, graph.children, order)
    assert max(count, ~count) == order.size, "every position is reached from the start"
    places = np.empty(order.size, np.int32)
    places[order] = np.arange(order.size, dtype=np.int32)
    edges, _ = ranges(graph.firsts[order], graph.counts[order])

    def number(position: Position) -> int:
        return int(places[graph.number(position)])

    def position(place: int) -> Position:
        return graph.position(int(order[place]))

    anew = replace(
        graph,
        number=number,
        position=position,
        counts=graph.counts[order],
        children=places[graph.children[edges]],
        again=graph.again[edges],
        values=graph.values[order],
        distances=graph.distances[order],
        margins=None if graph.margins is None else graph.margins[order],
    )
    return anew, count >= 0


def can_end_for(graph: Graph, mover: Numbers, other: Numbers) -> NDArray[np.bool_]:
    """The positions from which a game can end, given the move probabilities of the side to move and of the other."""
    return can_end(links_between(graph, mover, other), np.tile(~graph.going, 2))[: graph.counts.size]
