"""Measures of a game from the games of perfect and of random players: their lengths, and the numbers of moves.

Games of perfect players that may go on for ever have no mean, and None stands for it.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import COMPILED_BITS, Game, images, start_is_symmetric
from perfectplay.insight.scene import OBVIOUS
from perfectplay.players.models.game_graph import Graph, compiled_graph, plain_graph
from perfectplay.players.models.level_games import SKILLS, LevelGames, Scores, Visits
from perfectplay.players.models.level_policies import probabilities_of
from perfectplay.players.models.policies import scores_within
from perfectplay.solvers.memory.interpreted import SMALL, Reached
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import DRAW, FIRST, SECOND, NotCompiled

RANDOM, GOOD = 0, -1
"""The first level plays at random, the last perfectly."""
NEVER_ENDS = 1e-9
"""The probability of an endless game that may be the error of a float."""
PLAYERS = (("", GOOD), ("_random", RANDOM))
"""The ends of the names of columns, and the level that each is about."""


def sharpness(games: LevelGames) -> Steps[dict[str, object]]:
    """The share of moves that keep the result, in the positions that good play meets."""
    graph, visits = games.graph, (yield from games.visited())
    keeps = graph.over_edges(np.add, (~worsening(graph)).astype(float), np.zeros(graph.counts.size))
    return {"sharpness": mean_share(games, visits, keeps)}


def traps(games: LevelGames) -> Steps[dict[str, object]]:
    """The share of moves that worsen the result but look best two plies ahead, in the positions of good play."""
    graph, visits = games.graph, (yield from games.visited())
    if graph.margins is not None:  # as in explanations: nothing is known of how soon points are made
        return {"traps": None}
    tempting = worsening(graph) & graph.best(scores_within(graph, OBVIOUS))
    trapped = graph.over_edges(np.add, tempting.astype(float), np.zeros(graph.counts.size))
    return {"traps": mean_share(games, visits, trapped)}


def mean_share(games: LevelGames, visits: Visits, counts: NDArray[np.float64]) -> float | None:
    """The mean of these counts as shares of the legal moves, over the positions that good play meets."""
    met = met_by(games, visits, GOOD)
    return None if met is None else mean_and_spread(counts / np.maximum(games.graph.counts, 1), met)[0]


def branching(games: LevelGames) -> Steps[dict[str, object]]:
    """The legal moves in the positions that good and random play meet: mean and standard deviation."""
    visits = yield from games.visited()
    columns: dict[str, object] = {}
    for ending, level in PLAYERS:
        met = met_by(games, visits, level)
        both = (None, None) if met is None else mean_and_spread(games.graph.counts.astype(float), met)
        columns |= zip((f"branching{ending}", f"branching{ending}_spread"), both, strict=True)
    return columns


def length(games: LevelGames) -> Steps[dict[str, object]]:
    """The plies of a game under good and random play: mean and standard deviation."""
    graph, visits = games.graph, (yield from games.visited())
    columns: dict[str, object] = {}
    for ending, level in PLAYERS:
        mean = deviation = None
        met = met_by(games, visits, level)
        if met is not None:
            mean = round(float(met.sum()), DIGITS)
            squares = float((2 * visits.later[:, level] + visits.both[:, level])[graph.going].sum())  # 1 + 3 + 5 + ...
            deviation = root(squares - mean**2, squares)
        columns |= {f"length{ending}": mean, f"length{ending}_spread": deviation}
    return columns


def first_moves(games: LevelGames) -> Steps[dict[str, object]]:
    """The number of first moves that keep the result, and of all that are legal."""
    yield from ()
    edges = games.graph.edges(games.start)
    keeping = ~worsening(games.graph)[edges]
    return {"first_moves": int(keeping.sum()), "first_moves_legal": int(keeping.size)}


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


# Measures from games between imperfect players of equal or different strength, by exact odds.


STRONGER = 0.55 - 1e-9
"""The score from which on a level counts as stronger than another, less what floats may be wrong by."""
WINDOW = 6
"""Levels of skill that meet at once: most steps are shorter."""
DIGITS = 12
"""Decimals that are kept of a probability: the others are errors of floats."""


def fairness(games: LevelGames) -> Steps[dict[str, object]]:
    """The first player's score between equal players: the mean over the levels, and each."""
    graph, visits = games.graph, (yield from games.visited())
    over = ~graph.going
    ends = visits.sides[over]
    scores = ((ends[:, FIRST] - ends[:, SECOND]) * graph.values[over][:, None]).sum(axis=0)
    return in_columns("fairness", np.asarray((1 + scores) / 2))


def decisiveness(games: LevelGames) -> Steps[dict[str, object]]:
    """The probability that equal players do not draw: the mean over the levels, and each."""
    graph, visits = games.graph, (yield from games.visited())
    return in_columns("decisiveness", visits.both[~graph.going & (graph.values != DRAW)].sum(axis=0))


def drama(games: LevelGames) -> Steps[dict[str, object]]:
    """How often the result changes between equal players: the mean over the levels but the perfect one, and each."""
    graph, both = games.graph, (yield from games.visited()).both
    worse = worsening(graph)
    means = []
    for number, level in enumerate(games.levels[:-1]):
        changes = graph.over_edges(np.add, probabilities_of(graph, level, False) * worse, np.zeros(graph.counts.size))
        means.append(float(changes @ both[:, number]))
    each = [round(number, DIGITS) for number in means]
    return {"drama": round(float(np.mean(means)), DIGITS), "drama_levels": each}


def worsening(graph: Graph) -> NDArray[np.bool_]:
    """The edges that worsen the result."""
    return np.asarray(graph.results != graph.values[graph.parents])


def depth(games: LevelGames) -> Steps[dict[str, object]]:
    """The number of levels of skill above random that can be told apart.

    The noise falls in steps; a level counts if it scores enough against the last one that counted.
    """
    count, last, begin = 0, 0, 1
    while begin < len(SKILLS):
        window = [last, *range(begin, min(begin + WINDOW - 1, len(SKILLS)))]
        scores = yield from games.scores(tuple(SKILLS[number] for number in window), is_decided)
        stronger = distinct_levels(scores)
        count, last, begin = count + len(stronger), window[[0, *stronger][-1]], window[-1] + 1
    return {"depth": count}


def distinct_levels(scores: Scores) -> list[int]:
    """The levels that count, given what each scores against each other; the first is the last that counted before."""
    levels = [0]
    for level in range(1, len(scores)):
        if scores[level, levels[-1]] >= STRONGER:
            levels.append(level)
    return levels[1:]


def is_decided(scores: Scores, errors: Scores) -> bool:
    """Whether the same levels count, whatever the scores are within these errors."""
    last = 0
    for level in range(1, len(scores)):
        if errors[level, last] >= abs(scores[level, last] - STRONGER):
            return False
        if scores[level, last] >= STRONGER:
            last = level
    return True


def in_columns(name: str, levels: NDArray[np.float64]) -> dict[str, object]:
    """The mean, the number of level 1, which plays at random, and that of each level."""
    each = [round(float(number), DIGITS) for number in levels]
    return {name: round(float(levels.mean()), DIGITS), f"{name}_random": each[0], f"{name}_levels": each}


# The graph of a variant that is being swept: one that gives the same odds as `odds` does.


FOLDED = 10_000
"""Games with cycles of more positions than this are faster with one position of each symmetry class, compiled."""


def graph_of(game: Game, positions: int) -> Steps[Graph]:
    """The graph of a game of so many positions; raises TooBig or NotCompiled.

    Only small games without cycles have levels of their own, and these depend on how many moves the graph has; so
    such a game has all its positions in the graph, as it has for `odds`.
    """
    if positions > SMALL:
        return (yield from compiled_graph(game, symmetric=True))
    forward = Reached(game)
    while forward.next_ply():
        yield Step("positions", len(forward.positions), positions)
    graph = plain_graph(game, forward)
    compiles = game.key is not None and game.bits <= COMPILED_BITS
    folds = compiles and start_is_symmetric(game) and images(game).count > 1
    if positions > FOLDED and folds and not LevelGames(graph, 0).ends:
        try:
            return (yield from compiled_graph(game, symmetric=True))
        except NotCompiled:
            pass
    return graph
