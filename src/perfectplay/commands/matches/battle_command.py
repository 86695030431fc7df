"""`perfectplay battle`: many games, and what came of them."""

import json
from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from perfectplay.commands.matches.battle_records import tally_in
from perfectplay.commands.matches.battle_result import BattleResult, games_text, shown_names
from perfectplay.commands.matches.playing import battling, result_of, with_losses
from perfectplay.commands.terminal.progress import overdue, shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.game import Game
from perfectplay.players.registry import in_own_process
from perfectplay.players.seat import PROVING_SECONDS
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of
from perfectplay.solvers.steps import Step
from perfectplay.views.document import Notes
from perfectplay.words import BadArgument

GAMES = 1000
"""The games of a battle where their number is not given."""
PATIENCE = 60.0
"""Seconds without a result after which a hint says how to limit the time of bots."""


def show_battle(options: Namespace) -> int:
    """Fights the battle and prints the result."""
    game = load_game(options.game)
    if options.source is not None:
        if options.games is not None or options.seed is not None or options.record is not None:
            raise BadArgument("--from plays nothing; leave --games, --seed and --record out")
        a, b = options.players
        show_result(options, game, result_of(*tally_in(game, options.source, a, b, options.show_losses)))
        return 0
    options.games = GAMES if options.games is None else options.games
    if options.resume and options.record is None:
        raise BadArgument("--resume needs --record FILE: the record to go on with")
    results = battling(
        game,
        *options.players,
        games=options.games,
        seed=options.seed,
        swap=options.swap,
        jobs=options.jobs,
        max_plies=options.max_plies,
        seconds=options.seconds,
        losses=options.show_losses,
        record=options.record,
        resume=options.resume,
    )
    result = next(results)
    options.kept = lambda: kept(options, result)
    try:
        with shown_progress("games") as progress, hint_of_thinking(options) as came:
            for result in results:
                came()
                if progress is not None:
                    progress(Step("games", result.games, options.games))
    except KeyboardInterrupt:
        show_result(options, game, result)
        raise
    except Exception:  # an error in the rules, a process that was ended: what was played is not lost
        if result.games:
            show_result(options, game, result)
        raise
    show_result(options, game, result)
    return 0


def kept(options: Namespace, result: BattleResult) -> str:
    """What an interruption leaves."""
    where = "not recorded" if options.record is None else "resume with the same command and --resume"
    return f"{result.games:,} of {games_text(options.games)} played; {where}"


def hint_of_thinking(options: Namespace) -> AbstractContextManager[Callable[[], None]]:
    """What to call when a result comes in; if none comes for long, a hint names the bots without a time limit."""
    bots = [name for name in dict.fromkeys(options.players) if in_own_process(name)]
    if options.seconds is not None or not bots:
        return nullcontext(lambda: None)
    thinks = f"no game has ended for {PATIENCE:g} s; --seconds limits the time per move of {' and '.join(bots)}"
    return overdue(thinks, PATIENCE)


def show_result(options: Namespace, game: Game, result: BattleResult) -> None:
    """Prints the result, and the lost games that are wanted."""
    result = with_losses(game, result)
    if options.json:
        print(json.dumps(result.to_dict(options.times)), flush=True)
    else:
        show(result.document().followed_by(remarks(options, result)))


def remarks(options: Namespace, result: BattleResult) -> Notes:
    """What the limits of the command did to the result."""
    lines = []
    for label, count in zip(shown_names(result), result.unproven, strict=True):
        if count:
            moves = "1 move was" if count == 1 else f"{count:,} moves were"
            seconds = options.seconds or PROVING_SECONDS
            lines.append(f"{moves} not proven by {label}, {seconds:g} s each: the best found was played")
    if result.unfinished:
        longest = number_of(options.max_plies, "ply", "plies")
        lines.append(f"{games_text(result.unfinished)} called drawn after {longest}")
    if options.show_losses and result.games and not result.losses:
        lines.append(f"{shown_names(result)[0]} lost no game")
    return Notes(*lines)
