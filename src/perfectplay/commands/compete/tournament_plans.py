"""What a tournament is to be: its settings from what is asked for, from a record, or as usual."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import randbelow
from typing import Any, NamedTuple

from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.host import judge_again
from perfectplay.arena.tournaments.openings import balanced_openings, opening_file
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.tournament_record import check_same, read_record
from perfectplay.arena.tournaments.tournament_settings import Opening, TimeControl, Tournament
from perfectplay.commands.kinds import bytes_in
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import Game
from perfectplay.players.registry import player_entry
from perfectplay.players.seat import BotLimits
from perfectplay.words import BadArgument, BadPlayer

GAMES = 100
"""The games of a pairing where neither their number nor openings are given."""
LEAST_MEMORY = 16 << 20
"""The least memory of a bot, in bytes."""
MOST_ELO = 2_000.0
"""The greatest Elo difference that a sequential test takes."""
OpeningsLike = int | str | os.PathLike[str] | None
"""How many balanced openings are wanted, or the file that has them."""


class Wishes(NamedTuple):
    """The settings that are asked for; None means the usual, or what the record says."""

    format: str | None = None
    games: int | None = None
    rounds: int | None = None
    time: TimeControl | None = None
    openings: OpeningsLike = None
    sprt: tuple[float, float] | None = None
    seed: int | None = None
    max_plies: int | None = None
    limits: BotLimits | None = None

    @property
    def plain(self) -> dict[str, Any]:
        """Those that are given, as fields of a tournament; openings are not."""
        fields = {**self._asdict(), "openings": None}
        return {key: value for key, value in fields.items() if value is not None}


@dataclass(frozen=True)
class Event:
    """A tournament to be played: its settings, the games that are done, and what is to be said of the openings.

    `size` is that of the record so far, 0 if there is none to go on with.
    """

    tournament: Tournament
    done: tuple[PlayedGame, ...] = ()
    remarks: tuple[str, ...] = ()
    size: int = 0

    @property
    def total(self) -> int:
        """The number of games that are planned; fewer are played if some would repeat."""
        return FORMATS[self.tournament.format].total(self.tournament)


def planned(
    game: Game, names: tuple[str, ...], wishes: Wishes, record: str | None = None, progress: Progress | None = None
) -> Event:
    """The event with these settings, that of the record if there is one to be resumed.

    Raises BadArgument where a setting is impossible, or is not that of the record.
    """
    check_settings(names, wishes)
    if record is not None and is_begun(record):
        return recorded_event(record, wishes, game, names)
    seed = randbelow(2**32) if wishes.seed is None else wishes.seed
    chosen, remarks = chosen_openings(game, wishes.openings, seed, progress)
    usual: dict[str, Any] = {"seed": seed, "games": 2 * len(chosen) or GAMES, "openings": chosen}
    return Event(Tournament(game.name, names, **{**usual, **wishes.plain}), remarks=remarks)


def is_begun(record: str) -> bool:
    """Whether there is a record to go on with; an empty file is none."""
    return Path(record).exists() and Path(record).stat().st_size > 0


def recorded_event(
    record: str, wishes: Wishes, game: Game | None = None, names: tuple[str, ...] | None = None
) -> Event:
    """The event of a record, with its games; raises BadArgument if other settings are wanted."""
    tournament, games, size = read_record(record)
    known = {"game": tournament.game if game is None else game.name, "players": names or tournament.players}
    check_same(record, tournament, replace(tournament, **{**known, **wishes.plain}))
    check_openings(record, tournament, wishes.openings)
    return Event(tournament, tuple(judge_again(tournament, games, game)), size=size)


def check_openings(record: str, tournament: Tournament, openings: OpeningsLike) -> None:
    """Raises BadArgument if the record cannot have these openings; there may be fewer than were asked for."""
    there = len(tournament.openings)
    if openings is None or (isinstance(openings, int) and 0 < there <= openings):
        return
    if isinstance(openings, int) or not there:
        has = f"{there} openings" if there else "no openings"
        raise BadArgument(f"the record {record!r} has {has}; leave the openings out, or begin another record")


def check_settings(names: Sequence[str], wishes: Wishes) -> None:
    """Raises BadArgument or BadPlayer for a tournament that cannot be."""
    kind, sprt = wishes.format, wishes.sprt
    if len(names) < 2:
        raise BadArgument("a tournament needs two players or more")
    for name in names:
        known = player_entry(name)
        if known is not None and known.kind.name == "human":
            raise BadPlayer("human can only play in the terminal and on the page")
    if (sprt is not None or kind == "fixed-sides") and len(names) != 2:
        what = "a sequential test" if sprt is not None else "the format fixed-sides"
        raise BadArgument(f"{what} is for two players, not {len(names)}")
    if sprt is not None and not -MOST_ELO <= sprt[0] < sprt[1] <= MOST_ELO:
        given = f"sprt {sprt[0]:g} {sprt[1]:g}"
        raise BadArgument(f"{given}: the first Elo difference must be less than the second, and both at most 2000")
    if wishes.rounds is not None and kind != "swiss":
        raise BadArgument("rounds is for the format swiss")


def chosen_openings(
    game: Game, openings: OpeningsLike, seed: int, progress: Progress | None
) -> tuple[tuple[Opening, ...], tuple[str, ...]]:
    """The openings, and what is to be said of them."""
    if openings is None:
        return (), ()
    if isinstance(openings, int):
        chosen = balanced_openings(game, openings, seed, progress)
        return chosen.openings, (chosen.note,) if chosen.note else ()
    return tuple(opening_file(os.fspath(openings), game)), ()


def clock(time: str | None, movetime: float | None) -> TimeControl | None:
    """The clock of these settings; None if none is given."""
    if time is not None and movetime is not None:
        raise BadArgument("give time=... or movetime=..., not both")
    if movetime is not None:
        return TimeControl(movetime)
    return None if time is None else clock_in(time)


def clock_in(text: str) -> TimeControl:
    """The clock in the text, seconds per game and increment per move: `10+0.1`, `60`."""
    base, _, increment = text.partition("+")
    try:
        seconds, more = float(base), float(increment or 0)
    except ValueError:
        seconds, more = 0.0, 0.0
    if not (0 < seconds <= 10**6 and 0 <= more <= 10**6):
        raise BadArgument(f"{text!r} is no clock; write seconds per game and per move, such as 10+0.1")
    return TimeControl(None, seconds, more)


def limits_of(memory: int | str | None, sandbox: bool) -> BotLimits | None:
    """The limits of bots with this memory, in bytes or as text such as 512M; None for the usual ones."""
    if memory is None and not sandbox:
        return None
    if memory is None:
        return BotLimits(sandbox=sandbox)
    size = bytes_in(memory)
    if size < LEAST_MEMORY:
        raise BadArgument(f"memory={memory!r} is too little for a program; the least is 16M")
    return BotLimits(size >> 20, sandbox)
