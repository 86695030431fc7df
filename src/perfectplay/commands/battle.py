"""`battle`: many games between two players, and how often each of them won."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import (
    GAME,
    JOBS,
    MAX_PLIES,
    MOVE_SECONDS,
    RECORD,
    RESUME_RECORD,
    Flag,
    Named,
    Whole,
    players as player_names,
    seed as seed_number,
)
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import Call, on_command_line, verb
from perfectplay.solvers.steps import Step
from perfectplay.words import BadArgument

if TYPE_CHECKING:
    from perfectplay.commands.matches.battle_result import BattleResult
    from perfectplay.commands.matches.playing import Contestant
    from perfectplay.views.document import Notes

GAMES = 1000
"""The games of a battle where their number is not given."""
PATIENCE = 60.0
"""Seconds without a result after which a hint says how to limit the time of bots."""
PLAYER = player_names("a player's name, a program (cmd:./mybot), or your own function (./bots.py:my_ai)")


@verb(
    "compete",
    "play many games between two players",
    "battle tic-tac-toe perfect random --games 100 --seed 1",
    "battle connect-four wins blocks --games 20 --swap",
    counted="games",
)
def battle(
    game: Annotated[GameLike, GAME],
    a: Annotated["Contestant", PLAYER],
    b: Annotated["Contestant", PLAYER],
    *,
    games: Annotated[int, Whole("number of games (default: 1000)", 1, 10**9)] = GAMES,
    seed: Annotated[int | None, seed_number("make the battle repeatable (default: a random seed)")] = None,
    swap: Annotated[bool, Flag("swap sides in every second game")] = False,
    jobs: Annotated[int, JOBS] = 1,
    max_plies: Annotated[int, MAX_PLIES] = 1000,
    seconds: Annotated[float | None, MOVE_SECONDS] = None,
    losses: Annotated[
        int,
        Whole(
            "draw the first N games that the first-named player lost, move by move",
            0,
            10**6,
            metavar="N",
            flag="--show-losses",
        ),
    ] = 0,
    record: Annotated[str | os.PathLike[str] | None, RECORD] = None,
    resume: Annotated[bool, RESUME_RECORD] = False,
    source: Annotated[
        str | os.PathLike[str] | None,
        Named("play nothing: count their games in this record", metavar="FILE", flag="--from"),
    ] = None,
    progress: Progress | None = None,
) -> "BattleResult":
    """Plays many games between two players, given by name or as functions.

    A function takes a position and returns the number of a move, or takes (board, side) and returns (row, column); of
    one argument, the name tells: position, board or seat.
    A moves first; with swap=True, B moves first in every second game. The same seed gives the same games, with any
    number of processes (`jobs`). A game is a draw after `max_plies`; an illegal move or an exception forfeits it.
    Of the games that A loses, the result has the first `losses`, with the move that gave each away in a solved game.
    Each game is added to the file `record` as it ends; `resume` resumes from it. With a `source`, its games count.
    """
    from secrets import randbelow

    from perfectplay.arena.battle import battle_of
    from perfectplay.commands.matches.playing import battling, name_of, recorded_seed, result_of, tally_in, with_losses

    rules, names, result = game_of(game), (name_of(a), name_of(b)), None
    if source is not None:
        if games != GAMES or seed is not None or record is not None:
            raise BadArgument("source=... plays nothing; leave games=..., seed=... and record=... out")
        return with_losses(rules, result_of(*tally_in(rules, source, *names, losses)))
    if resume and record is None:
        raise BadArgument('resume=True needs record="FILE": the record to go on with')
    seed = recorded_seed(record) if seed is None and resume else seed
    seed = randbelow(2**32) if seed is None else seed
    terms = battle_of(rules.name, names, seed, games, swap, max_plies, seconds)
    for result in battling(rules, (a, b), terms, jobs, losses, record, resume):
        if progress is not None:
            progress(Step("games", result.games, games, result=partial(with_losses, rules, result)))
    assert result is not None
    return with_losses(rules, result)


@on_command_line("battle")
def show(
    call: Call,
    *,
    times: Annotated[bool, Flag("with --json: add the time and the nodes per move, which no seed repeats")] = False,
) -> int:
    """Fights the battle and prints the result; if it is interrupted, that of the games until then."""
    last: Step | None = None

    def finish(result: "BattleResult") -> int:
        return call.finish(result, below=remarks(call, result), times=times)

    with hint_of_thinking(call) as came:

        def watch(step: Step) -> None:
            nonlocal last
            last = step
            call.options.kept = lambda: kept(call, step)
            came()

        try:
            result = call.result(watch)
        except BaseException as end:  # Ctrl-C, an error in the rules, a process that was ended: what was played is kept
            if last is not None and last.result is not None and (last.done or isinstance(end, KeyboardInterrupt)):
                finish(last.result())
            raise
    return finish(result)


def kept(call: Call, step: Step) -> str:
    """What an interruption leaves."""
    from perfectplay.rules.notation import number_of

    where = "not recorded" if call.options.record is None else "resume with the same command and --resume"
    return f"{step.done:,} of {number_of(call.options.games, 'game')} played; {where}"


def hint_of_thinking(call: Call) -> AbstractContextManager[Callable[[], None]]:
    """What to call when a result comes in; if none comes for long, a hint names the bots without a time limit."""
    from perfectplay.commands.terminal.progress import overdue
    from perfectplay.players.registry import in_own_process

    bots = [name for name in dict.fromkeys((call.options.a, call.options.b)) if in_own_process(name)]
    if call.options.seconds is not None or call.options.source is not None or not bots:
        return nullcontext(lambda: None)
    thinks = f"no game has ended for {PATIENCE:g} s; --seconds limits the time per move of {' and '.join(bots)}"
    return overdue(thinks, PATIENCE)


def remarks(call: Call, result: "BattleResult") -> "Notes":
    """What the limits of the command did to the result."""
    from perfectplay.commands.matches.battle_result import shown_names
    from perfectplay.players.seat import PROVING_SECONDS
    from perfectplay.rules.notation import number_of
    from perfectplay.views.document import Notes

    lines = []
    for label, count in zip(shown_names(result), result.unproven, strict=True):
        if count:
            moves = "1 move was" if count == 1 else f"{count:,} moves were"
            seconds = call.options.seconds or PROVING_SECONDS
            lines.append(f"{moves} not proven by {label}, {seconds:g} s each: the best found was played")
    if result.unfinished:
        longest = number_of(call.options.max_plies, "ply", "plies")
        lines.append(f"{number_of(result.unfinished, 'game')} called drawn after {longest}")
    if call.options.losses and result.games and not result.losses:
        lines.append(f"{shown_names(result)[0]} lost no game")
    return Notes(*lines)
