"""The rows of a tournament's result: players, pairings and the first-move advantage, as plain values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

from perfectplay.arena.tournaments.played_game import Deeds
from perfectplay.arena.tournaments.ratings import SURE
from perfectplay.rules.notation import number_of
from perfectplay.views.json_facts import Fact, each, facts_in, json_facts, unless_none
from perfectplay.views.numbers import elo
from perfectplay.views.result import ResultClass
from perfectplay.words import Cause


class FirstFault(NamedTuple):
    """The first game that a player forfeited for some cause, and what it did there, in a line."""

    game: int
    said: str


def fault_fields(faults: Mapping[str, FirstFault], times: bool) -> dict[str, object]:
    """These games by cause, as in JSON; without times nothing of the clock is said."""
    return {
        cause: {"game": one.game, "fault": one.said if times or cause != Cause.TIME else cause}
        for cause, one in faults.items()
    }


def rounded(digits: int) -> Callable[[Any], Any]:
    """Numbers with so many digits after the point, never -0; None stays None."""
    return unless_none(lambda number: round(number, digits) + 0.0)


@dataclass(frozen=True, kw_only=True)
class PlayerStanding(metaclass=ResultClass):
    """A player's place and what it rests on; what is not known is None, such as regret where a game is not solved.

    `score` is a point a win and half a point a draw. `low` and `high` are the 95% confidence interval of the rating;
    `superiority` is the likelihood that it is stronger than the next in rank. `judged_moves` are those of which the
    regret is proven: `optimal_moves`, `blunders` and `regret_per_move` are about them. A forfeit counts as a move that
    gives away all that the position is worth, and is never optimal.
    """

    rank: int
    name: str
    score: float
    rating: float
    low: float
    high: float
    superiority: float | None
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: Mapping[str, int] = field(default_factory=dict)
    """How often it forfeited, by cause."""
    first_faults: Mapping[str, FirstFault] = field(default_factory=dict)
    """The first of these games, by cause."""
    moves: int = 0
    seconds_per_move: float | None = None
    longest_seconds: float | None = None
    judged_moves: int = 0
    optimal_moves: int | None = None
    regret_per_move: float | None = None
    regret_per_game: float | None = None
    """The mean over games in which every move of the player is judged."""
    regret_error: float | None = None
    """Half of the width of its 95% confidence interval."""
    blunders: int | None = None
    blunder_kinds: Mapping[str, int] | None = None
    blunders_per_100: float | None = None
    longest_wasted: int | None = None
    """The most plies by which a move made a win longer or a loss shorter than need be."""
    points_per_move: float | None = None
    """The points given away by a move, in the mean, in a game for points."""

    @property
    def optimal_share(self) -> float | None:
        """The share of optimal moves among those that are judged."""
        return None if self.optimal_moves is None else self.optimal_moves / self.judged_moves

    def to_dict(self, times: bool = True) -> dict[str, object]:
        """The row in JSON; without times it is the same for the same games."""
        return facts_in(
            self,
            "name",
            *each("rating", "low", "high", encode=rounded(2)),
            *("games", "wins", "draws", "losses", "forfeits", "moves", "optimal_moves"),
            *(Fact("regret_per_move", encode=rounded(6)), "blunders", "rank", "score"),
            *(Fact("superiority", encode=rounded(4)), "judged_moves"),
            *each("regret_per_game", "regret_error", encode=rounded(6)),
            *("blunder_kinds", Fact("blunders_per_100", encode=rounded(4)), "longest_wasted"),
            Fact("first_faults", encode=partial(fault_fields, times=times)),
            Fact("points_per_move", encode=rounded(6), rare=True),
            *(each("seconds_per_move", "longest_seconds", encode=rounded(7)) if times else ()),
        )


@dataclass(frozen=True)
class PairingStanding(metaclass=ResultClass):
    """The games of two players in which `first` moved first; wins and losses are those of `first`."""

    first: str
    second: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __str__(self) -> str:
        won = f"{number_of(self.wins, 'win')}, {number_of(self.draws, 'draw')}"
        games = f"{number_of(self.games, 'game')}, {won}, {number_of(self.losses, 'loss', 'losses')}"
        return f"{self.first} first against {self.second}: {games}"

    to_dict = json_facts()


@dataclass(frozen=True)
class Advantage(metaclass=ResultClass):
    """What moving first is worth in Elo, with its 95% confidence interval, and what the first side scored.

    The Elo numbers are None where sides and players cannot be told apart, the share where there are no games.
    """

    elo: float | None = None
    low: float | None = None
    high: float | None = None
    share: float | None = None

    def __str__(self) -> str:
        if self.share is None:
            return ""
        worth = ""
        if self.elo is not None and self.low is not None and self.high is not None:
            worth = f"; moving first is worth {elo(self.elo)} Elo (95% CI {elo(self.low)} to {elo(self.high)})"
        return f"The first side scored {self.share:.1%}{worth}."

    to_dict = json_facts(*each("elo", "low", "high", encode=rounded(2)), Fact("share", encode=rounded(6)))


def quality(deeds: Deeds) -> dict[str, object]:
    """The fields of a player's row that follow from its moves."""
    facts: dict[str, object] = {"moves": int(deeds.moves), "judged_moves": int(deeds.judged_moves)}
    if deeds.timed_moves:
        facts |= {"seconds_per_move": deeds.seconds / deeds.timed_moves, "longest_seconds": deeds.longest}
    if deeds.judged_moves:
        facts |= {
            "optimal_moves": int(deeds.optimal),
            "regret_per_move": deeds.regret / deeds.judged_moves,
            "blunders": int(deeds.blunders),
            "blunder_kinds": {
                "win to draw": int(deeds.win_to_draw),
                "win to loss": int(deeds.win_to_loss),
                "draw to loss": int(deeds.draw_to_loss),
            },
            "blunders_per_100": 100 * deeds.blunders / deeds.judged_moves,
        }
    if deeds.whole:
        facts |= {"regret_per_game": deeds.whole_regret / deeds.whole, "regret_error": regret_error(deeds)}
    if deeds.wasted_moves:
        facts["longest_wasted"] = int(deeds.wasted)
    if deeds.point_moves:
        facts["points_per_move"] = deeds.points / deeds.point_moves
    return facts


def regret_error(deeds: Deeds) -> float:
    """Half of the width of the 95% confidence interval of the regret per game.

    A mistake of half a point is added to the squares, so that it is never 0: a player without a mistake may yet make
    one.
    """
    games, mean = deeds.whole, deeds.whole_regret / deeds.whole
    squares = max(0.0, deeds.whole_squares - games * mean**2) + 0.25
    return SURE * sqrt(squares / games / max(1, games - 1))
