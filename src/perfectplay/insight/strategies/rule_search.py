"""The search for the shortest list of rules that keeps the result.

A list is a way to narrow the moves down, rule after rule, so a longer list allows fewer moves and reaches fewer states.
That gives three ways to search less. A beginning after which no choice among the moves left keeps the result is
hopeless, however it goes on. Two beginnings that leave the same moves in all states that matter are as good as one. And
most lists are refuted by a game that has refuted another one.
"""

from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from perfectplay.insight.strategies.kept_result import Goal, Mask, OwnMoves, Rule, edges_of
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST

# The positions of our side up to what rules can tell apart: a small graph that stands for a large one.
#
# Two positions are one state if the rules rank their moves alike, the same moves keep the result, and the moves lead to
# the same states whatever the other side replies. So a list of rules keeps the result in the game just if it does in
# this graph, and can go on for ever just if it can here. Symmetric positions are always one state.


Codes = NDArray[np.uint64]
Numbers = NDArray[Any]
MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
ENDED, LOST = np.uint64(0x1234567), np.uint64(0x89ABCDE)
Levels = tuple[int, ...]
"""The moves of a state as masks, those that a rule likes best first."""


class State(NamedTuple):
    """A state: which of its moves keep the result, the states that may follow each, and how rules rank the moves."""

    every: int
    good: int
    following: list[list[int]]
    levels: dict[int, Levels]
    """By the number of the rule, for rules that tell moves apart here."""


@dataclass(frozen=True, eq=False)
class States:
    """All states, those in which our side may have its first move, and whether play has to end."""

    counts: Numbers
    """The number of moves of each state."""
    good: NDArray[np.bool_]
    """For each move of each state, one after another, whether it keeps the result."""
    ranks: NDArray[np.int16]
    """For each move its rank under each rule; 0 is best."""
    links: tuple[Numbers, Numbers]
    """The moves that keep the result, and the states that may follow them, as pairs in the order of the moves."""
    first: list[int]
    must_end: bool
    cache: dict[int, State] = field(default_factory=dict)

    @property
    def rule_count(self) -> int:
        """The number of rules."""
        return int(self.ranks.shape[1])

    @cached_property
    def firsts(self) -> Numbers:
        """Where the moves of each state begin."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def parents(self) -> Numbers:
        """The state of each move."""
        return np.repeat(np.arange(self.counts.size), self.counts)

    @cached_property
    def bounds(self) -> Numbers:
        """Where the links of each move begin, and where the last one's end."""
        return np.searchsorted(self.links[0], np.arange(self.good.size + 1))

    def state(self, number: int) -> State:
        """One of the states, for looking at it alone."""
        state = self.cache.get(number)
        if state is None:
            begin, count = int(self.firsts[number]), int(self.counts[number])
            here = slice(begin, begin + count)
            levels = {}
            for rule in np.flatnonzero(self.ranks[here].any(axis=0)).tolist():
                ranks = self.ranks[here, rule].tolist()
                levels[rule] = tuple(mask_of([one == rank for one in ranks]) for rank in sorted(set(ranks)))
            ends = self.bounds[begin : begin + count + 1].tolist()
            ways = [self.links[1][low:high].tolist() for low, high in pairwise(ends)]
            state = self.cache[number] = State((1 << count) - 1, mask_of(self.good[here].tolist()), ways, levels)
        return state

    def errors(self, moves: NDArray[np.bool_]) -> int:
        """In how many states some of the moves give the result away."""
        return int(np.unique(self.parents[moves & ~self.good]).size)

    def narrow(self, moves: NDArray[np.bool_], rule: int) -> NDArray[np.bool_]:
        """Those of the moves that remain when the rule is applied."""
        ranks = np.where(moves, self.ranks[:, rule], np.int16(32767))
        least = np.minimum.reduceat(ranks, self.firsts)
        best: NDArray[np.bool_] = moves & (ranks == least[self.parents])
        return best

    def reach(self, moves: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The states that come up if our side plays any of these moves that keeps the result."""
        edges, children = self.links
        used = (moves & self.good)[edges]
        parents, children = self.parents[edges[used]], children[used]
        states = np.zeros(self.counts.size, bool)
        states[self.first] = True
        count = 0
        while (more := int(states.sum())) > count:
            count = more
            states[children[states[parents]]] = True
        return states

    def viable(self, moves: NDArray[np.bool_]) -> bool:
        """Whether some choice among the moves keeps the result, and reaches the end where it must."""
        edges, children = self.links
        good = moves & self.good
        alive = np.full(self.counts.size, not self.must_end)
        while True:
            ways = good.copy()
            ways[edges[~alive[children]]] = False
            fresh = np.logical_or.reduceat(ways, self.firsts)
            if np.array_equal(fresh, alive):
                return bool(alive[self.first].all())
            alive = fresh


def mix(codes: Codes) -> Codes:
    """The codes, scrambled, so that their sums tell sets apart."""
    with np.errstate(over="ignore"):
        codes = (codes ^ codes >> np.uint64(30)) * MIX[0]
        codes = (codes ^ codes >> np.uint64(27)) * MIX[1]
        return codes ^ codes >> np.uint64(31)


def states_of(moves: OwnMoves, rules: list[Rule]) -> States:
    """The states of a game under these rules."""
    goal, graph = moves.goal, moves.goal.graph
    faces = np.zeros(moves.edges.size, np.uint64)
    for rule in rules:
        faces = mix(faces + (-rule.scores).astype(np.uint64) + np.uint64(1))
    faces = mix(faces + moves.good.astype(np.uint64))
    reach = goal.reach(goal.good)
    theirs = np.flatnonzero(reach.theirs & graph.going)
    replies = np.flatnonzero(reach.theirs[graph.parents])
    ours = graph.parents[moves.edges[moves.firsts]]
    own, other = np.full((2, graph.counts.size), ENDED)
    own[ours], other[theirs] = 1, 1
    reply_firsts = np.flatnonzero(np.diff(graph.parents[replies], prepend=-1))
    last = 0
    while True:
        with np.errstate(over="ignore"):
            edges = mix(faces + np.where(moves.good, moves.after(own, mix(other)), LOST))
            answers = mix(
                np.where(graph.again[replies], mix(other[graph.children[replies]]), own[graph.children[replies]])
            )
            fresh = mix(np.add.reduceat(edges, moves.firsts))
            fresh_other = mix(np.add.reduceat(answers, reply_firsts)) if replies.size else fresh[:0]
        count = np.unique(fresh).size + np.unique(fresh_other).size
        own[ours], other[theirs] = fresh, fresh_other
        if count == last:
            break
        last = count
    return states_by_code(moves, rules, own, edges, ours)


def states_by_code(moves: OwnMoves, rules: list[Rule], own: Codes, edges: Codes, ours: Numbers) -> States:
    """The states, given a code for each position and move that equal ones have in common."""
    goal, graph = moves.goal, moves.goal.graph
    _, firsts, places = np.unique(own[ours], return_index=True, return_inverse=True)
    state_of = np.full(graph.counts.size, -1)
    state_of[ours] = places
    counts = moves.counts[firsts]
    spans = np.arange(int(counts.sum())) + np.repeat(moves.firsts[firsts] - np.cumsum(counts) + counts, counts)
    owners = np.repeat(np.arange(firsts.size), counts)
    order = np.lexsort((edges[spans], owners))
    ordered = edges[spans][order]
    fresh = np.append(True, (ordered[1:] != ordered[:-1]) | (np.diff(owners[order]) > 0))
    unique = np.sort(order[fresh])  # of moves that lead to the same and look the same, one
    picks, owner = spans[unique], owners[unique]
    good = moves.good[picks]
    ranks = np.stack([-rule.scores for rule in rules], axis=1) if rules else np.zeros((moves.edges.size, 0), np.int16)
    links = following_states(goal, state_of, np.flatnonzero(good), moves.edges[picks[good]])
    if goal.side == FIRST:
        first = [int(state_of[goal.start])]
    else:
        replied = states_after_replies(goal, state_of, np.zeros(1, np.int64), np.array([goal.start]))
        first = sorted({int(state) for state in replied[1]})
    return States(np.bincount(owner), good, ranks[picks].astype(np.int16), links, first, goal.must_end)


def following_states(goal: Goal, state_of: Numbers, origins: Numbers, edges: Numbers) -> tuple[Numbers, Numbers]:
    """The states that may follow these edges of our side, as sorted pairs with the edges' numbers, their origins."""
    graph = goal.graph
    again, children = graph.again[edges], graph.children[edges].astype(np.int64)
    replies = states_after_replies(goal, state_of, origins[~again], children[~again])
    direct = again & (state_of[children] >= 0)
    pairs = np.stack([np.append(replies[0], origins[direct]), np.append(replies[1], state_of[children[direct]])])
    pairs = np.unique(pairs, axis=1)
    return pairs[0], pairs[1]


def states_after_replies(
    goal: Goal, state_of: Numbers, origins: Numbers, positions: Numbers
) -> tuple[Numbers, Numbers]:
    """The states that may follow these positions of the other side, as pairs with the positions' origins."""
    graph, size = goal.graph, goal.graph.counts.size
    blocks, seen = [], origins * size + positions
    while positions.size:
        replies = edges_of(graph, positions)
        origins = np.repeat(origins, graph.counts[positions])
        children, again = graph.children[replies].astype(np.int64), graph.again[replies]
        ended = ~again & (state_of[children] >= 0)
        blocks.append(np.stack([origins[ended], state_of[children[ended]]]))
        fresh = np.setdiff1d(origins[again] * size + children[again], seen)
        seen = np.append(seen, fresh)
        origins, positions = fresh // size, fresh % size
    pairs = np.concatenate(blocks, axis=1) if blocks else np.zeros((2, 0), np.int64)
    return pairs[0], pairs[1]


def mask_of(which: list[bool]) -> int:
    """The truth values as bits."""
    return sum(1 << i for i, one in enumerate(which) if one)


# The search for a list.


S = TypeVar("S")
T = TypeVar("T")
Rules = tuple[int, ...]
"""A list of rules, by number."""
Beginning = tuple[Rules, Mask]
"""A list, and the moves that remain in the states that it reaches."""
WIDTH = 24
"""The number of lists with which the search goes on that is not complete."""
LONGEST = 12
"""The longest list that it looks at."""
NEAREST = 12
"""The number of lists that are remembered, those that err least."""
EVERY = 16
"""Beginnings between two reports of progress."""


@dataclass
class Search:
    """The result of a search so far."""

    rules: Rules | None = None
    """A list that keeps the result."""
    complete: int = 0
    """All lists of up to this length fail."""
    exhausted: bool = False
    """Whether all lists fail, however long they are."""
    nearest: list[tuple[int, Rules]] = field(default_factory=list)
    """The lists that err in the fewest states, with the number of these, the best first."""


class RuleSearch:
    """Finds lists of rules in a graph of states."""

    def __init__(self, states: States, efforts: Sequence[int]) -> None:
        self.states, self.efforts, self.result = states, efforts, Search()
        self.refuter = Refuter(states)
        self.faces: set[bytes] = set()

    def complete(self, seconds: float) -> Steps[Search]:
        """Looks at all lists, length by length, until one keeps the result or the time is over."""
        result, deadline = self.result, monotonic() + seconds
        every = np.ones(self.states.parents.size, bool)
        every &= self.states.reach(every)[self.states.parents]
        self.note((), every)
        self.faces.add(every.tobytes())
        if not self.refuter.fails(()):
            result.rules = ()
            return result
        beginnings: list[Beginning] = [((), every)]
        while monotonic() < deadline:
            proven = yield from after_each(beginnings, deadline, "lists", self.proven_after)
            if proven:
                result.rules = min(proven, key=lambda rules: (sum(self.efforts[rule] for rule in rules), rules))
            if proven or monotonic() > deadline:
                return result
            result.complete += 1
            beginnings = yield from after_each(beginnings, deadline, "beginnings", self.longer)
            if not beginnings:
                result.exhausted = monotonic() < deadline
                return result
        return result

    def proven_after(self, rules: Rules, _: Mask) -> list[Rules]:
        """The lists that keep the result and are one rule longer than this beginning."""
        lists = [(*rules, rule) for rule in range(self.states.rule_count) if rule not in rules]
        return [one for one in lists if not self.refuter.fails(one)]

    def longer(self, rules: Rules, moves: Mask) -> list[Beginning]:
        """The beginnings that are one rule longer, have hope and differ from all that are known."""
        states, beginnings = self.states, []
        for rule in range(states.rule_count):
            narrower = states.narrow(moves, rule)
            if rule in rules or np.array_equal(narrower, moves) or not states.viable(narrower):
                continue
            narrower &= states.reach(narrower)[states.parents]
            face = narrower.tobytes()
            if face not in self.faces:
                self.faces.add(face)
                beginnings.append(((*rules, rule), narrower))
                self.note((*rules, rule), narrower)
        return beginnings

    def note(self, rules: Rules, moves: Mask) -> None:
        """Remembers the list if it is among those that err least."""
        insort(self.result.nearest, (self.states.errors(moves), rules))
        del self.result.nearest[NEAREST:]

    def beam(self, seconds: float) -> Steps[Search]:
        """Looks at some longer lists: those that err in few states."""
        result, deadline = self.result, monotonic() + seconds
        self.faces = set()
        every = np.ones(self.states.parents.size, bool)
        beginnings: list[Beginning] = [((), every & self.states.reach(every)[self.states.parents])]
        for length in range(1, LONGEST + 1):
            yield Step(f"some lists of {length}", length, LONGEST)
            fresh = yield from after_each(beginnings, deadline, "beginnings", self.longer)
            proven = [
                rules for rules, moves in fresh if not self.states.errors(moves) and not self.refuter.fails(rules)
            ]
            if proven:
                result.rules = self.without_useless(proven[0])
                return result
            beginnings = sorted(fresh, key=lambda one: self.states.errors(one[1]))[:WIDTH]
            if monotonic() > deadline or not fresh:
                return result
        return result

    def without_useless(self, rules: Rules) -> Rules:
        """The list less the rules that it can do without."""
        for place in reversed(range(len(rules))):
            fewer = rules[:place] + rules[place + 1 :]
            if not self.refuter.fails(fewer):
                return self.without_useless(fewer)
        return rules


def after_each(
    beginnings: list[Beginning], deadline: float, what: str, after: Callable[[Rules, Mask], list[T]]
) -> Steps[list[T]]:
    """The results of all beginnings, as far as the time allows."""
    results: list[T] = []
    for number, (rules, moves) in enumerate(beginnings):
        if number % EVERY == 0:
            yield Step(f"{what} of {len(rules) + 1}", number, len(beginnings))
            if monotonic() > deadline:
                break
        results += after(rules, moves)
    return results


# Games in which a list of rules gives the result away, or in which play never ends, among states.


Game = tuple[tuple[int, int], ...]
"""States with the move that is made there, as a mask; the last gives the result away or comes round again."""
Way = dict[int, tuple[int, int] | None]
"""For each state the one before it, and the move that leads from there."""
POOL = 60
"""Games that are tried before a list is played out."""


class Refuter:
    """Refutes lists, by games that have refuted others if possible."""

    def __init__(self, states: States) -> None:
        self.states = states
        self.pool: list[Game] = []

    def fails(self, rules: tuple[int, ...]) -> bool:
        """Whether the list fails; remembers the game that shows it."""
        for place, game in enumerate(self.pool):
            if all(self.moves_in(rules, state) & move for state, move in game):
                self.pool.insert(place // 2, self.pool.pop(place))
                return True
        refutation = self.refutation(rules)
        if refutation is None:
            return False
        self.pool.insert(0, refutation)
        del self.pool[POOL:]
        return True

    def moves_in(self, rules: tuple[int, ...], state: int) -> int:
        """The moves that remain in a state."""
        here = self.states.state(state)
        moves, levels = here.every, here.levels
        for rule in rules:
            for level in levels.get(rule, ()):
                if moves & level:
                    moves &= level
                    break
        return moves

    def refutation(self, rules: tuple[int, ...]) -> Game | None:
        """The game that refutes the list; None if it keeps the result."""
        before: Way = dict.fromkeys(self.states.first)
        order, moves = list(before), {}
        for state in order:  # it grows
            here = self.states.state(state)
            remaining = moves[state] = self.moves_in(rules, state)
            wrong = remaining & ~here.good
            if wrong:
                return (*way_to(before, state), (state, wrong & -wrong))
            for number, following in enumerate(here.following):
                if remaining >> number & 1:
                    for child in following:
                        if child not in before:
                            before[child] = (state, 1 << number)
                            order.append(child)
        return self.cycle(moves, before) if self.states.must_end else None

    def cycle(self, moves: dict[int, int], before: Way) -> Game | None:
        """A game that comes round to a state again, if there is one."""
        alive = set(moves)
        while ended := {state for state in alive if not self.following(state, moves[state]) & alive}:
            alive -= ended
        if not alive:
            return None
        state = next(state for state in moves if state in alive)
        game, seen = way_to(before, state), set()
        while state not in seen:
            seen.add(state)
            ways = ((number, following) for number, following in enumerate(self.states.state(state).following))
            number, child = next(
                (number, child)
                for number, following in ways
                if moves[state] >> number & 1
                for child in following
                if child in alive
            )
            game.append((state, 1 << number))
            state = child
        return tuple(game)

    def following(self, state: int, moves: int) -> set[int]:
        """The states that may follow after these moves."""
        ways = self.states.state(state).following
        return {child for number, way in enumerate(ways) if moves >> number & 1 for child in way}


def way_to(before: Mapping[S, tuple[S, int] | None], state: S) -> list[tuple[S, int]]:
    """The states before this one, each with the move that leads on from there."""
    way: list[tuple[S, int]] = []
    last = before[state]
    while last is not None:
        way.append(last)
        last = before[last[0]]
    return way[::-1]
