"""`perfectplay battle`: many games, and what came of them."""

import json
import sys
from argparse import Namespace

from perfectplay.api.playing import BattleResult, battling
from perfectplay.front.progress import shown_progress
from perfectplay.front.streams import can_print
from perfectplay.loading import load_game
from perfectplay.players.seat import PROVING_SECONDS
from perfectplay.solvers.steps import Step

BAR = 30


def show_battle(options: Namespace) -> int:
    """Fights the battle and prints the result."""
    results = battling(
        load_game(options.game),
        *options.players,
        games=options.games,
        seed=options.seed,
        swap=options.swap,
        jobs=options.jobs,
        max_plies=options.max_plies,
        seconds=options.seconds,
    )
    result = next(results)
    try:
        with shown_progress("games") as progress:
            for result in results:
                if progress is not None:
                    progress(Step("games", result.games, options.games))
    except KeyboardInterrupt:
        show(options, result)
        print(f"\nperfectplay: interrupted after {result.games:,} of {games(options.games)}", file=sys.stderr)
        raise
    except Exception:  # rules that break down, a process that was ended: what was played is not lost
        if result.games:
            show(options, result)
        raise
    show(options, result)
    return 0


def show(options: Namespace, result: BattleResult) -> None:
    """Prints the result."""
    print(json.dumps(result.to_dict()) if options.json else as_text(options, result), flush=True)


def as_text(options: Namespace, result: BattleResult) -> str:
    """The result as people read it."""
    a, b = result.players
    if a == b:
        a, b = (f"{a} (A)", f"{b} (B)") if result.swap else (f"{a} (first)", f"{b} (second)")
    order = "taking turns to move first" if result.swap else f"{a} moves first"
    lines = [f"{result.game}: {a} against {b}, {games(result.games)}, {order}, seed {result.seed}", ""]
    if not result.games:
        return lines[0]
    wide = max(len(a), len(b)) + 7
    full, empty = ("█", "░") if can_print("█░") else ("#", ".")
    counts = ((f"won by {a}", result.wins[0]), ("drawn", result.draws), (f"won by {b}", result.wins[1]))
    for (label, count), (low, high) in zip(counts, result.intervals, strict=True):
        share = count / result.games
        bar = (full * round(share * BAR)).ljust(BAR, empty)
        lines.append(f"{label:<{wide}} {count:>9,}  {share:>6.1%}  {bar}  95% CI {low:.1%} to {high:.1%}")
    lines += ["", f"mean length {result.mean_plies:.2f} plies"]
    for label, count, fault in zip((a, b), result.forfeits, result.faults, strict=True):
        if fault is not None:
            lines += ["", f"{label} forfeited {games(count)}, first game {fault[0] + 1}: {fault[1]}"]
    for label, count in zip((a, b), result.unproven, strict=True):
        if count:
            moves = "1 move was" if count == 1 else f"{count:,} moves were"
            seconds = options.seconds or PROVING_SECONDS
            lines.append(f"{moves} not proven by {label}, {seconds:g} s each: the best found was played")
    if result.unfinished:
        lines.append(f"{games(result.unfinished)} called drawn after {options.max_plies:,} plies")
    return "\n".join(lines)


def games(count: int) -> str:
    """So many games, in words."""
    return f"{count:,} game" if count == 1 else f"{count:,} games"
