"""Games between players of known strength, on the graph of a solved game: who wins them, and what they meet.

The positions are gone through in an order that has children first, so that one pass is enough where every game ends;
where play has cycles, passes are repeated until nothing changes any more. The loops are compiled.
"""

from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines.play_kernels import children_first, score_pairs, visit
from perfectplay.models.game_graph import Graph, Numbers
from perfectplay.models.level_policies import MOST_EDGES, ladder, probabilities_of
from perfectplay.models.levels import ALL, USUAL, Level
from perfectplay.models.policies import scores_within
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, TooBig

AT_ONCE = 1 << 17
"""Positions between two steps of progress, about a tenth of a second."""
SETTLED = 1e-13
"""In games with cycles, the greatest change of a pass after which scores are taken for their limits, and the sum of
visits that are left out."""
STEPS = 20
SKILLS = tuple(Level(Fraction(step, STEPS), ALL) for step in range(STEPS, -1, -1))
"""Players from random to perfect: each plays perfectly but for random moves, the next with 5% fewer of them."""
Order = NDArray[np.int64]


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


class LevelGames:
    """Games on one graph; they may take so many bytes of memory."""

    def __init__(self, graph: Graph, memory: int) -> None:
        self.graph, self.memory = graph, memory
        self.start = graph.number(graph.game.start)
        self.known: Visits | None = None

    @cached_property
    def ordered(self) -> tuple[Order, bool]:
        """All positions, children first, and whether every game ends."""
        order = np.empty(self.graph.counts.size, np.int64)
        listed = children_first(self.start, self.graph.firsts, self.graph.children, order)
        return order[: listed if listed >= 0 else ~listed], listed >= 0

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The levels 1 to 10 of the game."""
        large = self.graph.children.size > MOST_EDGES or not self.ordered[1]
        return USUAL if large else ladder(self.graph)  # a large graph must not be kept for the next time

    def played_by(self, levels: tuple[Level, ...]) -> tuple[Numbers, ...]:
        """The graph with these players, as the compiled loops take them."""
        graph, sights = self.graph, sorted({level.sight for level in levels})
        looks = np.zeros(graph.children.size, np.uint8)
        for bit, sight in enumerate(sights):
            looks |= graph.best(scores_within(graph, sight)).astype(np.uint8) << bit
        noises = np.array([float(level.noise) for level in levels])
        bits = np.array([sights.index(level.sight) for level in levels])
        room = np.empty((int(graph.counts.max(initial=0)), len(levels)))
        return graph.firsts, graph.children, graph.again, looks, noises, bits, room

    def check_memory(self, numbers: int) -> None:
        """Raises TooBig if so many numbers for each position are too many."""
        needed = 8 * numbers * self.graph.counts.size
        if needed > self.memory:
            raise TooBig(f"it takes {in_bytes(needed)} of memory, and {in_bytes(self.memory)} are allowed")

    def scores(self, levels: tuple[Level, ...]) -> Steps[NDArray[np.float64]]:
        """What each level scores against each other, as first and second in turn: a row a level, from 0 to 1.

        An endless game is a draw.
        """
        graph, (order, ends), players = self.graph, self.ordered, len(levels)
        self.check_memory(players**2)
        passed = np.zeros((graph.counts.size, players, players))
        passed[~graph.going] = -graph.values[~graph.going].astype(float)[:, None, None]
        known = (*self.played_by(levels), passed)
        change = 1.0
        while change > SETTLED:
            change = 0.0
            for at in range(0, order.size, AT_ONCE):
                change = max(change, score_pairs(order[at : at + AT_ONCE], *known))
                yield Step("scores", at, order.size)
            if ends:
                break
        first = -passed[self.start].T
        return np.asarray((1 + (first - first.T) / 2) / 2)

    def visited(self) -> Steps[Visits]:
        """The visits of each level against itself."""
        if self.known is not None:
            return self.known
        graph, (order, _), players = self.graph, self.ordered, len(self.levels)
        self.check_memory(6 * players)
        waiting, found = np.zeros((2, graph.counts.size, 3, players))
        waiting[self.start, FIRST] = 1
        endless = np.zeros(players)
        known = (*self.played_by(self.levels), self.alive(), waiting, found, endless)
        parents_first = order[::-1].copy()
        while waiting.sum() > SETTLED:
            for at in range(0, order.size, AT_ONCE):
                visit(parents_first[at : at + AT_ONCE], *known)
                yield Step("visits", at, order.size)
        self.known = Visits(found[:, :2], found[:, 2], endless)
        return self.known

    def alive(self) -> NDArray[np.bool_]:
        """For each position and level whether its games can still end."""
        graph, count = self.graph, self.graph.counts.size
        if self.ordered[1]:
            return np.ones((count, len(self.levels)), bool)
        return np.stack([can_end(graph, probabilities_of(graph, level, False)) for level in self.levels], axis=-1)


def can_end(graph: Graph, probabilities: Numbers) -> NDArray[np.bool_]:
    """The positions from which a game with these move probabilities can end."""
    played, found = probabilities > 0, ~graph.going
    while True:
        more = graph.gathered(np.logical_or, played & found[graph.children], ~graph.going)
        if more.sum() == found.sum():
            return found
        found = more
