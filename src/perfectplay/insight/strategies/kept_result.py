"""The goal of one side: the result of the start, the moves that keep it, and the rules that prefer some of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import COMPILED_BITS, Game
from perfectplay.players.models.game_graph import Graph, compiled_graph, plain_graph
from perfectplay.solvers.memory.interpreted import LOOKED_AT, SMALL, Reached
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, LOSS, WIN, Entry, TooBig

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


# The rules of a strategy, not of the game: each prefers some moves of a position; and the moves that they score.


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
