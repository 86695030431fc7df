"""Markov chains that end: how often each state is visited, and what each is worth, also where play has cycles.

States that lead to each other are a component. Components are solved one after another, each by state elimination
without subtraction (Grassmann, Taksar and Heyman 1985): decimals stay accurate however rarely a cycle is left, and
fractions stay exact. Where that would take too long, decimals are iterated until hardly any game goes on.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.players.models.game_graph import Graph, Numbers, layers, ranges
from perfectplay.players.models.odds import Flags, Links, can_end, links_between
from perfectplay.players.models.win_probability import WinProbability, win_probability_from
from perfectplay.solvers.steps import Step, Steps, finished
from perfectplay.words import FIRST, LOSS, SECOND, WIN, TooBig

NEARLY_ALL = 1e-15
"""The probability of games that may be left undecided."""
ROUNDS = 1000
"""Plies after which iteration gives way to elimination."""
MOST_STATES = 2000
"""The most states of a component that are eliminated in decimals, which takes seconds."""
MOST_EXACT = 160
"""The most states of a component that are eliminated in fractions."""

States = NDArray[np.int64]


class Absorbing(NamedTuple):
    """A Markov chain: its links, which states are ends, and which lead to an end with some probability."""

    links: Links
    ended: Flags
    alive: Flags
    name: str

    @property
    def exact(self) -> bool:
        """Whether the probabilities are fractions."""
        return self.links.probabilities.dtype == object


def absorbing(links: Links, ended: Flags, name: str) -> Absorbing:
    """The chain with these links and ends; links without probability are left out."""
    likely = np.flatnonzero(links.probabilities)
    likely = likely[np.argsort(links.parents[likely], kind="stable")]
    steps = Links(*(one[likely] for one in links))
    return Absorbing(steps, ended, can_end(steps, ended), name)


def visits(chain: Absorbing, start: int) -> Steps[Numbers]:
    """How often each state is visited, by expectation; where play can never end, how likely it arrives there."""
    inflow = zeros(chain.ended.size, chain.exact)
    inflow[start] = 1
    if not chain.exact:
        counts, weights = yield from iterate_visits(chain, inflow)
        if not weights.any():
            return counts
    for component in reversed((yield from components(chain, start))):
        if chain.ended[component[0]] or not chain.alive[component[0]]:
            continue
        elimination = eliminate(chain, component)
        inflow[elimination.states] = elimination.visits(inflow[elimination.states])
        add_at(inflow, elimination.exits.children, inflow[elimination.exits.parents] * elimination.exits.probabilities)
        yield Step("visits", int(component[-1]))
    return inflow


def iterate_visits(chain: Absorbing, weights: Numbers) -> Steps[tuple[Numbers, Numbers]]:
    """The visits of ROUNDS plies, or of more if elimination would take too long; and what goes on, 0 if all is done."""
    parents, children, probabilities = chain.links
    counts, going, rounds = weights.copy(), chain.alive & ~chain.ended, 0
    while True:
        weights = weights * going
        if weights.sum() <= NEARLY_ALL:
            return counts, np.zeros_like(weights)
        if rounds == ROUNDS and largest(chain) <= MOST_STATES:
            return counts, weights
        weights = np.bincount(children, weights[parents] * probabilities, weights.size)
        counts += weights
        rounds += 1
        yield Step("plies", rounds)


def worths(chain: Absorbing, rewards: Numbers) -> Steps[Numbers]:
    """What each state comes to by expectation, given the rewards of the ends; an endless game comes to 0."""
    scores = np.where(chain.ended, rewards, 0).astype(object if chain.exact else float)
    if not chain.exact:
        iterated, is_close = yield from iterate_worths(chain, scores)
        if is_close:
            return iterated
    for component in (yield from components(chain)):
        if chain.ended[component[0]] or not chain.alive[component[0]]:
            continue
        elimination = eliminate(chain, component)
        places = np.searchsorted(elimination.states, elimination.exits.parents)
        gained = zeros(component.size, chain.exact)
        add_at(gained, places, elimination.exits.probabilities * scores[elimination.exits.children])
        scores[elimination.states] = elimination.worths(gained)
        yield Step("worth", int(component[-1]))
    return scores


def iterate_worths(chain: Absorbing, ends: Numbers) -> Steps[tuple[Numbers, bool]]:
    """The same by iteration, and whether that got there: the probability that a game still goes on bounds the error."""
    parents, children, probabilities = chain.links
    going = chain.alive & ~chain.ended
    scores, open_, rounds = ends, going.astype(float), 0
    while open_.max(initial=0) > NEARLY_ALL:
        if rounds == ROUNDS and largest(chain) <= MOST_STATES:
            return scores, False
        scores = ends + np.bincount(parents, probabilities * scores[children], ends.size) * going
        open_ = np.bincount(parents, probabilities * open_[children], ends.size) * going
        rounds += 1
        yield Step("plies", rounds)
    return scores, True


class Elimination(NamedTuple):
    """A component ready to be solved: its states in ascending order, what is left of the links between them after
    elimination, the probability to go on from each state then, and the links that leave the component."""  # noqa: D205, D209

    states: States
    inner: Numbers
    leaving: Numbers
    exits: Links

    def worths(self, gained: Numbers) -> Numbers:
        """What each state comes to, given what each gains by leaving."""
        scores = gained.copy()
        for k in range(scores.size - 1, 0, -1):
            scores[:k] += self.inner[:k, k] * (scores[k] / self.leaving[k])
        for k in range(scores.size):
            scores[k] = scores[k] / self.leaving[k] + (self.inner[k, :k] * scores[:k]).sum()
        return scores

    def visits(self, inflow: Numbers) -> Numbers:
        """How often each state is visited, given how often play comes in from elsewhere."""
        counts = inflow.copy()
        for k in range(counts.size - 1, 0, -1):
            counts[:k] += counts[k] * self.inner[k, :k]
        for k in range(counts.size):
            counts[k] = (counts[k] + (self.inner[:k, k] * counts[:k]).sum()) / self.leaving[k]
        return counts


def eliminate(chain: Absorbing, component: States) -> Elimination:
    """The component, its states eliminated one after another, the last first."""
    states = np.sort(component)
    links = chain.links
    begins = np.searchsorted(links.parents, states)
    edges, _ = ranges(begins, np.searchsorted(links.parents, states, side="right") - begins)
    own = Links(*(one[edges] for one in links))
    places = np.minimum(np.searchsorted(states, own.children), states.size - 1)
    inside = states[places] == own.children
    exits = Links(*(one[~inside] for one in own))
    inner = zeros(states.size**2, chain.exact).reshape(states.size, states.size)
    np.add.at(inner, (np.searchsorted(states, own.parents[inside]), places[inside]), own.probabilities[inside])
    leaving = zeros(states.size, chain.exact)
    add_at(leaving, np.searchsorted(states, exits.parents), exits.probabilities)
    out = leaving.copy()
    for k in range(states.size - 1, -1, -1):
        leaving[k] = out[k] + inner[k, :k].sum()
        inner[k, :k] = inner[k, :k] / leaving[k]
        inner[:k, :k] += np.multiply.outer(inner[:k, k], inner[k, :k])
        out[:k] += inner[:k, k] * (out[k] / leaving[k])
    return Elimination(states, inner, leaving, exits)


def largest(chain: Absorbing) -> int:
    """The number of states in the largest component."""
    return max(map(len, finished(components(chain))), default=0)


def components(chain: Absorbing, start: int | None = None) -> Steps[list[States]]:
    """The components, each behind those it leads to; only those that can be reached from a start, if there is one.

    Tarjan 1972: `low` is the earliest state on the path that can be come back to. Raises TooBig if a component is too
    large for fractions.
    """
    count = chain.ended.size
    firsts = np.searchsorted(chain.links.parents, np.arange(count + 1)).tolist()
    children = chain.links.children.tolist()
    stopped = (chain.ended | ~chain.alive).tolist()
    met, low, at = [0] * count, [0] * count, firsts[:-1]
    parts: list[States] = []
    stack: list[int] = []
    time = 0
    for root in range(count) if start is None else [start]:
        path = [] if met[root] else [root]
        while path:
            state = path[-1]
            if not met[state]:
                time += 1
                met[state] = low[state] = time
                stack.append(state)
            end = at[state] if stopped[state] else firsts[state + 1]
            while at[state] < end:
                child = children[at[state]]
                if not met[child]:
                    path.append(child)
                    break
                low[state] = min(low[state], low[child])
                at[state] += 1
            else:
                path.pop()
                if low[state] == met[state]:
                    parts.append(pop_component(stack, state, low, count))
                    if chain.exact and parts[-1].size > MOST_EXACT:
                        raise TooBig(f"{chain.name} has cycles too large for fractions; leave out exact=True")
                    yield Step("components", len(parts))
    return parts


def pop_component(stack: list[int], state: int, low: list[int], never: int) -> States:
    """The component of this state, taken off the stack; nothing on a path can come back to its states any more."""
    component: list[int] = []
    while not component or component[-1] != state:
        component.append(stack.pop())
    for one in component:
        low[one] = 2 * never
    return np.array(component, np.int64)


def zeros(count: int, exact: bool) -> Numbers:
    """So many zeros, of whichever kind."""
    return np.zeros(count, np.int64).astype(object) if exact else np.zeros(count)


def add_at(numbers: Numbers, places: States, more: Numbers) -> None:
    """Adds to the numbers at these places, which may repeat."""
    if numbers.dtype == object:
        np.add.at(numbers, places, more)
    else:
        numbers += np.bincount(places, more, numbers.size)


# How often play gets to each position, when the move probabilities of both players are known.


class Reach(NamedTuple):
    """The visits of each position in a game, by expectation; fractions if the move probabilities are.

    A game counts until it has ended or can never end. `visits` and `endless` have a row for each side to move.
    `endless` is the probability that the game can never end from here on, and did not seem so a ply before.
    """

    graph: Graph
    visits: Numbers
    endless: Numbers

    def odds(self) -> WinProbability:
        """How often the first player wins, draws and loses."""
        won, lost = (np.flatnonzero(~self.graph.going & (self.graph.values == value)) for value in (WIN, LOSS))
        first, second = self.visits
        return win_probability_from(first[won].sum() + second[lost].sum(), first[lost].sum() + second[won].sum())

    def expected(self, ends: Numbers) -> Any:
        """The first player's score by expectation, given that of the side to move in each finished position."""
        over = np.flatnonzero(~self.graph.going)
        return ((self.visits[FIRST] - self.visits[SECOND])[over] * ends[over]).sum()


def reaching(graph: Graph, first: Numbers, second: Numbers) -> Steps[Reach]:
    """How often play gets to each position from the start, between players with these move probabilities.

    Both have the probability of each edge. In games with cycles, decimals have errors of about 1e-14, and fractions
    are possible only where few positions lead to each other; else TooBig is raised.
    """
    start, count = graph.number(graph.game.start), graph.counts.size
    if graph.ends:
        return (yield from reaching_by_layers(graph, first, second))
    ended = np.tile(~graph.going, 2)
    chain = absorbing(links_between(graph, first, second), ended, graph.game.name)
    counts = (yield from visits(chain, start + FIRST * count)).reshape(2, count)
    alive = chain.alive.reshape(2, count)
    return Reach(graph, np.where(alive, counts, 0), np.where(alive, 0, counts))


def reaching_by_layers(graph: Graph, first: Numbers, second: Numbers) -> Steps[Reach]:
    """The same in a game that ends: each position hands on what it has, once all that lead to it have."""
    count = graph.counts.size
    counts = zeros(2 * count, first.dtype == object)
    counts[graph.number(graph.game.start)] = 1
    for number, (_, edges, _) in enumerate(reversed(layers(graph)), 1):
        for side, probabilities in ((FIRST, first), (SECOND, second)):
            there = edges[np.flatnonzero(counts[side * count + graph.parents[edges]])]
            there = there[np.flatnonzero(probabilities[there])]
            mover = np.where(graph.again[there], side, 1 - side)
            weights = counts[side * count + graph.parents[there]] * probabilities[there]
            add_at(counts, (mover * count + graph.children[there]).astype(np.int64), weights)
        yield Step("plies", number, len(layers(graph)))
    return Reach(graph, counts.reshape(2, count), np.zeros((2, count)))
