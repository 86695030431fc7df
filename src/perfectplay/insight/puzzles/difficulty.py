"""How likely imperfect players go wrong in a position: the levels 1 to 10, each noisy and with a limited sight."""

from fractions import Fraction

from perfectplay.players.models.levels import ALL, USUAL, Level
from perfectplay.solvers.worth import Study
from perfectplay.words import Move

FAR = 1 << 21
"""More plies than any distance, and than the sight of a level that sees everything."""
Scores = dict[Move, int]


def scores_within(study: Study, plies: int) -> Scores:
    """The score of each move to a player who sees so many plies ahead: 0 where the game lasts longer.

    In games for points, where nothing is known of distances, a player sees the margin or nothing.
    """
    scores = dict.fromkeys(study.moves, 0)
    for move, worth in study.moves.items():
        if worth.margin is not None:
            scores[move] = worth.margin if plies >= ALL else 0
        elif worth.distance is not None and worth.distance <= plies:
            scores[move] = worth.least * (FAR - worth.distance)
    return scores


def looks_best(study: Study, plies: int) -> list[Move]:
    """The moves that look best to a player who sees so many plies ahead."""
    scores = scores_within(study, plies)
    most = max(scores.values())
    return [move for move, score in scores.items() if score == most]


def depth_to_see(study: Study, move: Move) -> int:
    """The depth from which on a player sees that another move is better; 0 if one always sees it."""
    depths = sorted({worth.distance for worth in study.moves.values() if worth.distance is not None})
    if any(worth.margin is not None for worth in study.moves.values()):
        depths = [ALL]
    for before, depth in zip([0, *depths][::-1], [*depths, ALL][::-1], strict=True):
        if move in looks_best(study, before):
            return depth
    return 0


def error_probability(study: Study, level: Level) -> Fraction:
    """The probability that a player of that level worsens the result."""
    failing = set(study.failing)
    if not failing:
        return Fraction(0)
    liked = looks_best(study, level.sight)
    slip, sight = Fraction(len(failing), len(study.moves)), Fraction(sum(move in failing for move in liked), len(liked))
    return level.noise * slip + (1 - level.noise) * sight


def difficulty(study: Study) -> Fraction:
    """The probability that a player goes wrong here: the mean over the levels."""
    return sum((error_probability(study, level) for level in USUAL), Fraction(0)) / len(USUAL)
