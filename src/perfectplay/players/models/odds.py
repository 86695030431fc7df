"""The exact result of two players whose move probabilities are known, without playing a single game.

All games are played at once: the weight of every position that can come up is handed on from ply to ply, until every
game has ended or can never end, which is a draw.
"""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from math import inf
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import Game
from perfectplay.players.models.game_graph import Graph, Numbers
from perfectplay.players.models.win_probability import WinProbability, win_probability_from
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, LOSS, WIN, TooBig

NEARLY_ALL = 1e-15
"""The probability of games that may be left undecided where games can repeat."""
MOST_WORK = 2 * 10**8
"""Bits multiplied, about: fractions that take more, because play has large cycles, have too many digits."""
SMALL_CYCLES = 200
"""The most states that lead to each other for which fractions are worth it, where decimals would do."""

State = tuple[int, int]
"""A position by number, and whose turn it is."""
S = TypeVar("S", bound=Hashable)
Flags = NDArray[np.bool_]
"""For each state, whether something is so."""


class MarkovChain(Protocol[S]):
    """States that follow each other with known probabilities, until a game ends."""

    @property
    def game(self) -> Game:
        """The game."""

    def steps(self, state: S) -> Iterator[tuple[S, Fraction]]:
        """The states that may come next, each with its probability."""

    def result(self, state: S) -> int | None:
        """What an ended game is worth to the player in question, None for one that is not over."""


def computing_odds(graph: Graph, first: Numbers, second: Numbers) -> Steps[WinProbability]:
    """How often the first player wins, draws and loses, from the start of the game."""
    start = graph.number(graph.game.start)
    if first.dtype == object:
        return (yield from computing_chain_odds(Chain(graph, (first, second)), (start, FIRST)))
    ended = [~graph.going & (graph.values == value) for value in (WIN, LOSS)]
    won, lost = np.concatenate(ended), np.concatenate(ended[::-1])
    return (yield from in_numbers(links_between(graph, first, second), won, lost, start))


class Links(NamedTuple):
    """The steps of a Markov chain with states by number: from where, to where, and how likely."""

    parents: Numbers
    children: Numbers
    probabilities: Numbers


def links_between(graph: Graph, first: Numbers, second: Numbers) -> Links:
    """The game as a Markov chain: a state is a position's number, and as many more if the second player is to move."""
    count = graph.counts.size
    mine, theirs = np.arange(count), np.arange(count, 2 * count)
    return Links(
        np.concatenate([graph.parents, graph.parents + count]),
        np.concatenate([graph.after(mine, theirs), graph.after(theirs, mine)]),
        np.concatenate([first, second]),
    )


def in_numbers(links: Links, won: Flags, lost: Flags, start: int) -> Steps[WinProbability]:
    """The odds from the state `start` as decimals, given which states are won and lost."""
    alive = can_end(links, won | lost)
    weights: Numbers = np.zeros(won.size)
    weights[start] = 1.0
    win = loss = 0.0
    rounds = 0
    while weights.sum() > NEARLY_ALL:
        win += weights[won].sum()
        loss += weights[lost].sum()
        flow = weights[links.parents] * links.probabilities
        weights = np.bincount(links.children, flow, won.size) * alive
        rounds += 1
        yield Step("plies", rounds)
    return win_probability_from(win, loss)


def can_end(links: Links, decided: Flags) -> Flags:
    """The states from which the game can be won or lost; from all others it is a draw."""
    likely = links.probabilities > 0
    parents, children = links.parents[likely], links.children[likely]
    alive = decided
    while True:
        more = alive.copy()
        more[parents[alive[children]]] = True
        if more.sum() == alive.sum():
            return alive
        alive = more


class Chain(NamedTuple):
    """The game as a Markov chain of states."""

    graph: Graph
    probabilities: tuple[Numbers, Numbers]

    @property
    def game(self) -> Game:
        """The game."""
        return self.graph.game

    def steps(self, state: State) -> Iterator[tuple[State, Fraction]]:
        """The states that may come next, each with its probability."""
        number, side = state
        edges = self.graph.edges(number)
        for target, probability in zip(
            self.graph.targets[edges].tolist(), self.probabilities[side][edges].tolist(), strict=True
        ):
            if probability:
                yield (target, 1 - side) if target >= 0 else (~target, side), probability

    def result(self, state: State) -> int | None:
        """What an ended game is worth to the first player, None for one that is not over."""
        number, side = state
        if self.graph.going[number]:
            return None
        value = int(self.graph.values[number])
        return value if side == FIRST else -value


class Equation(Generic[S]):
    """What a state comes to: how often it wins and loses at once, and the probabilities of the states it leads to."""

    def __init__(self, chain: MarkovChain[S], state: S) -> None:
        result = chain.result(state)
        self.ends = [Fraction(result == WIN), Fraction(result == LOSS)]
        self.probabilities = dict(chain.steps(state))

    def remove_loop(self, state: S) -> None:
        """Takes out what leads straight back to the state itself; if that is all, the game never ends."""
        back = self.probabilities.pop(state, Fraction(0))
        rest = 1 - back
        self.probabilities = (
            {after: probability / rest for after, probability in self.probabilities.items()} if rest else {}
        )
        self.ends = [end / rest for end in self.ends] if rest else [Fraction(0), Fraction(0)]

    def substitute(self, state: S, other: "Equation[S]") -> None:
        """Replaces a state by what it comes to."""
        probability = self.probabilities.pop(state)
        self.ends = [mine + probability * theirs for mine, theirs in zip(self.ends, other.ends, strict=True)]
        for after, part in other.probabilities.items():
            self.probabilities[after] = self.probabilities.get(after, Fraction(0)) + probability * part


def computing_chain_odds(chain: MarkovChain[S], start: S, largest: float = inf) -> Steps[WinProbability]:
    """The odds as fractions where at most `largest` states lead to each other, else as decimals, always if that is 0.

    Raises TooBig if fractions get too long.
    """
    order = yield from backwards(chain, start)
    computing = fractions_along if order.largest <= largest else decimals_along
    return (yield from computing(chain, order.states))


def decimals_along(chain: MarkovChain[S], order: list[S]) -> Steps[WinProbability]:
    """The odds as decimals from the last state of the order."""
    numbers = {state: number for number, state in enumerate(order)}
    steps = [(numbers[state], numbers[after], float(part)) for state in order for after, part in chain.steps(state)]
    results = [chain.result(state) for state in order]
    won, lost = (np.array([result == value for result in results]) for value in (WIN, LOSS))
    parents, children, parts = np.array(steps, float).reshape(-1, 3).T
    links = Links(parents.astype(np.int64), children.astype(np.int64), parts)
    return (yield from in_numbers(links, won, lost, len(order) - 1))


def fractions_along(chain: MarkovChain[S], order: list[S]) -> Steps[WinProbability]:
    """The odds as fractions: one state after another is replaced by what it comes to, the start last."""
    equations = {state: Equation(chain, state) for state in order}
    users: dict[S, set[S]] = {state: set() for state in order}
    for state, equation in equations.items():
        for after in equation.probabilities:
            users[after].add(state)
    work = 0
    for number, state in enumerate(order, 1):
        equation = equations.pop(state)
        equation.remove_loop(state)
        size = sum(
            probability.denominator.bit_length() for probability in (*equation.ends, *equation.probabilities.values())
        )
        work += size * len(users[state])
        if work > MOST_WORK:
            raise TooBig(f"{chain.game.name} has cycles too large for fractions; leave out exact=True")
        for after in equation.probabilities:
            users[after].discard(state)
        for user in users.pop(state) - {state}:
            equations[user].substitute(state, equation)
            for after in equation.probabilities:
                users[after].add(user)
        yield Step("fractions", number, len(order))
    return win_probability_from(*equation.ends)


class Order(NamedTuple, Generic[S]):
    """States, each behind those it leads to, the start last; and the most that lead to each other."""

    states: list[S]
    largest: int


def backwards(chain: MarkovChain[S], start: S) -> Steps[Order[S]]:
    """The states that can come up, each behind those it leads to, and states that lead to each other side by side.

    The strong components of the graph (Tarjan 1972): `low` is the earliest state on the path that can be come back to.
    """
    order: list[S] = []
    largest = 0
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
                component: list[S] = []
                while not component or component[-1] != state:
                    component.append(stack.pop())
                    del low[component[-1]]
                order += component
                largest = max(largest, len(component))
                yield Step("states", len(order))
    return Order(order, largest)
