"""`perfectplay battle`: many games, and what came of them."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from perfectplay.commands.play.battle_records import tally_in
from perfectplay.commands.play.battle_result import BattleResult, LostGame, games_text, result_lines, shown_names
from perfectplay.commands.play.playing import battling, result_of, with_losses
from perfectplay.commands.terminal.draw_many import draw_game
from perfectplay.commands.terminal.progress import overdue, shown_progress
from perfectplay.commands.terminal.streams import can_print
from perfectplay.game import Game
from perfectplay.players.registry import in_own_process
from perfectplay.players.seat import PROVING_SECONDS
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import VALUE_NAMES, either, number_of, plies_text
from perfectplay.solvers.steps import Step
from perfectplay.words import BadArgument

BAR = 30
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
        show(options, game, result_of(*tally_in(game, options.source, a, b, options.show_losses)))
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
        show(options, game, result)
        raise
    except Exception:  # an error in the rules, a process that was ended: what was played is not lost
        if result.games:
            show(options, game, result)
        raise
    show(options, game, result)
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


def show(options: Namespace, game: Game, result: BattleResult) -> None:
    """Prints the result, and the lost games that are wanted."""
    result = with_losses(game, result)
    print(json.dumps(result.to_dict(options.times)) if options.json else as_text(options, game, result), flush=True)


def as_text(options: Namespace, game: Game, result: BattleResult) -> str:
    """The result as people read it, with bars."""
    full, empty = ("█", "░") if can_print("█░") else ("#", ".")
    lines = result_lines(result, lambda share: (full * round(share * BAR)).ljust(BAR, empty) + "  ")
    for label, count in zip(shown_names(result), result.unproven, strict=True):
        if count:
            moves = "1 move was" if count == 1 else f"{count:,} moves were"
            seconds = options.seconds or PROVING_SECONDS
            lines.append(f"{moves} not proven by {label}, {seconds:g} s each: the best found was played")
    if result.unfinished:
        longest = number_of(options.max_plies, "ply", "plies")
        lines.append(f"{games_text(result.unfinished)} called drawn after {longest}")
    for lost in result.losses:
        lines += ["", *loss_lines(game, shown_names(result)[0], lost)]
    if options.show_losses and result.games and not result.losses:
        lines += ["", f"{shown_names(result)[0]} lost no game"]
    return "\n".join(lines)


# Lost games of a battle, move by move, drawn side by side.


def loss_lines(game: Game, loser: str, lost: LostGame) -> Iterator[str]:
    """One game: who lost it and by which move, and the board after each move."""
    side = game.look.sides[lost.side]
    points = "" if lost.margin is None else f" by {lost.margin}"
    yield f"game {lost.number}: {loser} played {side} and lost{points} in {plies_text(len(lost.moves))}{why(lost)}"
    if lost.moves:
        notes = {} if lost.given_away is None else {lost.given_away.ply: ""}
        yield from draw_game(game, lost.moves, notes)
    if lost.forfeit:
        yield f"\n{lost.forfeit}"


def why(lost: LostGame) -> str:
    """By which move the game was lost, or why that cannot be told."""
    given = lost.given_away
    if given is not None:
        keeps = f"{either(given.better)} would have {'won' if given.before > 0 else 'drawn'}"
        return f"; {given.ply}. {given.move} gave the {VALUE_NAMES[given.before]} away, {keeps}"
    if lost.forfeit:
        return ", by forfeit"
    return "; it was lost from the start" if lost.solved else "; the game is not solved, so the mistake is not known"
