"""The rules of a strategy, not of the game: each prefers some moves of a position; and the moves that they score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.insight.strategies.kept_result import Goal, Mask, edges_of

Scores = NDArray[Any]
"""For each move of our side a number; a rule keeps the moves with the greatest."""


class Rule(NamedTuple):
    """A rule of a strategy: its name, its sentence, its effort for a person, and a score for each of the own moves."""

    name: str
    text: str
    effort: int
    """How much a person has to look at: rules of less effort are preferred where lists are equally long."""
    scores: Scores


@dataclass(frozen=True, eq=False)
class OwnMoves:
    """The moves of our side in all positions that can come up while it keeps the result."""

    goal: Goal
    edges: NDArray[np.int64]
    """The numbers of the edges in the graph, grouped by position."""
    firsts: NDArray[np.int64]
    """Where the moves of each position begin among the edges."""

    @property
    def parents(self) -> NDArray[np.int64]:
        """The position of each move."""
        return self.goal.graph.parents[self.edges]

    @property
    def children(self) -> NDArray[np.int32]:
        """The position after each move."""
        return self.goal.graph.children[self.edges]

    @property
    def again(self) -> Mask:
        """Whether our side moves again."""
        return self.goal.graph.again[self.edges]

    @property
    def moves(self) -> NDArray[np.int64]:
        """The number of each move in the game."""
        return self.goal.graph.moves[self.edges]

    @property
    def good(self) -> Mask:
        """Whether each move keeps the result."""
        return self.goal.good[self.edges]

    def after(self, again: Scores, other: Scores) -> Scores:
        """For each move the score of its child: from the first array if our side moves again, else from the second."""
        return np.where(self.again, again[self.children], other[self.children])

    def best(self, scores: Scores, among: Mask) -> Mask:
        """The moves of `among` with the greatest score in their position."""
        least = scores.min(initial=0) - 1
        rated = np.where(among, scores, least)
        most = np.repeat(np.maximum.reduceat(rated, self.firsts), self.counts) if rated.size else rated
        best: Mask = among & (rated == most)
        return best

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of moves of each position."""
        return np.diff(np.append(self.firsts, self.edges.size))

    def ranks(self, scores: Scores) -> NDArray[np.int16]:
        """The scores as 0, 1, 2, ... within each position, the greatest first."""
        # Dense ranks: count the changes of score, and begin again at each position.
        place = np.repeat(np.arange(self.firsts.size), self.counts)
        order = np.lexsort((-scores, place))
        ordered, places = scores[order], place[order]
        starts = np.empty(order.size, bool)
        starts[:1] = True
        starts[1:] = places[1:] != places[:-1]
        steps = np.append(False, ordered[1:] != ordered[:-1]) & ~starts
        total = np.cumsum(steps)
        begins = np.flatnonzero(starts)
        within: NDArray[Any] = total - np.repeat(total[begins], np.diff(np.append(begins, order.size)))
        ranks = np.empty(order.size, np.int16)
        ranks[order] = within
        return ranks

    def choice(self, rules: Sequence[Rule]) -> Mask:
        """The mask, over all edges of the graph, of the moves that the rules leave, applied in order."""
        remaining = np.ones(self.edges.size, bool)
        for rule in rules:
            remaining = self.best(rule.scores, remaining)
        edges = np.zeros(self.goal.graph.children.size, bool)
        edges[self.edges[remaining]] = True
        return edges


def own_moves(goal: Goal) -> OwnMoves:
    """All moves in the positions that can come up while our side keeps the result."""
    graph = goal.graph
    ours = np.flatnonzero(goal.reach(goal.good).ours & graph.going)
    counts = graph.counts[ours]
    return OwnMoves(goal, edges_of(graph, ours), np.cumsum(counts) - counts)
