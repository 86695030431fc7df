"""Ratings on the Elo scale by maximum likelihood, with errors that account for draws and for games in pairs.

The expected score of a player who is `d` ahead is 1 / (1 + 10^(-d / 400)); moving first is worth an advantage that is
estimated as well. docs/explanation/ratings.md has the formulas.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import erf, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.arena.tournaments.played_game import PlayedGame

SCALE = log(10) / 400
"""What an Elo point is on the logistic scale."""
SURE = 1.959964
"""The standard errors on either side of an estimate that make a 95% confidence interval."""
CLOSE = 1e-10
"""The fit ends when no rating changes by more, on the logistic scale."""
MOST_STEPS = 100

Matrix = NDArray[np.float64]


class Result(NamedTuple):
    """A game that counts: the players by index, the score of the first, and the observation that it belongs to.

    The games of one opening from both sides share a cluster; a cluster never has games of several pairings.
    """

    first: int
    second: int
    score: float
    cluster: int


@dataclass(frozen=True, eq=False)
class Ratings:
    """The rating of each player, 0 in the mean, and how exact it is; `covariance` is that of the ratings.

    `advantage` is what moving first is worth. `prior`: without a drawn game of each player against an average opponent
    there is no finite answer; `groups`: players of several groups have won or lost all games against the others, or
    have not met. `sided`: the advantage cannot be told from the ratings, and is taken to be 0.
    """

    elo: Matrix
    covariance: Matrix
    advantage: float = 0.0
    advantage_error: float = 0.0
    prior: bool = False
    sided: bool = False
    groups: int = 1

    def error(self, player: int) -> float:
        """The standard error of a rating."""
        return sqrt(self.covariance[player, player])

    def difference_error(self, one: int, other: int) -> float:
        """The standard error of the difference of two ratings."""
        covariance = self.covariance
        return sqrt(max(0.0, covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]))

    def interval(self, player: int) -> tuple[float, float]:
        """The 95% confidence interval of a rating."""
        half = SURE * self.error(player)
        return float(self.elo[player] - half), float(self.elo[player] + half)

    def superiority(self, one: int, other: int) -> float:
        """The likelihood that one player is stronger than the other."""
        return normal((self.elo[one] - self.elo[other]) / (self.difference_error(one, other) or 1.0))


class Counts(NamedTuple):
    """Games and points of each player as first against each other one: what the ratings depend on."""

    games: Matrix
    points: Matrix


class Fit(NamedTuple):
    """Strengths and advantage on the logistic scale, and the expected scores that follow."""

    strength: Matrix
    advantage: float
    expected: Matrix


class Shape(NamedTuple):
    """What the results can tell: groups in which ratings are finite, and whether the advantage is, or is known."""

    groups: NDArray[np.int64]
    finite: bool
    sided: bool

    @property
    def prior(self) -> bool:
        """Whether maximum likelihood has no finite answer."""
        return not self.finite or len(np.unique(self.groups)) > 1


def rate(results: Sequence[Result], players: int) -> Ratings:
    """The ratings of so many players after these games."""
    table = np.fromiter(chain.from_iterable(results), np.float64, 4 * len(results)).reshape(-1, 4)
    first, second, score = table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]
    place, cells = first * players + second, players * players
    counts = Counts(
        np.bincount(place, minlength=cells).reshape(players, players).astype(np.float64),
        np.bincount(place, weights=score, minlength=cells).reshape(players, players).astype(np.float64),
    )
    shape = shape_of(counts)
    fit = newton_fit(counts, shape)
    cluster = np.unique(table[:, 3], return_inverse=True)[1].reshape(-1)
    inside = shape.groups[first] == shape.groups[second]
    errors = score - fit.expected[first, second]
    variances = (fit.expected * (1 - fit.expected))[first, second]
    residuals = Residuals(
        errors[inside], variances[inside], cluster[inside], np.where(first < second, 1.0, -1.0)[inside]
    )
    return with_errors(counts, shape, fit, residuals)


def shape_of(counts: Counts) -> Shape:
    """What the results can tell.

    Likelihood has no finite maximum in a direction in which every result that was seen becomes likelier, or stays as
    likely as it is: these are systems of differences, which have a solution unless there is a cycle of negative length.
    """
    won, lost = counts.points > 0, counts.points < counts.games
    scored = won | lost.T
    reach = closure(scored)
    both = reach & reach.T
    groups = np.argmax(both, axis=1)
    pairs = counts.games > 0
    if not pairs.any() or has_solution(pairs, pairs):
        return Shape(groups, True, True)
    return Shape(groups, not (has_solution(won, lost) or has_solution(lost.T, won.T)), False)


def closure(scored: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who has scored against whom, directly or through others; everybody reaches himself."""
    reach = scored | np.eye(len(scored), dtype=bool)
    for k in range(len(reach)):
        reach |= reach[:, k, None] & reach[None, k, :]
    return reach


def has_solution(above: NDArray[np.bool_], below: NDArray[np.bool_]) -> bool:
    """Whether there are x with x[j] <= x[i] + 1 wherever above[i, j], and x[i] <= x[j] - 1 wherever below[i, j]."""
    far = np.where(above, 1.0, np.inf)
    far = np.minimum(far, np.where(below, -1.0, np.inf).T)
    np.fill_diagonal(far, np.minimum(far.diagonal(), 0.0))
    for k in range(len(far)):
        far = np.minimum(far, far[:, k, None] + far[None, k, :])
        if (far.diagonal() < 0).any():
            return False
    return True


def newton_fit(counts: Counts, shape: Shape) -> Fit:
    """The strengths that make the results likeliest, by Newton's method with halved steps."""
    players = len(counts.games)
    fit, height = at(counts, shape, np.zeros(players + 1))
    for _ in range(MOST_STEPS):
        step = newton_step(information(counts, shape, fit), slope(counts, shape, fit), shape)
        here = np.append(fit.strength, fit.advantage)
        while True:
            fit, higher = at(counts, shape, here + step)
            if higher >= height - 1e-12 * abs(height) or np.abs(step).max() < CLOSE:
                break
            step = step / 2
        height = higher
        if np.abs(step).max() < CLOSE:
            break
    return fit


def at(counts: Counts, shape: Shape, values: Matrix) -> tuple[Fit, float]:
    """The fit with these strengths and this advantage, and its logarithmic likelihood."""
    strength, advantage = values[:-1] - values[:-1].mean(), float(values[-1])
    ahead = strength[:, None] - strength[None, :] + advantage
    height = -(counts.points * np.logaddexp(0, -ahead) + (counts.games - counts.points) * np.logaddexp(0, ahead)).sum()
    if shape.prior:
        also = np.append(strength, advantage)
        height -= 0.5 * (np.logaddexp(0, also) + np.logaddexp(0, -also)).sum()
    return Fit(strength, advantage, 1 / (1 + np.exp(-ahead))), float(height)


def slope(counts: Counts, shape: Shape, fit: Fit) -> Matrix:
    """The gradient of the logarithmic likelihood."""
    residuals = counts.points - counts.games * fit.expected
    gradient = np.append(residuals.sum(axis=1) - residuals.sum(axis=0), residuals.sum())
    if shape.prior:
        pull = 0.5 - logistic(np.append(fit.strength, fit.advantage))
        gradient += np.append(pull[:-1] - pull[:-1].mean(), pull[-1])
    return gradient


def information(counts: Counts, shape: Shape, fit: Fit) -> Matrix:
    """The information of the games, and of the prior if there is one: the negative second derivatives."""
    games = games_information(counts.games * fit.expected * (1 - fit.expected))
    return games + prior_information(fit) if shape.prior else games


def games_information(weights: Matrix) -> Matrix:
    """The information of games with these variances; the advantage comes last."""
    rows, columns = weights.sum(axis=1), weights.sum(axis=0)
    matrix = np.empty((len(weights) + 1, len(weights) + 1))
    matrix[:-1, :-1] = np.diag(rows + columns) - weights - weights.T
    matrix[:-1, -1] = matrix[-1, :-1] = rows - columns
    matrix[-1, -1] = weights.sum()
    return matrix


def prior_information(fit: Fit) -> Matrix:
    """The information of a drawn game of each player against the mean of all, and of one between equals."""
    chance = logistic(np.append(fit.strength, fit.advantage))
    players = len(fit.strength)
    from_mean = np.eye(players + 1)
    from_mean[:-1, :-1] -= 1 / players
    return np.asarray(from_mean @ np.diag(chance * (1 - chance)) @ from_mean)


def newton_step(matrix: Matrix, right: Matrix, shape: Shape) -> Matrix:
    """The solution with strengths of mean 0, and without an advantage where it is not known."""
    return np.asarray(np.linalg.solve(regular(matrix, shape), np.append(right[:-1], 0.0 if shape.sided else right[-1])))


def regular(matrix: Matrix, shape: Shape) -> Matrix:
    """The information, made regular by what is fixed: the mean of the strengths, and an advantage that is unknown."""
    full = matrix.copy()
    full[:-1, :-1] += 1.0
    if shape.sided:
        full[-1, :] = full[:, -1] = 0.0
        full[-1, -1] = 1.0
    return full


class Residuals(NamedTuple):
    """Of each game: its score minus the expected one, the variance without draws, its cluster, and who it is for."""

    errors: Matrix
    variances: Matrix
    cluster: NDArray[np.int64]
    sign: Matrix

    def dispersion(self, signed: bool, fixed: int) -> float:
        """The variance of the observed scores compared to games without draws; `fixed` parameters were fitted.

        A game of just that variance is added, so that it is never 0.
        """
        if not len(self.errors):
            return 1.0
        sums = np.bincount(self.cluster, weights=self.errors * self.sign if signed else self.errors)
        observations = len(np.unique(self.cluster))
        one = self.variances.mean()
        squares = (sums**2).sum() * observations / max(1, observations - fixed)
        return float((squares + one) / (self.variances.sum() + one))


def with_errors(counts: Counts, shape: Shape, fit: Fit, residuals: Residuals) -> Ratings:
    """The ratings with their errors.

    Dispersion is estimated where ratings are finite; between groups that are not, and of the prior, it is 1.
    """
    weights = counts.games * fit.expected * (1 - fit.expected)
    inside = shape.groups[:, None] == shape.groups[None, :]
    groups = len(np.unique(shape.groups))
    fixed = len(shape.groups) - groups
    inverse = np.linalg.inv(regular(information(counts, shape, fit), shape))
    observed = games_information(np.where(inside, weights, 0.0))
    assumed = games_information(np.where(inside, 0.0, weights))
    if shape.prior:
        assumed += prior_information(fit)

    def covariance(signed: bool) -> Matrix:
        times = residuals.dispersion(signed, fixed if signed else fixed + 1) if shape.finite else 1.0
        return np.asarray(inverse @ (times * observed + assumed) @ inverse) / SCALE**2

    players = len(fit.strength)
    centre = np.eye(players) - 1 / players
    covariances = centre @ covariance(True)[:-1, :-1] @ centre
    error = 0.0 if shape.sided else sqrt(covariance(False)[-1, -1])
    return Ratings(fit.strength / SCALE, covariances, fit.advantage / SCALE, error, shape.prior, shape.sided, groups)


def logistic(x: Matrix) -> Matrix:
    """The expected score of one that is x ahead."""
    return np.asarray(1 / (1 + np.exp(-x)))


def normal(x: float) -> float:
    """The probability that a standard normal variable is below x."""
    return 0.5 * (1 + erf(x / sqrt(2)))


# Games as observations: the two games of an opening, from both sides, are one.


Observation = tuple[PlayedGame, ...]
"""Two games of a pairing in a row, of the same opening from both sides; or a single game."""


def observations(games: Iterable[PlayedGame]) -> list[Observation]:
    """The games as observations, in the order of the numbers of their last games."""
    waiting: dict[frozenset[str], PlayedGame] = {}
    result: list[Observation] = []
    for game in sorted(games, key=lambda game: game.number):
        pairing = frozenset(game.players)
        before = waiting.pop(pairing, None)
        if before is not None and is_partner(before, game):
            result.append((before, game))
            continue
        if before is not None:
            result.append((before,))
        waiting[pairing] = game
    result += [(game,) for game in waiting.values()]
    return sorted(result, key=lambda observation: observation[-1].number)


def is_partner(one: PlayedGame, other: PlayedGame) -> bool:
    """Whether both have the same opening, from both sides."""
    return one.players == other.players[::-1] and (one.opening, one.position) == (other.opening, other.position)
