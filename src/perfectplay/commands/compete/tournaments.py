"""Tournaments: many games between several players, what they prove, and their reports."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import randbelow
from typing import Any

from perfectplay.arena.tournaments.formats import FORMATS
from perfectplay.arena.tournaments.host import Host, judge_again, judge_for
from perfectplay.arena.tournaments.openings import balanced_openings, opening_file
from perfectplay.arena.tournaments.played_game import PlayedGame, repeats_text
from perfectplay.arena.tournaments.sprt import Sprt
from perfectplay.arena.tournaments.standings import evidence, standings
from perfectplay.arena.tournaments.standings_result import Standings
from perfectplay.arena.tournaments.tournament import play_tournament, skipped
from perfectplay.arena.tournaments.tournament_record import RecordWriter, check_same, read_record
from perfectplay.arena.tournaments.tournament_settings import Opening, TimeControl, Tournament
from perfectplay.commands.kinds import bytes_in
from perfectplay.commands.matches.playing import Contestant, check_can_travel, maker_of, name_of
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.exports.page.tournament_games import LATE, REPEATED, Report
from perfectplay.game import Game
from perfectplay.players.registry import player_entry
from perfectplay.players.seat import BotLimits
from perfectplay.rules.loading import load_game
from perfectplay.solvers.oracle import table_oracle
from perfectplay.words import BadArgument, BadPlayer, PerfectplayError

GAMES = 100
"""The games of a pairing where neither their number nor openings are given."""
LEAST_MEMORY = 16 << 20
"""The least memory of a bot, in bytes."""
MOST_ELO = 2_000.0
"""The greatest Elo difference that a sequential test takes."""
OpeningsLike = int | str | os.PathLike[str] | None
"""How many balanced openings are wanted, or the file that has them."""
Wishes = Mapping[str, Any]
"""The settings that are asked for, as fields of a Tournament without its openings."""


@dataclass(frozen=True)
class Event:
    """A tournament to be played: its settings, the games that are done, and what is to be said of the openings.

    `rules` is its game, which is found by its name where it is None. `size` is that of the record so far, 0 if there is
    none to go on with.
    """

    tournament: Tournament
    rules: Game | None
    done: tuple[PlayedGame, ...] = ()
    remarks: tuple[str, ...] = ()
    size: int = 0

    @property
    def total(self) -> int:
        """The number of games that are planned; fewer are played if some would repeat."""
        return FORMATS[self.tournament.format].total(self.tournament)

    def games(
        self, players: Sequence[Contestant], jobs: int, seconds: float | None, record: str | None
    ) -> Iterator[PlayedGame]:
        """The games that are not done, as they end and once they are in the record, if there is one."""
        host = None
        if self.rules is not None and not all(isinstance(player, str) for player in players):
            if jobs > 1:
                check_can_travel(self.rules, players)
            makers = [maker_of(player) for player in players]
            judge = judge_for(self.rules, seconds or 0.0)
            host = Host(self.rules, makers, self.tournament, [False] * len(makers), judge)
        games = play_tournament(self.tournament, self.done, jobs, seconds or 0.0, host)
        if record is None:
            yield from games
            return
        with RecordWriter(record, self.tournament, self.size) as writer:
            for one in games:
                writer.write(one)
                yield one

    def result(self, played: Sequence[PlayedGame]) -> Standings:
        """The standings after these games."""
        result, labels = standings(self.tournament, played), self.tournament.labels
        left_out = skipped(self.tournament, played, self.is_solved())
        pairs = Counter(tuple(sorted((one.first, one.second))) for one in left_out)
        repeats = [repeats_text(labels[one], labels[other], count) for (one, other), count in pairs.items()]
        remarks = (*self.remarks, *repeats, *result.remarks)
        return replace(result, repeated=result.repeated + pairs.total(), remarks=remarks)

    def is_solved(self) -> bool:
        """Whether the game is solved or small; not if its file is gone."""
        try:
            return table_oracle(load_game(self.tournament.game) if self.rules is None else self.rules) is not None
        except PerfectplayError:
            return False


# What a tournament is to be: its settings from what is asked for, from a record, or as usual.


def planned(
    game: Game,
    players: Sequence[Contestant],
    wishes: Wishes,
    openings: OpeningsLike,
    record: str | None,
    progress: Progress | None,
) -> Event:
    """The event with these settings, that of the record if there is one to be resumed.

    Raises BadArgument where a setting is impossible, or is not that of the record.
    """
    names = tuple(map(label_of, players))
    check_settings(names, wishes)
    if record is not None and Path(record).exists() and Path(record).stat().st_size > 0:
        return recorded_event(record, {"game": game.name, "players": names, **wishes}, openings, game)
    seed = wishes.get("seed", randbelow(2**32))
    chosen, remarks = chosen_openings(game, openings, seed, progress)
    usual: dict[str, Any] = {"seed": seed, "games": 2 * len(chosen) or GAMES, "openings": chosen}
    return Event(Tournament(game.name, names, **{**usual, **wishes}), game, remarks=remarks)


def label_of(player: Contestant) -> str:
    """The player's name in the results; a function that is called like a built-in player is told from it."""
    name = name_of(player)
    return name if isinstance(player, str) or player_entry(name) is None else f"{name}()"


def recorded_event(record: str, wishes: Wishes, openings: OpeningsLike, game: Game | None = None) -> Event:
    """The event of a record, with its games; raises BadArgument if other settings are wanted.

    There may be fewer openings than were asked for.
    """
    tournament, games, size = read_record(record)
    check_same(record, tournament, replace(tournament, **wishes))
    there = len(tournament.openings)
    if openings is not None and (not there or (isinstance(openings, int) and openings < there)):
        has = f"{there} openings" if there else "no openings"
        raise BadArgument(f"the record {record!r} has {has}; leave the openings out, or begin another record")
    return Event(tournament, game, tuple(judge_again(tournament, games, game)), size=size)


def check_settings(names: Sequence[str], wishes: Wishes) -> None:
    """Raises BadArgument or BadPlayer for a tournament that cannot be."""
    kind, sprt = wishes.get("format"), wishes.get("sprt")
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
    if "rounds" in wishes and kind != "swiss":
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
    """The clock of these settings, such as seconds per game and increment per move, `10+0.1`; None if none is given."""
    if time is None:
        return None if movetime is None else TimeControl(movetime)
    if movetime is not None:
        raise BadArgument("give time=... or movetime=..., not both")
    base, _, increment = time.partition("+")
    try:
        seconds, more = float(base), float(increment or 0)
    except ValueError:
        seconds, more = 0.0, 0.0
    if not (0 < seconds <= 10**6 and 0 <= more <= 10**6):
        raise BadArgument(f"{time!r} is no clock; write seconds per game and per move, such as 10+0.1")
    return TimeControl(None, seconds, more)


def limits_of(memory: int | str | None, sandbox: bool) -> BotLimits | None:
    """The limits of bots with this memory, in bytes or as text such as 512M; None for the usual ones."""
    if memory is None:
        return BotLimits(sandbox=True) if sandbox else None
    size = bytes_in(memory)
    if size < LEAST_MEMORY:
        raise BadArgument(f"memory={memory!r} is too little for a program; the least is 16M")
    return BotLimits(size >> 20, sandbox)


# Reports: the standings and every game with its values, as one HTML page.


def report_html(
    tournament: Tournament, games: Sequence[PlayedGame], result: Standings | None = None, rules: Game | None = None
) -> str:
    """The report as one page that needs nothing else: tables, plots and boards to step through.

    The result of the games is computed if it is not given, and the game is found by its name.
    """
    from perfectplay.exports.page.tournament_page import tournament_page  # jinja2: only when it is wanted

    game = load_game(tournament.game) if rules is None else rules
    return tournament_page(game, report_of(tournament, games, result), table_oracle(game, 0))


def report_of(tournament: Tournament, games: Iterable[PlayedGame], result: Standings | None = None) -> Report:
    """What the page shows."""
    named = [game for game in games if {*game.players} <= {*tournament.labels}]
    ordered = sorted(named, key=lambda game: game.number)
    found = standings(tournament, ordered) if result is None else result
    return Report(tournament, found, ordered, uncounted(ordered, found.sprt))


def uncounted(games: Sequence[PlayedGame], test: Sprt | None) -> dict[int, str]:
    """Why games do not count in the standings, by their numbers."""
    last = test.last if test is not None and test.decided else None
    early = [game for game in games if last is None or game.number <= last]
    used, asked = ({game.number for game in some} for some in (evidence(early), early))
    return {game.number: REPEATED if game.number in asked else LATE for game in games if game.number not in used}
