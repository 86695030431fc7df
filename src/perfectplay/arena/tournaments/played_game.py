"""A game of a tournament as it is recorded: one JSON object, a line of the record file."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from perfectplay.arena.tournaments.deeds import Deeds, deeds_of
from perfectplay.words import FIRST, SECOND, Cause

RESULTS = {FIRST: "1-0", SECOND: "0-1", None: "1/2-1/2"}
"""The result of a game by its winner, as game records write it."""
WINNERS = {text: winner for winner, text in RESULTS.items()}


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: who played, what was played, how long each move took, and what each move gave away.

    `opening` are the moves that were made for the players; `position` is the text of the position that they played
    from, empty for the start; `moves` are only those of the players. `clock` has the seconds of each of them, `regret`
    what each gave away: None where that is not proven. `thrown` says whether a player threw dice where it had a choice.
    """

    number: int
    game: str
    players: tuple[str, str]
    moves: tuple[str, ...]
    result: str
    opening: tuple[str, ...] = ()
    position: str = ""
    clock: tuple[float, ...] = ()
    movers: tuple[int, ...] = ()
    """The side that made each move."""
    cause: Cause | None = None
    """Why the loser forfeited the game; None for a game that was played to its end."""
    fault: str = ""
    """What the loser did, and the position in which it did."""
    regret: tuple[float | None, ...] = ()
    wasted: tuple[int | None, ...] = ()
    """By how many plies each move made a win longer or a loss shorter than need be."""
    margin: int | None = None
    printed: tuple[str, str] = ("", "")
    """The beginning of what each bot wrote to standard error during the game."""
    unfinished: bool = False
    """Whether the game was called a draw because it went on too long."""
    thrown: bool = False
    nodes: tuple[int | None, int | None] = (None, None)
    """The nodes that each player searched, if it told."""
    unproven: tuple[int, int] = (0, 0)
    """The moves that each player could not prove to be best in its time."""
    values: tuple[float | None, ...] = ()
    """What the position before each move was worth to its mover: win 1, draw 1/2, loss 0; None if not proven."""
    points: tuple[int | None, ...] = ()
    """The points that each move gave away, in a game for points."""
    forfeit_regret: float | None = None
    """What the forfeit gave away: the value of the position in which it happened; None if that is not proven."""

    @cached_property
    def deeds(self) -> tuple[Deeds, Deeds]:
        """What each side did in the game, as sums over its moves and a forfeit."""
        loser = None if self.cause is None or self.winner is None else 1 - self.winner
        forfeit = None if loser is None else (loser, self.forfeit_regret)
        return deeds_of(self.movers, self.clock, self.regret, self.values, self.wasted, self.points, forfeit)

    @cached_property
    def packed_deeds(self) -> bytes:
        """The same as numbers of double precision, so that those of many games are added up fast."""
        return array("d", [*self.deeds[0], *self.deeds[1]]).tobytes()

    @property
    def winner(self) -> int | None:
        """The side that won, None for a draw."""
        return WINNERS[self.result]

    def to_dict(self) -> dict[str, object]:
        """The game as a line of the record."""
        facts: dict[str, object] = {
            "number": self.number,
            "game": self.game,
            "players": list(self.players),
            "opening": list(self.opening),
            "position": self.position,
            "moves": list(self.moves),
            "movers": list(self.movers),
            "clock": [round(seconds, 6) for seconds in self.clock],
            "result": self.result,
            "cause": None if self.cause is None else str(self.cause),
            "regret": list(self.regret),
            "wasted": list(self.wasted),
            "dice": self.thrown,
        }
        rare = {
            "fault": self.fault,
            "margin": self.margin,
            "unfinished": self.unfinished or None,
            "stderr": list(self.printed) if any(self.printed) else None,
            "nodes": None if self.nodes == (None, None) else list(self.nodes),
            "unproven": list(self.unproven) if any(self.unproven) else None,
            "values": list(self.values) or None,
            "points": list(self.points) if any(one is not None for one in self.points) else None,
            "forfeit_regret": self.forfeit_regret,
        }
        return {**facts, **{key: value for key, value in rare.items() if value not in ("", None)}}


def played_game(facts: dict[str, Any]) -> PlayedGame:
    """The game in a line of the record; raises KeyError, TypeError or ValueError if it is none."""
    if facts["result"] not in WINNERS:
        raise ValueError(f"the result {facts['result']!r} is none of {', '.join(WINNERS)}")
    return PlayedGame(
        int(facts["number"]),
        str(facts["game"]),
        pair([str(name) for name in facts["players"]]),
        tuple(map(str, facts["moves"])),
        facts["result"],
        tuple(map(str, facts.get("opening", ()))),
        str(facts.get("position", "")),
        amounts(map(float, facts.get("clock", ()))),
        tuple(map(int, facts.get("movers", ()))),
        None if facts.get("cause") is None else Cause(facts["cause"]),
        str(facts.get("fault", "")),
        amounts(facts.get("regret", ()), most=1),
        amounts(facts.get("wasted", ())),
        facts.get("margin"),
        pair(facts.get("stderr", ("", ""))),
        bool(facts.get("unfinished")),
        bool(facts.get("dice")),
        pair(facts.get("nodes", (None, None))),
        pair(facts.get("unproven", (0, 0))),
        amounts(facts.get("values", ()), most=1),
        amounts(facts.get("points", ())),
        *amounts([facts.get("forfeit_regret")], most=1),
    )


def amounts(values: Iterable[Any], most: int = 10**15) -> tuple[Any, ...]:
    """The numbers, None where nothing is known; raises ValueError for anything but numbers from 0 to `most`."""
    numbers = tuple(values)
    for one in numbers:
        if one is not None and not (isinstance(one, int | float) and 0 <= one <= most):
            raise ValueError(f"{one!r} is not a number from 0 to {most:,}")
    return numbers


def pair(values: Sequence[Any]) -> tuple[Any, Any]:
    """Two values as a pair."""
    first, second = values
    return first, second
