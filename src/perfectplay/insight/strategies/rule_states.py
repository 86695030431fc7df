"""The positions of our side up to what rules can tell apart: a small graph that stands for a large one.

Two positions are one state if the rules rank their moves alike, the same moves keep the result, and the moves lead to
the same states whatever the other side replies. So a list of rules keeps the result in the game just if it does in
this graph, and can go on for ever just if it can here. Symmetric positions are always one state.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.insight.strategies.rule_types import OwnMoves, Rule
from perfectplay.words import FIRST

Codes = NDArray[np.uint64]
MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
ENDED, LOST = np.uint64(0x1234567), np.uint64(0x89ABCDE)
Levels = tuple[int, ...]
"""The moves of a state as masks, those that a rule likes best first."""


@dataclass(frozen=True)
class State:
    """A state: which of its moves keep the result, the states that may follow each, and how rules rank the moves."""

    every: int
    good: int
    following: tuple[tuple[int, ...], ...]
    levels: dict[int, Levels]
    """By the number of the rule, for rules that tell moves apart here."""
    position: int
    """The number of one of its positions."""


@dataclass(frozen=True, eq=False)
class States:
    """All states, those in which our side may have its first move, and whether play has to end."""

    every: list[State]
    first: tuple[int, ...]
    must_end: bool
    ranks: NDArray[np.int16]
    """For each move of each state, one after another, its rank under each rule; 0 is best."""

    @property
    def rules(self) -> int:
        """How many rules there are."""
        return int(self.ranks.shape[1])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many moves each state has."""
        return np.array([len(state.following) for state in self.every])

    @cached_property
    def firsts(self) -> NDArray[np.int64]:
        """Where the moves of each state begin."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def parents(self) -> NDArray[np.int64]:
        """The state of each move."""
        return np.repeat(np.arange(len(self.every)), self.counts)

    @cached_property
    def good(self) -> NDArray[np.bool_]:
        """Whether each move keeps the result."""
        return np.array([state.good >> move & 1 for state in self.every for move in range(len(state.following))], bool)

    @cached_property
    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The moves, and the states that may follow them, as pairs."""
        ways = [way for state in self.every for way in state.following]
        sizes = np.array([len(way) for way in ways])
        return np.repeat(np.arange(sizes.size), sizes), np.array([child for way in ways for child in way], np.int64)

    def errors(self, moves: NDArray[np.bool_]) -> int:
        """In how many states some of the moves give the result away."""
        return int(np.unique(self.parents[moves & ~self.good]).size)

    def narrowed(self, moves: NDArray[np.bool_], rule: int) -> NDArray[np.bool_]:
        """Those of the moves that remain when the rule is applied."""
        ranks = np.where(moves, self.ranks[:, rule], np.int16(32767))
        least = np.minimum.reduceat(ranks, self.firsts)
        found: NDArray[np.bool_] = moves & (ranks == least[self.parents])
        return found

    def reached(self, moves: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The states that come up if our side plays any of these moves that keeps the result."""
        edges, children = self.links
        used = (moves & self.good)[edges]
        parents, children = self.parents[edges[used]], children[used]
        found = np.zeros(len(self.every), bool)
        found[list(self.first)] = True
        count = 0
        while (more := int(found.sum())) > count:
            count = more
            found[children[found[parents]]] = True
        return found

    def viable(self, moves: NDArray[np.bool_]) -> bool:
        """Whether some choice among the moves keeps the result, and reaches the end where it must."""
        edges, children = self.links
        good = moves & self.good
        alive = np.full(len(self.every), not self.must_end)
        while True:
            ways = good.copy()
            ways[edges[~alive[children]]] = False
            fresh = np.logical_or.reduceat(ways, self.firsts)
            if np.array_equal(fresh, alive):
                return bool(alive[list(self.first)].all())
            alive = fresh


def mixed(codes: Codes) -> Codes:
    """The codes, scrambled, so that their sums tell sets apart."""
    with np.errstate(over="ignore"):
        codes = (codes ^ codes >> np.uint64(30)) * MIX[0]
        codes = (codes ^ codes >> np.uint64(27)) * MIX[1]
        return codes ^ codes >> np.uint64(31)


def states_of(moves: OwnMoves, rules: list[Rule]) -> States:
    """The states of a game under these rules."""
    task, graph = moves.task, moves.task.graph
    faces = np.zeros(moves.edges.size, np.uint64)
    for rule in rules:
        faces = mixed(faces + (-rule.scores).astype(np.uint64) + np.uint64(1))
    faces = mixed(faces + moves.good.astype(np.uint64))
    followed = task.followed(task.good)
    theirs = np.flatnonzero(followed.theirs & graph.going)
    replies = np.flatnonzero(followed.theirs[graph.parents])
    ours = graph.parents[moves.edges[moves.firsts]]
    own, other = np.full((2, graph.counts.size), ENDED)
    own[ours], other[theirs] = 1, 1
    reply_firsts = np.flatnonzero(np.diff(graph.parents[replies], prepend=-1))
    seen = 0
    while True:
        with np.errstate(over="ignore"):
            edges = mixed(faces + np.where(moves.good, moves.after(own, mixed(other)), LOST))
            answers = mixed(
                np.where(graph.again[replies], mixed(other[graph.children[replies]]), own[graph.children[replies]])
            )
            fresh = mixed(np.add.reduceat(edges, moves.firsts))
            fresh_other = mixed(np.add.reduceat(answers, reply_firsts)) if replies.size else fresh[:0]
        count = np.unique(fresh).size + np.unique(fresh_other).size
        own[ours], other[theirs] = fresh, fresh_other
        if count == seen:
            break
        seen = count
    return collected(moves, rules, own, edges, ours)


def collected(moves: OwnMoves, rules: list[Rule], own: Codes, edges: Codes, ours: NDArray[Any]) -> States:
    """The states, given a code for each position and move that equal ones have in common."""
    task, graph = moves.task, moves.task.graph
    _, firsts, places = np.unique(own[ours], return_index=True, return_inverse=True)
    state_of = dict(zip(ours.tolist(), places.tolist(), strict=True))
    ranks = np.stack([-rule.scores for rule in rules], axis=1) if rules else np.zeros((moves.edges.size, 0), int)
    bounds, good = np.append(moves.firsts, moves.edges.size), moves.good
    known: dict[int, tuple[int, ...]] = {}

    def after_replies(position: int) -> tuple[int, ...]:
        """The states that may follow when the other side is to move."""
        if position not in known:
            found, left, seen = set(), [position], {position}
            while left:
                here = left.pop()
                for edge in range(graph.firsts[here], graph.firsts[here + 1]):
                    child = int(graph.children[edge])
                    if not graph.again[edge]:
                        found |= {state_of[child]} if child in state_of else set()
                    elif child not in seen:
                        seen.add(child)
                        left.append(child)
            known[position] = tuple(sorted(found))
        return known[position]

    def following(edge: int) -> tuple[int, ...]:
        child = int(graph.children[edge])
        if graph.again[edge]:
            return (state_of[child],) if child in state_of else ()
        return after_replies(child)

    states, kept_ranks = [], []
    for place in firsts.tolist():
        span = slice(int(bounds[place]), int(bounds[place + 1]))
        _, chosen = np.unique(edges[span], return_index=True)
        here = np.sort(chosen) + span.start
        kept_ranks.append(ranks[here])
        levels = {}
        for rule in np.flatnonzero(ranks[here].any(axis=0)).tolist():
            column = ranks[here, rule]
            levels[rule] = tuple(mask_of(column == rank) for rank in np.unique(column).tolist())
        kept = good[here]
        ways = tuple(following(int(edge)) if fine else () for edge, fine in zip(moves.edges[here], kept, strict=True))
        states.append(State((1 << here.size) - 1, mask_of(kept), ways, levels, int(ours[place])))
    start = (state_of[task.start],) if task.side == FIRST else after_replies(task.start)
    return States(states, start, task.must_end, np.concatenate(kept_ranks))


def mask_of(which: NDArray[np.bool_]) -> int:
    """The truth values as bits."""
    return sum(1 << i for i, one in enumerate(which.tolist()) if one)
