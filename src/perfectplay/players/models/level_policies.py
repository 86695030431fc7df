"""Levels 1 to 10: from random to perfect, in steps as even as the game allows.

A level is noisy with some probability and sees some plies ahead. Both are worked out for each game from the exact odds
of all such players against each other: the ten are chosen so that the smallest step is as large as possible.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from perfectplay.players.models.game_graph import Graph, Numbers, layers
from perfectplay.players.models.levels import ALL, BEGINNER, LEVELS, USUAL, Level
from perfectplay.players.models.policies import Weigh, mixture, shallow, uniform

NOISES = tuple(Fraction(percent, 100) for percent in (80, 60, 50, 40, 30, 20, 12, 4, 0))
SIGHTS = (2, 3, 4, 5, 7, ALL)
MOST_EDGES = 60_000
"""Larger games would take more than a few seconds."""
DIGITS = 9
"""Decimals of a score that count: errors of floats, which depend on the order of the moves, must not choose levels."""


def level(number: int) -> Weigh:
    """The level of that number, 1 to 10."""
    return lambda graph, exact: probabilities_of(graph, ladder(graph)[number - 1], exact)


def probabilities_of(graph: Graph, level: Level, exact: bool) -> Numbers:
    """The probability of each edge at that level."""
    return mixture(level.noise, uniform, shallow(level.sight))(graph, exact)


@lru_cache(maxsize=4)
def ladder(graph: Graph) -> tuple[Level, ...]:
    """The ten levels of the game, the weakest first."""
    if graph.children.size > MOST_EDGES or not graph.ends:
        return USUAL
    levels = [BEGINNER, *(Level(noise, sight) for noise in NOISES for sight in SIGHTS)]
    even = evenest(levels, np.round(scores(graph, levels), DIGITS))
    return tuple(levels[i] for i in even)


def scores(graph: Graph, levels: list[Level]) -> NDArray[np.float64]:
    """What each level scores against each other, as first and second in turn; half a point for a draw."""
    probabilities = np.array([probabilities_of(graph, level, False) for level in levels]).T.copy()
    start = graph.number(graph.game.start)
    results = np.empty((len(levels), len(levels)))
    ended = ((graph.values + 1) / 2)[:, None] * ~graph.going[:, None]
    for i in range(len(levels)):
        mine = np.repeat(ended, len(levels), axis=1)  # points for level i, when it is to move, against each other level
        theirs = np.repeat((1 - ended) * ~graph.going[:, None], len(levels), axis=1)
        for positions, edges, begins in layers(graph):
            after_mine, after_theirs = graph.after(mine, theirs, edges), graph.after(theirs, mine, edges)
            mine[positions] = np.add.reduceat(after_mine * probabilities[edges, i][:, None], begins)
            theirs[positions] = np.add.reduceat(after_theirs * probabilities[edges], begins)
        results[i] = (mine[start] + theirs[start]) / 2
    return results


def evenest(levels: list[Level], scores: NDArray[np.float64]) -> list[int]:
    """The numbers of ten levels from the first to the last, each at least as good by noise and by sight as the one
    before, with the smallest step as large as possible."""  # noqa: D205, D209
    above = np.array([[b.noise <= a.noise and b.sight >= a.sight and a != b for b in levels] for a in levels])
    steps = np.where(above, scores.T, 0.0)  # steps[a, b]: what b scores against a
    least = np.full((LEVELS, len(levels)), -1.0)
    came = np.zeros((LEVELS, len(levels)), int)
    least[0, 0] = 1.0
    for place in range(1, LEVELS):
        ways = np.minimum(least[place - 1][:, None], steps)
        came[place], least[place] = ways.argmax(axis=0), ways.max(axis=0)
    chain = [len(levels) - 1]
    for place in range(LEVELS - 1, 0, -1):
        chain.append(int(came[place, chain[-1]]))
    return chain[::-1]
