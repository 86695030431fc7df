"""`perfectplay tournament`: many games between several players, and what they prove."""

import json
from argparse import Namespace
from pathlib import Path

from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.commands.compete.tournament_plans import Event, Wishes, clock, limits_of, planned, recorded_event
from perfectplay.commands.compete.tournament_reports import report_html
from perfectplay.commands.compete.tournaments import held, result_of
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of
from perfectplay.rules.outputs import HTML, Output, output_by_ending
from perfectplay.solvers.steps import Step
from perfectplay.views.document import Notes
from perfectplay.words import BadArgument


def show_tournament(options: Namespace) -> int:
    """Plays the tournament, or reads its record, and prints the result."""
    check(options)
    target = None if options.report is None else output_by_ending(options.report, [HTML], options.force)
    event = event_of(options)
    games = [*event.done]
    if options.game is None and not options.resume:
        show_result(options, event, games, target)
        return 0
    options.kept = lambda: kept(options, event, games)
    try:
        with shown_progress("games") as progress:
            for game in held(event, jobs=options.jobs, seconds=options.seconds, record=options.record):
                games.append(game)
                if progress is not None:
                    progress(Step("games", len(games), event.total))
    except BaseException:  # Ctrl-C, an error in the rules, a full disk: what was played is not lost
        if len(games) > len(event.done):
            show_result(options, event, games, target)
        raise
    show_result(options, event, games, target)
    return 0


def check(options: Namespace) -> None:
    """Raises BadArgument for options that do not go together."""
    if options.game is None and options.record is None:
        raise BadArgument("give a game and its players, or --record FILE to read the record of a tournament")
    if options.resume and options.record is None:
        raise BadArgument("--resume needs --record FILE: the record to go on with")
    if options.report is not None and Path(options.report).absolute() == Path(options.record or "").absolute():
        raise BadArgument(f"--report {options.report} is the record; give the report another name")


def event_of(options: Namespace) -> Event:
    """The event that the options mean."""
    sprt = None if options.sprt is None else (options.sprt[0], options.sprt[1])
    time, limits = clock(options.time, options.movetime), limits_of(options.memory, options.sandbox)
    sizes = (time, options.openings, sprt, options.seed, options.max_plies, limits)
    wishes = Wishes(options.format, options.games, options.rounds, *sizes)
    if options.game is None:
        return recorded_event(options.record, wishes)
    record = options.record if options.resume else None
    with shown_progress("openings") as progress:
        return planned(load_game(options.game), tuple(options.players), wishes, record, progress)


def show_result(options: Namespace, event: Event, games: list[PlayedGame], target: Output | None) -> None:
    """Prints the result, and writes the report if there is to be one; if one of both fails, the other does not."""
    fault: Exception | None = None
    result = result_of(event, games)
    try:
        if target is not None:
            target.write(report_html(event.tournament, games, result).encode())
    except (BadArgument, OSError) as error:
        fault = error
    if options.json:
        print(json.dumps(result.to_dict(options.times)), flush=True)
    else:
        unknown = games and all(player.regret_per_move is None for player in result.players)
        hint = "Add --seconds S to judge moves by search; a game that you have solved is judged exactly."
        show(result.document().followed_by(Notes(hint) if unknown and not options.seconds else None))
    if fault is not None:
        raise fault


def kept(options: Namespace, event: Event, games: list[PlayedGame]) -> str:
    """What an interruption leaves."""
    again = f"resume with: perfectplay tournament --resume --record {options.record}"
    where = "not recorded" if options.record is None else again
    return f"{len(games):,} of {number_of(event.total, 'game')} played; {where}"
