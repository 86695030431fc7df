"""`perfectplay strategy`: the winning strategy in words."""

import json
from argparse import Namespace

from perfectplay.commands.learn.strategies import headline, strategy
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
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
    elif options.to is not None:
        print(f"{options.to}: {headline(found)}")
    else:
        show(found.document())
    return 0
