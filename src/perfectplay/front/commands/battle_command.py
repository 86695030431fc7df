"""`perfectplay battle`: many games, and what came of them."""

import json
import sys
from argparse import Namespace
from secrets import randbelow

from perfectplay.arena.battle import Contest, Tally, added, interval, tallies
from perfectplay.front.progress import track
from perfectplay.front.streams import can_print
from perfectplay.players.seat import PROVING_SECONDS

BAR = 30


def show_battle(options: Namespace) -> int:
    """Fights the battle and prints the result."""
    seed = randbelow(2**32) if options.seed is None else options.seed
    first, second = options.players
    contest = Contest(options.game, (first, second), seed, options.swap, options.max_plies, options.seconds)
    total = Tally()
    parts = tallies(contest, options.games, options.jobs)
    try:
        for part in track(parts, options.games, "games", worth=lambda tally: tally.games):
            total = added(total, part)
    except KeyboardInterrupt:
        show(contest, total, options.json)
        print(f"\nperfectplay: interrupted after {total.games:,} of {games(options.games)}", file=sys.stderr)
        raise
    except Exception:  # rules that break down, a process that was ended: what was played is not lost
        if total.games:
            show(contest, total, options.json)
        raise
    show(contest, total, options.json)
    return 0


def show(contest: Contest, total: Tally, in_json: bool) -> None:
    """Prints the result."""
    print(json.dumps(as_json(contest, total)) if in_json else as_text(contest, total), flush=True)


def as_json(contest: Contest, total: Tally) -> dict[str, object]:
    """The result as scripts rely on it."""
    facts: dict[str, object] = {
        "game": contest.game,
        "players": list(contest.players),
        "games": total.games,
        "wins": list(total.wins),
        "draws": total.draws,
        "forfeits": list(total.forfeits),
        "mean_plies": total.mean_plies,
        "seed": contest.seed,
    }
    return {**facts, "unproven": list(total.unproven)} if any(total.unproven) else facts


def as_text(contest: Contest, total: Tally) -> str:
    """The result as people read it."""
    a, b = contest.players
    if a == b:
        a, b = (f"{a} (A)", f"{b} (B)") if contest.swap else (f"{a} (first)", f"{b} (second)")
    order = "taking turns to move first" if contest.swap else f"{a} moves first"
    lines = [f"{contest.game}: {a} against {b}, {games(total.games)}, {order}, seed {contest.seed}", ""]
    if not total.games:
        return lines[0]
    wide = max(len(a), len(b)) + 7
    full, empty = ("█", "░") if can_print("█░") else ("#", ".")
    for label, count in ((f"won by {a}", total.wins[0]), ("drawn", total.draws), (f"won by {b}", total.wins[1])):
        share, (low, high) = count / total.games, interval(count, total.games)
        bar = (full * round(share * BAR)).ljust(BAR, empty)
        lines.append(f"{label:<{wide}} {count:>9,}  {share:>6.1%}  {bar}  95 % sure: {low:.1%} to {high:.1%}")
    lines += ["", f"mean length {total.mean_plies:.2f} plies"]
    for label, count, fault in zip((a, b), total.forfeits, total.faults, strict=True):
        if fault is not None:
            lines += ["", f"{label} forfeited {games(count)}, first game {fault[0] + 1}: {fault[1]}"]
    for label, count in zip((a, b), total.unproven, strict=True):
        if count:
            moves = "1 move was" if count == 1 else f"{count:,} moves were"
            seconds = contest.seconds or PROVING_SECONDS
            lines.append(f"{moves} not proven by {label}, {seconds:g} s each: the best found was played")
    if total.unfinished:
        lines.append(f"{games(total.unfinished)} called drawn after {contest.most_plies:,} plies")
    return "\n".join(lines)


def games(count: int) -> str:
    """So many games, in words."""
    return f"{count:,} game" if count == 1 else f"{count:,} games"
