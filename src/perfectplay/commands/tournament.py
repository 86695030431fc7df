"""`tournament`: many games between several players, and what they prove."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from perfectplay.commands.kinds import (
    FORCE,
    JOBS,
    MAX_PLIES,
    RECORD,
    RESUME_RECORD,
    Choice,
    Flag,
    Kind,
    Named,
    Seconds,
    Size,
    Whole,
    players as player_names,
    seed as seed_number,
)
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.solvers.steps import Step
from perfectplay.words import BadArgument

if TYPE_CHECKING:
    from perfectplay.arena.tournaments.standings_result import Standings
    from perfectplay.commands.matches.playing import Contestant

FORMATS = ("round-robin", "gauntlet", "swiss", "fixed-sides")


@dataclass(frozen=True)
class Openings(Kind):
    """The number of balanced openings, or the file that has them."""

    number = Whole(smallest=1, largest=10**5)

    def read(self, text: str) -> int | str:
        """The number in the text, or the file."""
        if not text.removeprefix("-").isdecimal():
            return text
        if not self.number.accepts(int(text)):
            raise BadArgument(f"{text!r} is not a number of openings from 1 to 100,000, or a file")
        return int(text)

    def check(self, name: str, value: object) -> None:
        """Raises BadArgument for a number out of range."""
        if isinstance(value, int):
            self.number.check(name, value)

    def schema(self) -> dict[str, object]:
        """A number or a file."""
        return {"anyOf": [self.number.schema(), {"type": "string"}]}


@dataclass(frozen=True)
class EloPair(Kind):
    """Two differences in Elo."""

    def read(self, text: str) -> float:
        """One of them."""
        try:
            return float(text)
        except ValueError:
            raise BadArgument(f"{text!r} is not a number") from None

    def schema(self) -> dict[str, object]:
        """Two numbers."""
        return {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}


@verb(
    "compete",
    "play many games between several players; ratings, and the exact price of mistakes",
    "tournament tic-tac-toe perfect blocks random --games 20 --seed 1",
    "tournament nim level:9 level:5 --openings 4 --to report.html",
    counted="",
)
def tournament(
    game: Annotated[
        GameLike | None,
        Named("a game's name, or your own file; may be left out with a record", metavar="GAME", argument=True),
    ] = None,
    players: Annotated[
        "Sequence[Contestant]",
        player_names(
            "a player's name, a program that speaks UGI ('cmd:./mybot --fast'), or your function (./bots.py:my_ai)",
            repeats=True,
        ),
    ] = (),
    *,
    format: Annotated[  # noqa: A002 - the field's word
        str | None,
        Choice(
            "everybody meets (the default); the first player meets the others; rounds of equal scores; A always first",
            FORMATS,
            what="format",
        ),
    ] = None,
    games: Annotated[
        int | None, Whole("games per pairing (default: 2 per opening, or 100)", 1, 10**7, metavar="N")
    ] = None,
    rounds: Annotated[int | None, Whole("rounds of --format swiss", 1, 10**4, metavar="R")] = None,
    time: Annotated[
        str | None, Named("clock: seconds per game and increment per move, such as 10+0.1", metavar="S+I")
    ] = None,
    movetime: Annotated[float | None, Seconds("seconds per move (default: 1)", metavar="S")] = None,
    openings: Annotated[
        int | str | os.PathLike[str] | None,
        Openings("K balanced openings, or those of a file; each is played from both sides", metavar="K|FILE"),
    ] = None,
    sprt: Annotated[
        tuple[float, float] | None, EloPair("end a match of two as soon as it is decided", parts=("ELO0", "ELO1"))
    ] = None,
    seed: Annotated[int | None, seed_number("make the tournament repeatable (default: a random seed)")] = None,
    jobs: Annotated[int, JOBS] = 1,
    max_plies: Annotated[int | None, MAX_PLIES] = None,
    seconds: Annotated[
        float | None, Seconds("search time per game to judge moves where there is no table (default: none)")
    ] = None,
    record: Annotated[str | os.PathLike[str] | None, RECORD] = None,
    resume: Annotated[bool, RESUME_RECORD] = False,
    report: Annotated[
        str | os.PathLike[str] | None,
        Named("write a report with every game; of a record, too", metavar="FILE.html", flag="--to"),
    ] = None,
    force: Annotated[bool, Flag(f"{FORCE.help} (the report; a record is never replaced)")] = False,
    memory: Annotated[int | str | None, Size("memory of each bot (default: 1G)", metavar="SIZE", rare=True)] = None,
    sandbox: Annotated[bool, Flag("bots get no network and cannot write files (Linux)", rare=True)] = False,
    progress: Progress | None = None,
) -> "Standings":
    """Plays a tournament between players given by name, as programs (`cmd:./mybot`) or as functions.

    `format` is round-robin, gauntlet or swiss; `games` is per pairing, half of them from each side. `time` is a clock
    such as "10+0.1", `movetime` the seconds of a move. `openings` is how many balanced openings each pairing plays from
    both sides, or a file of them. `sprt=(elo0, elo1)` ends a match of two as soon as it is decided. Every move is
    judged by the table, or by searches of `seconds` per game where there is none. Each game is added to the file
    `record` as it ends; `resume` resumes from it; without a game, it is only read. `report` is a page to be written.
    """
    from perfectplay.commands.compete.tournaments import clock, limits_of, planned, recorded_event

    file = None if record is None else os.fspath(record)
    if game is None and file is None:
        raise BadArgument('give a game and its players, or record="FILE" to read the record of a tournament')
    if resume and file is None:
        raise BadArgument('resume=True needs record="FILE": the record to go on with')
    write = report_writer(report, force, file)
    asked = {
        "format": format,
        "games": games,
        "rounds": rounds,
        "time": clock(time, movetime),
        "sprt": None if sprt is None else (sprt[0], sprt[1]),
        "seed": seed,
        "max_plies": max_plies,
        "limits": limits_of(memory, sandbox),
    }
    wishes = {name: value for name, value in asked.items() if value is not None}
    rules = None if game is None else game_of(game)
    if rules is None:
        event = recorded_event(str(file), wishes, openings)
    else:
        event = planned(rules, players, wishes, openings, file if resume else None, progress)
    played = [*event.done]
    result = partial(event.result, played)
    tell = progress or (lambda step: None)
    if rules is not None or resume:
        tell(Step("games", len(played), event.total, result=result))
        try:
            for one in event.games(players, jobs, seconds, file):
                played.append(one)
                tell(Step("games", len(played), event.total, result=result))
        except BaseException:  # Ctrl-C, an error in the rules, a full disk: what was played is not lost
            if len(played) > len(event.done):
                write(event.tournament, played, result(), rules)
            raise
    standings = result()
    write(event.tournament, played, standings, rules)
    return standings


def report_writer(report: str | os.PathLike[str] | None, force: bool, record: str | None) -> Callable[..., None]:
    """What writes the report, if one is wanted."""
    if report is None:
        return lambda *found: None
    from perfectplay.commands.compete.tournaments import report_html
    from perfectplay.rules.outputs import HTML, output_by_ending

    path = os.fspath(report)
    target = output_by_ending(path, [HTML], force)
    if Path(path).absolute() == Path(record or "").absolute():
        raise BadArgument(f'report="{path}" is the record; give the report another name')
    return lambda *found: target.write(report_html(*found).encode())


@on_command_line("tournament")
def show(
    call: Call,
    *,
    times: Annotated[bool, Flag("with --json: add the time per move, which no seed repeats")] = False,
) -> int:
    """Plays the tournament, or reads its record, and prints the result; if interrupted, that of the games so far."""
    steps: list[Step] = []

    def watch(step: Step) -> None:
        if step.result is not None:
            steps[1:] = [step]
            call.options.kept = lambda: kept(call, step)

    try:
        found = call.result(watch)
    except BaseException:
        if steps and steps[-1].done > steps[0].done:
            assert steps[-1].result is not None
            finish(call, steps[-1].result(), times)
        raise
    return finish(call, found, times)


def finish(call: Call, result: Any, times: bool) -> int:
    """Prints the result."""
    from perfectplay.views.document import Notes

    unknown = result.games and all(player.regret_per_move is None for player in result.players)
    hint = "Add --seconds S to judge moves by search; a game that you have solved is judged exactly."
    return call.finish(result, below=Notes(hint) if unknown and not call.options.seconds else None, times=times)


def kept(call: Call, step: Step) -> str:
    """What an interruption leaves."""
    from perfectplay.rules.notation import number_of

    again = f"resume with: perfectplay tournament --resume --record {call.options.record}"
    where = "not recorded" if call.options.record is None else again
    return f"{step.done:,} of {number_of(step.total or 0, 'game')} played; {where}"
