"""Tournaments: many games between several players, and what they prove."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import randbelow
from typing import Any

from perfectplay.api.arguments import GameLike, Progress, check_seconds, game_of, size_in_bytes, whole
from perfectplay.api.playing import Contestant, check_can_travel, maker_of, name_of
from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.host import Host
from perfectplay.arena.tournaments.opening_file import opening_file
from perfectplay.arena.tournaments.openings import balanced_openings
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.repeated_games import repeats_text
from perfectplay.arena.tournaments.standings import Standings, standings
from perfectplay.arena.tournaments.tournament import playing, skipped
from perfectplay.arena.tournaments.tournament_host import judge_for
from perfectplay.arena.tournaments.tournament_record import RecordWriter, check_same, read_record
from perfectplay.arena.tournaments.tournament_settings import Opening, TimeControl, Tournament
from perfectplay.game import Game
from perfectplay.players.registry import found
from perfectplay.players.seat import BotLimits
from perfectplay.solvers.steps import Step
from perfectplay.words import BadArgument, BadPlayer

GAMES = 100
"""The games of a pairing where neither their number nor openings are given."""
LEAST_MEMORY = 16 << 20
"""The least memory of a bot, in bytes."""
OpeningsLike = int | str | os.PathLike[str] | None
"""How many balanced openings are wanted, or the file that has them."""


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


def tournament(
    game: GameLike,
    players: Sequence[Contestant],
    *,
    format: str = "round-robin",  # noqa: A002 - the field's word
    games: int | None = None,
    rounds: int | None = None,
    time: str | None = None,
    movetime: float | None = None,
    openings: OpeningsLike = None,
    sprt: tuple[float, float] | None = None,
    seed: int | None = None,
    jobs: int = 1,
    max_plies: int = 1000,
    memory: int | str | None = None,
    sandbox: bool = False,
    seconds: float | None = None,
    record: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Standings:
    """Plays a tournament between players given by name, as programs (`cmd:./mybot`) or as functions.

    `format` is round-robin, gauntlet or swiss; `games` is per pairing, half of them from each side. `time` is a clock
    such as "10+0.1", `movetime` the seconds of a move. `openings` is how many balanced openings each pairing plays from
    both sides, or a file of them. `sprt=(elo0, elo1)` ends a match of two as soon as it is decided. Every move is
    judged by the table, or by searches of `seconds` per game where there is none. Each game is added to the file
    `record` as it ends; `resume` goes on with it.
    """
    event = planned(
        game_of(game),
        players,
        format=format,
        games=games,
        rounds=rounds,
        time=clock(time, movetime),
        openings=openings,
        sprt=sprt,
        seed=seed,
        max_plies=max_plies,
        limits=limits_of(memory, sandbox),
        record=record if resume else None,
        progress=progress,
    )
    played = [*event.done]
    for one in held(event, players=players, game=game_of(game), jobs=jobs, seconds=seconds, record=record):
        played.append(one)
        if progress is not None:
            progress(Step("games", len(played), event.total))
    return result_of(event, played)


def planned(
    game: Game,
    players: Sequence[Contestant],
    *,
    format: str | None = None,  # noqa: A002
    games: int | None = None,
    rounds: int | None = None,
    time: TimeControl | None = None,
    openings: OpeningsLike = None,
    sprt: tuple[float, float] | None = None,
    seed: int | None = None,
    max_plies: int | None = None,
    limits: BotLimits | None = None,
    record: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Event:
    """The event with these settings; None means the usual, or what the record to be resumed says.

    Raises BadArgument where a setting is impossible, or is not that of the record.
    """
    names = tuple(map(name_of, players))
    check_settings(names, format, games, rounds, sprt, seed, max_plies)
    given = {
        "format": format,
        "games": games,
        "rounds": rounds,
        "time": time,
        "sprt": None if sprt is None else (float(sprt[0]), float(sprt[1])),
        "seed": seed,
        "max_plies": max_plies,
        "limits": limits,
    }
    wanted: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if record is not None and Path(record).exists():
        return resumed(record, game.name, names, wanted)
    seed = randbelow(2**32) if seed is None else seed
    chosen, remarks = chosen_openings(game, openings, seed, progress)
    usual: dict[str, Any] = {"seed": seed, "games": 2 * len(chosen) or GAMES, "openings": chosen}
    return Event(Tournament(game.name, names, **{**usual, **wanted}), remarks=remarks)


def check_settings(
    names: Sequence[str],
    format: str | None,  # noqa: A002
    games: int | None,
    rounds: int | None,
    sprt: tuple[float, float] | None,
    seed: int | None,
    max_plies: int | None,
) -> None:
    """Raises BadArgument or BadPlayer for a tournament that cannot be."""
    if len(names) < 2:
        raise BadArgument("a tournament needs two players or more")
    for name in names:
        known = found(name)
        if known is not None and known.kind.name == "human":
            raise BadPlayer("human can only play in the terminal and on the page")
    if format is not None and format not in FORMATS:
        raise BadArgument(f"no format is called {format!r}; there are {', '.join(FORMATS)}")
    if (sprt is not None or format == "fixed-sides") and len(names) != 2:
        what = "a sequential test" if sprt is not None else "the format fixed-sides"
        raise BadArgument(f"{what} is for two players, not {len(names)}")
    if sprt is not None and not sprt[0] < sprt[1]:
        raise BadArgument(f"sprt {sprt[0]:g} {sprt[1]:g}: the first Elo difference must be less than the second")
    whole("games", games, 1, 10**7)
    whole("rounds", rounds, 1, 10**4)
    if rounds is not None and format != "swiss":
        raise BadArgument("rounds is for the format swiss")
    whole("seed", seed, 0, 2**63 - 1)
    whole("max_plies", max_plies, 1, 10**9)


def resumed(record: str | os.PathLike[str], game: str, names: tuple[str, ...], wanted: dict[str, Any]) -> Event:
    """The event of a record; raises BadArgument if other settings are wanted."""
    tournament, games, size = read_record(record)
    other = replace(tournament, game=game, players=names, **wanted)
    check_same(record, tournament, other)
    return Event(tournament, tuple(games), size=size)


def recorded_event(record: str | os.PathLike[str]) -> Event:
    """The event of a record, with its games."""
    tournament, games, size = read_record(record)
    return Event(tournament, tuple(games), size=size)


def chosen_openings(
    game: Game, openings: OpeningsLike, seed: int, progress: Progress | None
) -> tuple[tuple[Opening, ...], tuple[str, ...]]:
    """The openings, and what is to be said of them."""
    if openings is None:
        return (), ()
    if isinstance(openings, int):
        whole("openings", openings, 1, 10**5)
        chosen = balanced_openings(game, openings, seed, progress)
        return chosen.openings, (chosen.note,) if chosen.note else ()
    return tuple(opening_file(os.fspath(openings), game)), ()


def held(
    event: Event,
    *,
    players: Sequence[Contestant] = (),
    game: Game | None = None,
    jobs: int = 1,
    seconds: float | None = None,
    record: str | os.PathLike[str] | None = None,
) -> Iterator[PlayedGame]:
    """The games of the event that are not done, as they end and once they are in the record, if there is one.

    Players that are no names are given once more, with their game.
    """
    whole("jobs", jobs, 1, 1024, optional=False)
    check_seconds(seconds)
    host = None
    if game is not None and not all(isinstance(player, str) for player in players):
        if jobs > 1:
            check_can_travel(game, players)
        makers = [maker_of(player) for player in players]
        host = Host(game, makers, event.tournament, [False] * len(makers), judge_for(game, seconds or 0.0))
    games = playing(event.tournament, event.done, jobs, seconds or 0.0, host)
    if record is None:
        yield from games
        return
    with RecordWriter(record, event.tournament, event.size) as writer:
        for one in games:
            writer.write(one)
            yield one


def result_of(event: Event, games: Iterable[PlayedGame]) -> Standings:
    """The standings after these games."""
    played = list(games)
    found = standings(event.tournament, played)
    labels = event.tournament.labels
    pairs = Counter(tuple(sorted((one.first, one.second))) for one in skipped(event.tournament, played))
    repeats = [repeats_text(labels[one], labels[other], count) for (one, other), count in pairs.items()]
    remarks = (*event.remarks, *repeats, *found.remarks)
    return replace(found, repeated=found.repeated + pairs.total(), remarks=remarks)


def clock(time: str | None, movetime: float | None) -> TimeControl | None:
    """The clock of these settings; None if none is given."""
    if time is not None and movetime is not None:
        raise BadArgument("give time or movetime, not both")
    if movetime is not None:
        check_seconds(movetime)
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
    size = size_in_bytes(memory)
    if size < LEAST_MEMORY:
        raise BadArgument(f"memory={memory!r} is too little for a program; the least is 16M")
    return BotLimits(size >> 20, sandbox)
