"""How a player chooses: the probability of each move of each position.

A policy is a model of an opponent, a player whose odds can be computed, and a player to play against, all in one.
Each is a small function from a graph to probabilities, one for each edge.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.players.models.game_graph import TOP, Graph, Numbers
from perfectplay.players.models.win_probability import computing
from perfectplay.solvers.steps import finished
from perfectplay.words import BadPlayer

Weigh = Callable[[Graph, bool], Numbers]
"""The probability of each edge; with True as fractions."""


class Policy(NamedTuple):
    """How a player chooses."""

    probabilities: Weigh
    symmetric: bool = True
    """Whether images of a position are treated alike."""
    exact: bool = True
    """Whether the probabilities can be given as fractions."""

    def check(self, exact: bool) -> None:
        """Raises BadPlayer if fractions are wanted and the policy has none."""
        if exact and not self.exact:
            raise BadPlayer("the move probabilities of this player are not fractions; leave out exact=True")


def any_of(edges: Callable[[Graph], NDArray[np.bool_]]) -> Weigh:
    """Any of these edges of a position, all with the same probability."""
    return lambda graph, exact: graph.normalised(edges(graph).astype(np.int64), exact)


uniform = any_of(lambda graph: graph.every)
"""All legal moves alike."""
perfect = any_of(lambda graph: graph.best(graph.scores))
"""The best moves alike: quickest win, else any draw, else latest loss; in games for points the greatest margin."""


def first_of(edges: Callable[[Graph], NDArray[np.bool_]]) -> Weigh:
    """The first of these edges of a position, in the order of its moves."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        among = edges(graph)
        before = np.concatenate([[0], np.cumsum(among)])[:-1]
        earlier = before - before[graph.firsts[:-1][graph.parents]]
        return graph.normalised((among & (earlier == 0)).astype(np.int64), exact)

    return weigh


def mixture(probability: Fraction, a: Weigh, b: Weigh) -> Weigh:
    """The first with that probability, else the second."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        part = probability if exact else float(probability)
        return part * a(graph, exact) + (1 - part) * b(graph, exact)

    return weigh


def noisy(probability: Fraction) -> Weigh:
    """The best moves, but with that probability any move."""
    return mixture(probability, uniform, perfect)


def shallow(plies: int) -> Weigh:
    """The best moves within that many plies; whatever lies further looks alike."""
    return any_of(lambda graph: graph.best(scores_within(graph, plies)))


def scores_within(graph: Graph, plies: int) -> Numbers:
    """For each edge its score by a search of that many plies, the move counted: 0 where the game lasts longer."""
    if graph.margins is None:
        return np.where(TOP - np.abs(graph.scores) <= plies, graph.scores, 0)
    if plies == 0:
        return np.zeros(graph.children.size)
    margins = margins_within(graph, plies - 1)
    return graph.after(margins, -margins)


def margins_within(graph: Graph, plies: int) -> Numbers:
    """For each position of a game for points its margin by a search of that many plies: 0 where that does not end."""
    assert graph.margins is not None
    margins = ended = np.where(graph.going, 0, graph.margins)
    for _ in range(plies):
        before, margins = margins, graph.over_edges(np.maximum, graph.after(margins, -margins), ended)
        if np.array_equal(margins, before):
            break
    return margins


def softmax(temperature: float) -> Weigh:
    """Prefers by value and distance: the probability is proportional to exp(u / t).

    u is 0 for a draw, 1 + 1 / d for a win after d plies and the negative for a loss; in games for points the margin.
    """

    def weigh(graph: Graph, exact: bool) -> Numbers:
        liking = utilities(graph) / temperature
        most = graph.over_edges(np.maximum, liking, np.zeros(graph.counts.size))
        return graph.normalised(np.exp(liking - most[graph.parents]))

    return weigh


def utilities(graph: Graph) -> Numbers:
    """For each edge what a player by temperature likes about it."""
    if graph.margins is not None:
        return graph.scores
    sooner: Numbers = 1 + 1 / np.maximum(TOP - np.abs(graph.scores), 1)
    return np.sign(graph.scores) * sooner


def weighted(weights: dict[int, Fraction]) -> Weigh:
    """Some moves more often than others, which weigh 1."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        edge_weights = np.array([weights.get(move, Fraction(1)) for move in graph.moves.tolist()], object)
        return graph.normalised(edge_weights, exact)

    return weigh


def streetwise(opponent: Weigh) -> Weigh:
    """Keeps the result and wins as often as possible against an opponent of that policy."""
    return responding(opponent, keeping=True)


def exploit(opponent: Weigh) -> Weigh:
    """Wins as often as possible against an opponent of that policy, whatever it risks; then loses least often."""
    return responding(opponent, keeping=False)


def responding(opponent: Weigh, keeping: bool) -> Weigh:
    """The moves that are best against an opponent of that policy, all with the same probability.

    In games with cycles the probabilities are limits, so that the moves are chosen by decimals.
    """

    def weigh(graph: Graph, exact: bool) -> Numbers:
        response = finished(computing(graph, opponent(graph, exact and graph.ends), keeping))
        return graph.normalised(response.chosen.astype(np.int64), exact)

    return weigh
