"""`perfectplay odds`: the exact result of two players, computed, not played."""

import json
from argparse import Namespace

from perfectplay.commands.chances.probabilities import odds
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game


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
    else:
        show(found.document())
    return 0
