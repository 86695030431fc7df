"""`perfectplay strategy`: the winning strategy in words."""

import json
from argparse import Namespace

from perfectplay.commands.learn.strategies import strategy
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.rules.loading import load_game
from perfectplay.rules.outputs import HTML, output_by_ending


def show_strategy(options: Namespace) -> int:
    """Finds the strategy, writes the page if one is wanted, and prints it."""
    target = None if options.to is None else output_by_ending(options.to, [HTML], options.force)
    with shown_progress("done") as progress:
        found = strategy(load_game(options.game), options.side, seconds=options.seconds, progress=progress)
    if target is not None:
        target.write(found.to_html().encode())
    if options.json:
        print(json.dumps(found.to_dict()))
    else:
        print(found if options.to is None else f"{options.to}: {str(found).splitlines()[0]}")
    return 0
