"""What a tournament is: its game, players, format, clock and openings; plain values that are kept in its record."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from perfectplay.arena.referee import MOST_PLIES
from perfectplay.players.seat import USUAL_LIMITS, BotLimits

MOVE_SECONDS = 1.0
"""The seconds of a move where no clock is given."""


class TimeControl(NamedTuple):
    """The clock: seconds a move, or seconds a game with an increment a move; none of them is None for its kind."""

    movetime: float | None = MOVE_SECONDS
    base: float | None = None
    increment: float = 0.0

    def __str__(self) -> str:
        return f"{self.movetime:g} s per move" if self.base is None else f"{self.base:g}+{self.increment:g}"


class Opening(NamedTuple):
    """Moves made for the players from a position as text, empty for the start; `balanced` if proven to be equal."""

    moves: tuple[str, ...] = ()
    position: str = ""
    balanced: bool = False


USUAL_TIME = TimeControl()


@dataclass(frozen=True)
class Tournament:
    """The settings of a tournament; `games` is per pairing, half of them from each side."""

    game: str
    players: tuple[str, ...]
    seed: int
    format: str = "round-robin"
    games: int = 100
    rounds: int | None = None
    time: TimeControl = USUAL_TIME
    openings: tuple[Opening, ...] = ()
    sprt: tuple[float, float] | None = None
    max_plies: int = MOST_PLIES
    limits: BotLimits = USUAL_LIMITS

    @property
    def labels(self) -> tuple[str, ...]:
        """The players' names in results; one that is given several times is numbered: random, random#2."""
        counts: dict[str, int] = {}
        labels = []
        for name in self.players:
            counts[name] = counts.get(name, 0) + 1
            labels.append(name if counts[name] == 1 else f"{name}#{counts[name]}")
        return tuple(labels)

    def to_dict(self) -> dict[str, Any]:
        """The settings as the first line of the record has them."""
        time, limits, openings = self.time._asdict(), self.limits._asdict(), [one._asdict() for one in self.openings]
        return {**asdict(self), "time": time, "limits": limits, "openings": openings}


def tournament_in(facts: dict[str, Any]) -> Tournament:
    """The tournament of the first line of a record; raises KeyError, TypeError or ValueError if it is none."""
    sprt = facts["sprt"]
    return Tournament(
        **{
            **facts,
            "players": tuple(facts["players"]),
            "time": TimeControl(**facts["time"]),
            "openings": tuple(Opening(**{**one, "moves": tuple(one["moves"])}) for one in facts["openings"]),
            "sprt": None if sprt is None else (float(sprt[0]), float(sprt[1])),
            "limits": BotLimits(**facts["limits"]),
        }
    )


class Fixture(NamedTuple):
    """A game to be played: its number, the players by index, first side first, and the number of its opening."""

    number: int
    first: int
    second: int
    opening: int | None = None
