"""What the games of perfect and of random players say of a game: how long they are, and how many moves there are.

Games of perfect players that may go on for ever have no mean, and None stands for it.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from perfectplay.insight.ideas import OBVIOUS
from perfectplay.insight.level_measures import DIGITS, worsening
from perfectplay.players.models.level_games import LevelGames, Visits
from perfectplay.players.models.policies import scores_within
from perfectplay.solvers.steps import Steps

RANDOM, GOOD = 0, -1
"""The first level plays at random, the last perfectly."""
NEVER_ENDS = 1e-9
"""The probability of an endless game that may be the error of a float."""
PLAYERS = (("", GOOD), ("_random", RANDOM))
"""What the names of columns end in, and the level that they are about."""


def sharpness(games: LevelGames) -> Steps[dict[str, object]]:
    """The share of moves that keep the result, in the positions that good play meets."""
    graph, visits = games.graph, (yield from games.visited())
    keeps = graph.gathered(np.add, (~worsening(graph)).astype(float), np.zeros(graph.counts.size))
    return {"sharpness": mean_share(games, visits, keeps)}


def traps(games: LevelGames) -> Steps[dict[str, object]]:
    """The share of moves that worsen the result but look best two plies ahead, in the positions of good play."""
    graph, visits = games.graph, (yield from games.visited())
    if graph.margins is not None:  # as in explanations: nothing is known of how soon points are made
        return {"traps": None}
    tempting = worsening(graph) & graph.best(scores_within(graph, OBVIOUS))
    trapped = graph.gathered(np.add, tempting.astype(float), np.zeros(graph.counts.size))
    return {"traps": mean_share(games, visits, trapped)}


def mean_share(games: LevelGames, visits: Visits, counted: NDArray[np.float64]) -> float | None:
    """The mean of these counts as shares of the legal moves, over the positions that good play meets."""
    met = met_by(games, visits, GOOD)
    return None if met is None else mean_and_spread(counted / np.maximum(games.graph.counts, 1), met)[0]


def branching(games: LevelGames) -> Steps[dict[str, object]]:
    """The legal moves in the positions that good and random play meet: mean and standard deviation."""
    visits = yield from games.visited()
    found: dict[str, object] = {}
    for ending, level in PLAYERS:
        met = met_by(games, visits, level)
        both = (None, None) if met is None else mean_and_spread(games.graph.counts.astype(float), met)
        found |= zip((f"branching{ending}", f"branching{ending}_spread"), both, strict=True)
    return found


def length(games: LevelGames) -> Steps[dict[str, object]]:
    """The plies of a game under good and random play: mean and standard deviation."""
    graph, visits = games.graph, (yield from games.visited())
    found: dict[str, object] = {}
    for ending, level in PLAYERS:
        mean = spread = None
        met = met_by(games, visits, level)
        if met is not None:
            mean = round(float(met.sum()), DIGITS)
            squares = float((2 * visits.later[:, level] + visits.both[:, level])[graph.going].sum())  # 1 + 3 + 5 + ...
            spread = root(squares - mean**2, squares)
        found |= {f"length{ending}": mean, f"length{ending}_spread": spread}
    return found


def first_moves(games: LevelGames) -> Steps[dict[str, object]]:
    """The number of first moves that keep the result, and of all that are legal."""
    yield from ()
    edges = games.graph.edges(games.start)
    kept = ~worsening(games.graph)[edges]
    return {"first_moves": int(kept.sum()), "first_moves_legal": int(kept.size)}


def met_by(games: LevelGames, visits: Visits, level: int) -> NDArray[np.float64] | None:
    """How often players of that level visit each unfinished position; None if their games may never end."""
    if visits.endless[level] > NEVER_ENDS:
        return None
    return np.where(games.graph.going, visits.both[:, level], 0.0)


def mean_and_spread(
    numbers: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[float, float] | tuple[None, None]:
    """The mean of weighted numbers, and their standard deviation; None where the game is over at the start."""
    total = float(weights.sum())
    if not total:
        return None, None
    mean = float(numbers @ weights) / total
    return round(mean, DIGITS), root(float(((numbers - mean) ** 2) @ weights) / total, mean**2)


def root(variance: float, scale: float) -> float:
    """The standard deviation; what is only the error of floats of that scale counts as none."""
    return round(sqrt(variance), DIGITS) if variance > 1e-9 * max(scale, 1.0) else 0.0
