"""How somebody chooses a move, by name: the share of each move of each position.

A policy is a model of an opponent, a player whose odds can be computed, and a player to play against, all in one.
Each is a small function from a graph to weights, one for each edge.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from perfectplay.explain.game_graph import TOP, Graph, Numbers
from perfectplay.explain.tie_breaks import trick
from perfectplay.explain.win_probability import computing
from perfectplay.solve.steps import finished

Weigh = Callable[[Graph, bool], Numbers]
"""The share of each edge; with True as fractions."""


class Policy(NamedTuple):
    """How somebody chooses."""

    shares: Weigh
    symmetric: bool = True
    """Whether images of a position are treated alike."""
    exact: bool = True
    """Whether the shares are fractions."""


def uniform(graph: Graph, exact: bool) -> Numbers:
    """All legal moves alike."""
    return graph.shared(np.ones(graph.children.size, np.int64), exact)


def perfect(graph: Graph, exact: bool) -> Numbers:
    """The best moves alike: quickest win, else any draw, else latest loss."""
    return graph.shared(graph.best(graph.scores).astype(np.int64), exact)


def wins(graph: Graph, exact: bool) -> Numbers:
    """A move that wins at once, else any."""
    return graph.shared(graph.best(wins_at_once(graph)).astype(np.int64), exact)


def wins_at_once(graph: Graph) -> Numbers:
    """1 for the edges that win at once, else 0."""
    return np.where(graph.scores == TOP - 1, 1, 0)


def blocks(graph: Graph, exact: bool) -> Numbers:
    """A move that wins at once, else one that leaves the other side the fewest such moves; never one that loses."""
    winning = wins_at_once(graph)
    dangers = graph.gathered(np.add, winning, np.zeros(graph.counts.size, np.int64))[graph.children]
    dangers[graph.scores == 1 - TOP] = TOP
    return graph.shared(graph.best(np.where(winning == 1, 1, -dangers)).astype(np.int64), exact)


def mixture(share: Fraction, a: Weigh, b: Weigh) -> Weigh:
    """The first with that share, else the second."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        part = share if exact else float(share)
        return part * a(graph, exact) + (1 - part) * b(graph, exact)

    return weigh


def slips(share: Fraction) -> Weigh:
    """The best moves, but with that share any move."""
    return mixture(share, uniform, perfect)


def shallow(plies: int) -> Weigh:
    """Sees so many plies and does the best that it sees; whatever lies further looks alike."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        seen = np.where(TOP - np.abs(graph.scores) <= plies, graph.scores, 0)
        return graph.shared(graph.best(seen).astype(np.int64), exact)

    return weigh


def softmax(temperature: float) -> Weigh:
    """Prefers by value and distance: the share goes by exp(u / t), u being 0 for a draw, 1 + 1 / d for a win after d
    plies and the negative for a loss."""  # noqa: D205, D209

    def weigh(graph: Graph, exact: bool) -> Numbers:
        distances = np.maximum(TOP - np.abs(graph.scores), 1)
        liking = np.sign(graph.scores) * (1 + 1 / distances) / temperature
        most = graph.gathered(np.maximum, liking, np.zeros(graph.counts.size))
        return graph.shared(np.exp(liking - most[graph.parents]))

    return weigh


def weighted(weights: dict[int, Fraction]) -> Weigh:
    """Some moves more often than others, which weigh 1."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        found = np.array([weights.get(move, Fraction(1)) for move in graph.moves.tolist()], object)
        return graph.shared(found, exact)

    return weigh


def tricky(graph: Graph, exact: bool) -> Numbers:
    """The best moves, and of these the trickiest."""
    best, game = graph.best(graph.scores), graph.game
    tricks = np.full(graph.children.size, -1)
    for edge in np.flatnonzero(best).tolist():
        tricks[edge] = trick(game, graph.position(int(graph.parents[edge])), int(graph.moves[edge]))
    return graph.shared(graph.best(tricks).astype(np.int64), exact)


def streetwise(opponent: Weigh) -> Weigh:
    """Keeps the result and wins as often as it can against such an opponent."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        chances = finished(computing(graph, opponent(graph, exact)))
        return graph.shared(chances.chosen.astype(np.int64), exact)

    return weigh
