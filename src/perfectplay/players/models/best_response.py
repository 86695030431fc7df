"""The best response: what scores most against an opponent whose move probabilities are known.

The score of a game is that of its end, and 0 if it never ends. In a game that ends, one pass from the end settles each
position. In a game with cycles, the equations "what a position is worth is the most that any move is worth" can have
several solutions: going round for ever looks as good as leaving, however bad leaving is. So the best response comes
from policy iteration, which begins with a player that never leaves the positions in which it can stay for ever:

- Changing moves only where that is strictly better makes no position worse. A cycle that the changed player never
  leaves has no changed move, since what it is worth cannot rise all the way round; so the player never left it
  before, and it is worth 0 both times.
- What is worth at least as much as any move of any position, and at least 0 wherever a player can stay for ever, is as
  good as any player: whoever ends scores no more on the way, and whoever never ends does so in such positions.

The number of players that choose one move in each position is finite, so it ends. With fractions the result is exact.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.players.models.absorbing_chains import absorbing, worths, zeros
from perfectplay.players.models.game_graph import Graph, Numbers, layers
from perfectplay.players.models.odds import Links
from perfectplay.solvers.steps import Step, Steps

MARGIN = 1e-12
"""Decimals that differ by less are taken for equal."""

EdgeChoices = NDArray[np.int64]
"""The edge of the choice in each position; -1 where the game is over."""


class BestResponse(NamedTuple):
    """What each position is worth to the responder, when it is to move and when the opponent is; and its choices."""

    mine: Numbers
    theirs: Numbers
    choice: EdgeChoices


def best_responding(graph: Graph, probabilities: Numbers, ends: Numbers) -> Steps[BestResponse]:
    """The best response to an opponent with these move probabilities; fractions if those are.

    `ends` is the score of the side to move in each finished position.
    """
    if graph.ends:
        return (yield from by_layers(graph, probabilities, ends))
    start = staying(graph, probabilities)
    response = yield from by_policy_iteration(graph, probabilities.astype(float), ends, start)
    if probabilities.dtype != object:
        return response
    exact = yield from worth_of(graph, response.choice, probabilities, ends)
    below = np.asarray(exact < 0, bool) & can_stay(graph, probabilities)  # possible only by rounding
    return (yield from by_policy_iteration(graph, probabilities, ends, start if below.any() else response.choice))


def by_layers(graph: Graph, probabilities: Numbers, ends: Numbers) -> Steps[BestResponse]:
    """The same in a game that ends; of equally good moves the one that is best against any opponent."""
    kind = probabilities.dtype
    mine = np.where(graph.going, 0, ends).astype(kind)
    theirs = 0 - mine
    for number, (positions, edges, begins) in enumerate(layers(graph), 1):
        offers = graph.after(mine, theirs, edges)
        mean = np.add.reduceat(products(probabilities[edges], graph.after(theirs, mine, edges)), begins)
        mine[positions], theirs[positions] = np.maximum.reduceat(offers, begins), mean
        yield Step("best response", number, len(layers(graph)))
    return BestResponse(mine, theirs, best_edges(graph, graph.after(mine, theirs), mine))


def products(probabilities: Numbers, numbers: Numbers) -> Numbers:
    """The products; fractions are multiplied only where there is something to multiply."""
    if probabilities.dtype != object:
        return probabilities * numbers
    result = zeros(numbers.size, exact=True)
    some = np.flatnonzero(probabilities)
    result[some] = probabilities[some] * numbers[some]
    return result


def best_edges(graph: Graph, offers: Numbers, best: Numbers) -> EdgeChoices:
    """For each position the edge that is best; of several the one with the best score in the game, then the first."""
    margin = 0 if offers.dtype == object else MARGIN
    good = np.asarray(offers >= best[graph.parents] - margin, bool)
    return first_edges(graph, good & graph.best(graph.scores, good))


def first_edges(graph: Graph, among: NDArray[np.bool_]) -> EdgeChoices:
    """For each position the first of these edges; -1 if it has none."""
    firsts = np.full(graph.counts.size, -1)
    edges = np.flatnonzero(among)[::-1]
    firsts[graph.parents[edges]] = edges
    return firsts


def can_stay(graph: Graph, probabilities: Numbers) -> NDArray[np.bool_]:
    """Where the responder can go on for ever: a row for when it is to move, a row for when the opponent is."""
    mine, theirs = graph.going, graph.going
    never = np.zeros(graph.counts.size, bool)
    while True:
        before = mine.sum() + theirs.sum()
        mine = mine & graph.over_edges(np.logical_or, graph.after(mine, theirs), never)
        stays = graph.after(theirs, mine) | (probabilities == 0)
        theirs = theirs & graph.over_edges(np.logical_and, stays, never)
        if mine.sum() + theirs.sum() == before:
            return np.stack([mine, theirs])


def staying(graph: Graph, probabilities: Numbers) -> EdgeChoices:
    """The choices of a responder that goes on for ever where it can, and else plays the best moves of the game."""
    mine, theirs = can_stay(graph, probabilities)
    stays = graph.after(mine, theirs) & mine[graph.parents]
    return np.where(mine, first_edges(graph, stays), first_edges(graph, graph.best(graph.scores)))


def by_policy_iteration(
    graph: Graph, probabilities: Numbers, ends: Numbers, choice: EdgeChoices
) -> Steps[BestResponse]:
    """The best response, by changing these choices where another move is better, as often as there is one."""
    margin = 0 if probabilities.dtype == object else MARGIN
    rounds = 0
    while True:
        mine, theirs = yield from worth_of(graph, choice, probabilities, ends)
        offers = graph.after(mine, theirs)
        best = graph.over_edges(np.maximum, offers, mine)
        better = graph.going & np.asarray(best > mine + margin, bool)
        rounds += 1
        yield Step("best response", rounds)
        if not better.any():
            return BestResponse(mine, theirs, choice)
        choice = np.where(better, first_edges(graph, np.asarray(offers == best[graph.parents], bool)), choice)


def worth_of(graph: Graph, choice: EdgeChoices, probabilities: Numbers, ends: Numbers) -> Steps[Numbers]:
    """What each position is worth to a responder with these choices: when it is to move, when the opponent is."""
    count = graph.counts.size
    going = np.flatnonzero(graph.going)
    edges = choice[going]
    mine, theirs = np.arange(count), np.arange(count, 2 * count)
    sure = np.empty(going.size, probabilities.dtype)
    sure[:] = Fraction(1) if probabilities.dtype == object else 1.0
    links = Links(
        np.concatenate([going, graph.parents + count]),
        np.concatenate([graph.after(mine, theirs, edges), graph.after(theirs, mine)]),
        np.concatenate([sure, probabilities]),
    )
    chain = absorbing(links, np.tile(~graph.going, 2), graph.game.name)
    rewards = np.concatenate([ends, 0 - ends])
    return (yield from worths(chain, rewards)).reshape(2, count)
