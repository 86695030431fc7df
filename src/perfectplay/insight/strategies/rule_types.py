"""The rules of a strategy, not of the game: each prefers some moves of a position; and the moves that they score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.insight.strategies.kept_result import Goal, Mask, edges_of
from perfectplay.players.models.game_graph import Graph
from perfectplay.words import LOSS, WIN

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


# Rules that look a few plies ahead: wins, threats, double threats, and how many moves are left.


MANY = 1 << 20
"""More moves than any position has."""


def forced_results(graph: Graph, plies: int) -> list[tuple[Mask, Mask]]:
    """For 0, 1, ... plies the positions in which the mover can win by force within so many, and must lose in them."""
    won, lost = (~graph.going & (graph.values == value) for value in (WIN, LOSS))
    within = [(won, lost)]
    for _ in range(plies):
        wins = graph.over_edges(np.maximum, graph.after(*within[-1]), won)
        loses = graph.over_edges(np.minimum, graph.after(*within[-1][::-1]), lost)
        within.append((wins, loses))
    return within


def look_ahead_rules(moves: OwnMoves) -> Iterator[Rule]:
    """The rules that every game has."""
    graph = moves.goal.graph
    within = forced_results(graph, 3)
    ended = ~graph.going[moves.children]
    lost_at_once = ended & (graph.results[moves.edges] == LOSS)
    nowhere = np.zeros(graph.counts.size, bool)

    def safe_from(plies: int) -> Mask:
        safe: Mask = ~moves.after(nowhere, within[plies][0]) & ~lost_at_once
        return safe

    yield Rule("win", "Win at once if you can.", 1, graph.ended_as(WIN)[moves.edges])
    yield Rule("stop", "Leave the other side no move that wins at once.", 1, safe_from(1))
    fork = "Win at once, or make a double threat: whatever the reply is, you then win at once."
    yield Rule("fork", fork, 2, moves.after(*within[2]))
    yield Rule("no-fork", "Leave the other side no win at once and no double threat.", 3, safe_from(3))
    yield from danger_rules(moves, within)
    yield from mobility_rules(moves, lost_at_once)


def danger_rules(moves: OwnMoves, within: list[tuple[Mask, Mask]]) -> Iterator[Rule]:
    """Rules about careless replies: those after which a side can win at once."""
    graph = moves.goal.graph
    nowhere, zeros = np.zeros(graph.counts.size, bool), np.zeros(graph.counts.size, np.int64)
    careless = graph.after(nowhere, within[1][0]) | graph.ended_as(LOSS)
    counts = graph.over_edges(np.add, careless.astype(np.int64), zeros)
    ended = ~graph.going[moves.children]
    text = "Make a dangerous move: one that wins next turn if the reply is careless."
    yield Rule("danger", text, 2, moves.after(within[1][0], counts > 0) & ~ended)
    dangerous = (graph.after(within[1][0], counts > 0) & graph.going[graph.children]) | graph.ended_as(WIN)
    dangers = moves.after(zeros, graph.over_edges(np.add, dangerous.astype(np.int64), zeros))
    meaning = "A dangerous move wins at once, or wins next turn if you are careless."
    yield Rule("no-danger", f"Leave the other side no dangerous move. {meaning}", 3, dangers == 0)
    yield Rule("few-dangers", f"Leave the other side as few dangerous moves as you can. {meaning}", 3, -dangers)
    escapes = np.where(ended & (graph.results[moves.edges] != WIN), MANY, moves.after(zeros, graph.counts - counts))
    text = "Leave the other side as few replies as you can after which you cannot win at once."
    yield Rule("few-escapes", text, 3, -escapes)


def mobility_rules(moves: OwnMoves, lost_at_once: Mask) -> Iterator[Rule]:
    """Rules about the number of moves."""
    graph = moves.goal.graph
    few: NDArray[Any] = -moves.after(np.zeros_like(graph.counts), graph.counts)
    yield Rule("few-moves", "Leave the other side as few moves as you can.", 2, np.where(lost_at_once, -MANY, few))
    nowhere = np.zeros(graph.counts.size, bool)
    safe = ~graph.after(nowhere, forced_results(graph, 1)[1][0]) & ~graph.ended_as(LOSS)
    ways = (
        ("moves", "", graph.counts),
        (
            "safe",
            " that do not let the other side win at once",
            graph.over_edges(np.add, safe.astype(np.int64), np.zeros(graph.counts.size)),
        ),
    )
    for name, which, counts in ways:
        following = counts[graph.children]
        following[~graph.going[graph.children] | graph.again] = MANY
        least = graph.over_edges(np.minimum, following, np.full(graph.counts.size, MANY))
        text = f"Whatever the reply is, have as many moves as you can next turn{which}."
        yield Rule(f"many-{name}", text, 3, np.where(lost_at_once, -MANY, moves.after(counts, least)))


def deeper_rules(moves: OwnMoves) -> Iterator[Rule]:
    """The same two plies further, for games in which nothing nearer is enough."""
    graph = moves.goal.graph
    within = forced_results(graph, 5)
    nowhere = np.zeros(graph.counts.size, bool)
    yield Rule(
        "attack",
        "Win by force within three moves of yours, if you see how.",
        4,
        moves.after(*within[4]),
    )
    beaten = graph.after(nowhere, within[3][0]) | graph.ended_as(LOSS)
    safe = graph.counts - graph.over_edges(np.add, beaten.astype(np.int64), np.zeros(graph.counts.size))
    ended = ~graph.going[moves.children] & (graph.results[moves.edges] != WIN)
    yield Rule(
        "few-far-escapes",
        "Leave as few replies as you can after which you can neither win at once nor make a double threat.",
        4,
        -np.where(ended, MANY, moves.after(np.zeros_like(safe), safe)),
    )
    yield Rule(
        "no-attack",
        "Leave the other side no win by force within three moves of its own.",
        5,
        ~moves.after(nowhere, within[5][0]),
    )
