"""What games between imperfect players of equal or different strength say of a game; all of it by exact odds."""

import numpy as np
from numpy.typing import NDArray

from perfectplay.players.models.game_graph import Graph
from perfectplay.players.models.level_games import SKILLS, LevelGames, Scores
from perfectplay.players.models.level_policies import probabilities_of
from perfectplay.solvers.steps import Steps
from perfectplay.words import DRAW, FIRST, SECOND

TOLD_APART = 0.55 - 1e-9
"""The score from which on a level counts as stronger than another, less what floats may be wrong by."""
WINDOW = 6
"""Levels of skill that meet at once: most steps are shorter."""
DIGITS = 12
"""Decimals that are kept of a probability: the others are errors of floats."""


def fairness(games: LevelGames) -> Steps[dict[str, object]]:
    """The first player's score between equal players: the mean over the levels, and each."""
    return in_columns("fairness", (yield from first_scores(games)))


def first_scores(games: LevelGames) -> Steps[NDArray[np.float64]]:
    """The first player's score between equal players of each level."""
    graph, visits = games.graph, (yield from games.visited())
    over = ~graph.going
    ends = visits.sides[over]
    return np.asarray((1 + ((ends[:, FIRST] - ends[:, SECOND]) * graph.values[over][:, None]).sum(axis=0)) / 2)


def decisiveness(games: LevelGames) -> Steps[dict[str, object]]:
    """The probability that equal players do not draw: the mean over the levels, and each."""
    graph, visits = games.graph, (yield from games.visited())
    return in_columns("decisiveness", visits.both[~graph.going & (graph.values != DRAW)].sum(axis=0))


def drama(games: LevelGames) -> Steps[dict[str, object]]:
    """How often the result changes between equal players: the mean over the levels but the perfect one, and each."""
    graph, both = games.graph, (yield from games.visited()).both
    worse = worsening(graph)
    found = []
    for number, level in enumerate(games.levels[:-1]):
        changes = graph.gathered(np.add, probabilities_of(graph, level, False) * worse, np.zeros(graph.counts.size))
        found.append(float(changes @ both[:, number]))
    each = [round(number, DIGITS) for number in found]
    return {"drama": round(float(np.mean(found)), DIGITS), "drama_levels": each}


def worsening(graph: Graph) -> NDArray[np.bool_]:
    """The edges that worsen the result."""
    return np.asarray(graph.results != graph.values[graph.parents])


def depth(games: LevelGames) -> Steps[dict[str, object]]:
    """How many levels of skill can be told apart above random.

    The noise falls in steps; a level counts if it scores enough against the last one that counted.
    """
    counted, last, begin = 0, 0, 1
    while begin < len(SKILLS):
        window = [last, *range(begin, min(begin + WINDOW - 1, len(SKILLS)))]
        scores = yield from games.scores(tuple(SKILLS[number] for number in window), is_decided)
        stronger = told_apart(scores)
        counted, last, begin = counted + len(stronger), window[[0, *stronger][-1]], window[-1] + 1
    return {"depth": counted}


def told_apart(scores: Scores) -> list[int]:
    """The levels that count, given what each scores against each other; the first is the last that counted before."""
    found = [0]
    for level in range(1, len(scores)):
        if scores[level, found[-1]] >= TOLD_APART:
            found.append(level)
    return found[1:]


def is_decided(scores: Scores, errors: Scores) -> bool:
    """Whether the same levels count, whatever the scores are within these errors."""
    last = 0
    for level in range(1, len(scores)):
        if errors[level, last] >= abs(scores[level, last] - TOLD_APART):
            return False
        if scores[level, last] >= TOLD_APART:
            last = level
    return True


def in_columns(name: str, levels: NDArray[np.float64]) -> dict[str, object]:
    """The mean, the number of level 1, which plays at random, and that of each level."""
    each = [round(float(number), DIGITS) for number in levels]
    return {name: round(float(levels.mean()), DIGITS), f"{name}_random": each[0], f"{name}_levels": each}
