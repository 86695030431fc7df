"""How often play gets to each position, when the move probabilities of both players are known."""

from typing import Any, NamedTuple

import numpy as np

from perfectplay.players.models.absorbing_chains import absorbing, add_at, visits, zeros
from perfectplay.players.models.game_graph import Graph, Numbers
from perfectplay.players.models.layers import layers
from perfectplay.players.models.odds import links_between
from perfectplay.players.models.win_probability import WinProbability, win_probability_from
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, LOSS, SECOND, WIN


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
