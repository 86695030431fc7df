"""The search for the shortest list of rules that keeps the result.

A list is a way to narrow the moves down, rule after rule, so a longer list allows fewer moves and reaches fewer states.
That gives three ways to search less. A beginning after which no choice among the moves left keeps the result is
hopeless, however it goes on. Two beginnings that leave the same moves in all states that matter are as good as one. And
most lists are refuted by a game that has refuted another one.
"""

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

import numpy as np

from perfectplay.insight.strategies.kept_result import Mask
from perfectplay.insight.strategies.rule_states import States
from perfectplay.solvers.steps import Step, Steps

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
        others = (rule for rule in range(self.states.rule_count) if rule not in rules)
        return [(*rules, rule) for rule in others if not self.refuter.fails((*rules, rule))]

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
        game, seen = list(way_to(before, state)), set()
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


def way_to(before: Way, state: int) -> Game:
    """The moves that lead to a state."""
    way: list[tuple[int, int]] = []
    last = before[state]
    while last is not None:
        way.append(last)
        last = before[last[0]]
    return tuple(reversed(way))
