"""The exact result of two players who choose by known shares, without playing a single game.

All games are played at once: the weight of every position that can come up is handed on from ply to ply, until every
game has ended or can never end, which is a draw.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.explain.game_graph import Graph, Numbers
from perfectplay.explain.win_probability import Chance, chance_of
from perfectplay.solve.steps import Step, Steps
from perfectplay.words import FIRST, LOSS, SECOND, WIN, TooBig

NEARLY_ALL = 1e-15
"""So little of all games may be left open where games have no end."""
MOST_WORK = 2 * 10**8
"""Bits multiplied, about: fractions that take more, because play goes round in great circles, have no end of digits."""

State = tuple[int, int]
"""A position by number, and whose turn it is."""


def computing_odds(graph: Graph, first: Numbers, second: Numbers) -> Steps[Chance]:
    """How often the first player wins, draws and loses, from the start of the game."""
    start = graph.number(graph.game.start)
    if first.dtype == object:
        return (yield from in_fractions(Chain(graph, (first, second)), (start, FIRST)))
    shares, alive = (first, second), can_end(graph, (first, second))
    weights: list[Numbers] = [np.zeros(graph.counts.size), np.zeros(graph.counts.size)]
    weights[FIRST][start] = 1.0
    ended = {value: ~graph.going & (graph.values == value) for value in (LOSS, WIN)}
    win = loss = 0.0
    rounds = 0
    while sum(weight.sum() for weight in weights) > NEARLY_ALL:
        win += weights[FIRST][ended[WIN]].sum() + weights[SECOND][ended[LOSS]].sum()
        loss += weights[FIRST][ended[LOSS]].sum() + weights[SECOND][ended[WIN]].sum()
        handed = [weights[side][graph.parents] * shares[side] for side in (FIRST, SECOND)]
        weights = [
            np.bincount(graph.children, handed[1 - side], graph.counts.size) * alive[side] for side in (FIRST, SECOND)
        ]
        rounds += 1
        yield Step("plies", rounds)
    return chance_of(win, loss)


def can_end(graph: Graph, shares: tuple[Numbers, Numbers]) -> list[NDArray[np.bool_]]:
    """For each side to move the positions from which the game can end."""
    played = [share > 0 for share in shares]
    alive = [~graph.going, ~graph.going]
    while True:
        more = [
            graph.gathered(np.maximum, played[side] & alive[1 - side][graph.children], ~graph.going)
            for side in (FIRST, SECOND)
        ]
        if all(new.sum() == old.sum() for new, old in zip(more, alive, strict=True)):
            return alive
        alive = more


class Chain(NamedTuple):
    """The game as a walk by chance between states."""

    graph: Graph
    shares: tuple[Numbers, Numbers]

    def steps(self, state: State) -> Iterator[tuple[State, Fraction]]:
        """The states that may come next, each with its share."""
        number, side = state
        edges = self.graph.edges(number)
        for child, share in zip(self.graph.children[edges].tolist(), self.shares[side][edges].tolist(), strict=True):
            if share:
                yield (child, 1 - side), share

    def result(self, state: State) -> int | None:
        """What an ended game is worth to the first player, None for one that goes on."""
        number, side = state
        if self.graph.going[number]:
            return None
        value = int(self.graph.values[number])
        return value if side == FIRST else -value


class Equation:
    """What a state comes to: how often it wins and loses at once, and the shares of the states it leads to."""

    def __init__(self, chain: Chain, state: State) -> None:
        result = chain.result(state)
        self.ends = [Fraction(result == WIN), Fraction(result == LOSS)]
        self.shares = dict(chain.steps(state))

    def closed(self, state: State) -> None:
        """Takes out what leads straight back to the state itself; if that is all, the game never ends."""
        back = self.shares.pop(state, Fraction(0))
        rest = 1 - back
        self.shares = {after: share / rest for after, share in self.shares.items()} if rest else {}
        self.ends = [end / rest for end in self.ends] if rest else [Fraction(0), Fraction(0)]

    def put_in(self, state: State, other: "Equation") -> None:
        """Replaces a state by what it comes to."""
        share = self.shares.pop(state)
        self.ends = [mine + share * theirs for mine, theirs in zip(self.ends, other.ends, strict=True)]
        for after, part in other.shares.items():
            self.shares[after] = self.shares.get(after, Fraction(0)) + share * part


def in_fractions(chain: Chain, start: State) -> Steps[Chance]:
    """The odds as fractions: one state after another is replaced by what it comes to, the start last."""
    order = yield from backwards(chain, start)
    equations = {state: Equation(chain, state) for state in order}
    users: dict[State, set[State]] = {state: set() for state in order}
    for state, equation in equations.items():
        for after in equation.shares:
            users[after].add(state)
    work = 0
    for done, state in enumerate(order, 1):
        equation = equations.pop(state)
        equation.closed(state)
        size = sum(share.denominator.bit_length() for share in (*equation.ends, *equation.shares.values()))
        work += size * len(users[state])
        if work > MOST_WORK:
            name = chain.graph.game.name
            raise TooBig(f"{name} goes round in circles too great for fractions; leave --exact out")
        for after in equation.shares:
            users[after].discard(state)
        for user in users.pop(state) - {state}:
            equations[user].put_in(state, equation)
            for after in equation.shares:
                users[after].add(user)
        yield Step("fractions", done, len(order))
    return chance_of(*equation.ends)


def backwards(chain: Chain, start: State) -> Steps[list[State]]:
    """The states that can come up, each behind those it leads to, and states that lead to each other side by side.

    The strong components of the graph (Tarjan 1972): `low` is the earliest state on the path that can be come back to.
    """
    order: list[State] = []
    met, low = {start: 0}, {start: 0}
    stack, path = [start], [(start, chain.steps(start))]
    while path:
        state, steps = path[-1]
        for after, _ in steps:
            if after not in met:
                met[after] = low[after] = len(met)
                stack.append(after)
                path.append((after, chain.steps(after)))
                break
            if after in low:
                low[state] = min(low[state], met[after])
        else:
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[state])
            if low[state] == met[state]:
                circle: list[State] = []
                while not circle or circle[-1] != state:
                    circle.append(stack.pop())
                    del low[circle[-1]]
                order += circle
                yield Step("states", len(order))
    return order
