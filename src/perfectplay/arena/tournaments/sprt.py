"""A sequential test of a match of two, which tells whether the first player is stronger by ELO0 or by ELO1.

It is a generalised sequential probability ratio test: the likelihoods are those of the likeliest distributions of
scores with either mean. Where an opening is played from both sides, the two games are one observation of five scores;
a game without its partner is one of three.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import log

import numpy as np
from numpy.typing import NDArray

from perfectplay.arena.tournaments.played_game import PlayedGame, evidence_games
from perfectplay.arena.tournaments.ratings import SCALE, Observation, observations
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.rules.notation import number_of
from perfectplay.views.json_facts import Fact, digits, each, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST

ERROR = 0.05
"""The probability of a wrong decision, either way."""
UPPER = log((1 - ERROR) / ERROR)
UNSEEN = 1e-3
"""Scores that never came up count as this many observations, so that no variance is 0."""
HALVINGS = 50
"""Steps of the bisection: more make no difference in double precision."""
CONTINUE, ACCEPTED_0, ACCEPTED_1 = "continue", "accepted H0", "accepted H1"
STATES = {CONTINUE: "not decided yet", ACCEPTED_0: "H0 is accepted", ACCEPTED_1: "H1 is accepted"}
"""The states of a test in words."""


@dataclass(frozen=True)
class Sprt(metaclass=ResultClass):
    """The state of a test: H0 says that the first player is `elo0` stronger, H1 that it is `elo1`.

    `llr` is the logarithm of the likelihood ratio; the test ends when it leaves the bounds. `last` is the number of the
    last game that counts, None if there is none.
    """

    elo0: float
    elo1: float
    llr: float = 0.0
    observations: int = 0
    last: int | None = None

    def __str__(self) -> str:
        low, high = self.bounds
        return (
            f"SPRT, H0: {self.elo0:+g} Elo, H1: {self.elo1:+g} Elo: {STATES[self.state]} after "
            f"{number_of(self.observations, 'observation')}; LLR {self.llr:.2f}, bounds {low:.2f} and {high:.2f}"
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which H0 and H1 are accepted."""
        return -UPPER, UPPER

    @property
    def state(self) -> str:
        """`accepted H0`, `accepted H1` or `continue`."""
        return ACCEPTED_1 if self.llr >= UPPER else ACCEPTED_0 if self.llr <= -UPPER else CONTINUE

    @property
    def decided(self) -> bool:
        """Whether the test is over."""
        return self.state != CONTINUE

    to_dict = json_facts(
        *("elo0", "elo1"),
        *each("llr", "bounds", encode=digits(4)),
        *("state", "observations", Fact("last", "last_game")),
    )


def sprt(tournament: Tournament, games: Iterable[PlayedGame], pending: Container[int] = ()) -> Sprt:
    """The test after these games, taken in the order of their numbers, up to the first that is still to be played.

    So the decision is the same whichever game ends first. Numbers that are neither played nor pending are left out.
    """
    assert tournament.sprt is not None
    elo0, elo1 = tournament.sprt
    whole = whole_observations(before_pending(games, pending))
    one = tournament.labels[FIRST]
    singles, pairs = score_counts(whole, one, 1), score_counts(whole, one, 2)
    ratios = likelihood_ratios(singles, elo0, elo1) + likelihood_ratios(pairs, elo0, elo1)
    over = np.flatnonzero(np.abs(ratios) >= UPPER)
    count = int(over[0]) + 1 if len(over) else len(whole)
    if not count:
        return Sprt(elo0, elo1)
    return Sprt(elo0, elo1, float(ratios[count - 1]), count, whole[count - 1][-1].number)


def before_pending(games: Iterable[PlayedGame], pending: Container[int]) -> list[PlayedGame]:
    """The games with lower numbers than all that are still to be played."""
    numbered = {game.number: game for game in games}
    numbers = takewhile(lambda number: number not in pending, range(max(numbered, default=-1) + 1))
    return [numbered[number] for number in numbers if number in numbered]


def whole_observations(games: Sequence[PlayedGame]) -> list[Observation]:
    """The observations; the last game waits for its partner."""
    entries = observations(evidence_games(games))
    return entries[:-1] if entries and len(entries[-1]) == 1 else entries


def score_counts(entries: Sequence[Observation], one: str, size: int) -> NDArray[np.float64]:
    """How often that player had each score in observations of that many games, after each of all observations."""
    steps = np.zeros((len(entries), 2 * size + 1))
    for row, games in enumerate(entries):
        if len(games) == size:
            steps[row, sum(half_points(game, one) for game in games)] = 1.0
    return np.cumsum(steps, axis=0)


def half_points(game: PlayedGame, one: str) -> int:
    """What that player has scored in a game: 2 for a win, 1 for a draw."""
    winner = game.winner
    return 1 if winner is None else 2 * int(game.players[winner] == one)


def likelihood_ratios(counts: NDArray[np.float64], elo0: float, elo1: float) -> NDArray[np.float64]:
    """The logarithm of the likelihood ratio of H1 to H0 for each row of counts of equally spaced scores from 0 to 1."""
    if not counts.any():
        return np.zeros(len(counts))
    scores = np.linspace(0, 1, counts.shape[1])
    filled = np.where(counts > 0, counts, UNSEEN)
    logs = [log_shares(filled, scores - 1 / (1 + np.exp(-SCALE * elo))) for elo in (elo0, elo1)]
    return np.asarray((counts * (logs[1] - logs[0])).sum(axis=1))


def log_shares(counts: NDArray[np.float64], ahead: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithms of the likeliest probabilities with mean 0, compared to the observed shares, for each row.

    `ahead` are the scores minus the wanted mean. The probabilities are share / (1 + x * ahead) for the x that makes the
    mean 0; it lies between the poles, and the mean falls as it grows.
    """
    low = np.full((len(counts), 1), -1 / ahead[-1])
    high = np.full((len(counts), 1), -1 / ahead[0])
    for _ in range(HALVINGS):
        x = (low + high) / 2
        is_high = (counts * ahead / (1 + x * ahead)).sum(axis=1, keepdims=True) < 0
        low, high = np.where(is_high, low, x), np.where(is_high, x, high)
    return np.asarray(-np.log1p((low + high) / 2 * ahead))
