"""`perfectplay odds`: the exact result of two players, computed, not played."""

import json
from argparse import Namespace

from perfectplay.commands.know.probability import per_cent
from perfectplay.commands.odds.probabilities import odds
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of


def show_odds(options: Namespace) -> int:
    """Computes the odds and prints them."""
    a, b = options.players
    with shown_progress() as progress:
        found = odds(
            load_game(options.game),
            a,
            b,
            exact=options.exact,
            games=options.games,
            seed=options.seed,
            seconds=options.seconds,
            progress=progress,
        )
    if options.json:
        print(json.dumps(found.to_dict()))
        return 0
    how = "" if found.games is None else f", estimated from {number_of(found.games, 'game')}"
    print(f"{options.game}: {a} moves first, {b} second{how}")
    if a == b:
        a, b = f"first {a}", f"second {b}"
    chance = found.probability
    names = (f"{a} wins", "drawn", f"{b} wins")
    wide = max(len(name) for name in names)
    ranges = found.intervals or (None, None, None)
    for name, number, between in zip(names, (chance.win, chance.draw, chance.loss), ranges, strict=True):
        more = f"{float(number):.12f}" if between is None else f"95% CI {between[0]:.1%} to {between[1]:.1%}"
        print(f"  {name:<{wide}}  {per_cent(number):>10}   {more}")
    for forfeit in found.forfeits:
        print(forfeit.line((a, b)[forfeit.side]))
    return 0
