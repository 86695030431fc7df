"""`perfectplay compare`: the algorithms of the ladder on one game, what each finds and what it costs."""

import json
import sys
from argparse import Namespace

from perfectplay.commands.compete.comparing import Comparison, compare
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game

BOARDS = 1000
"""The boards to draw, unless a number is given."""


def show_compare(options: Namespace) -> int:
    """Prints what each algorithm finds; where play can repeat for ever, what the usual repairs find instead."""
    if options.boards is not None and not options.show:
        print("perfectplay: --boards has no effect without --show", file=sys.stderr)
    with shown_progress("searches") as progress:
        found = compare(
            load_game(options.game),
            *options.moves,
            position=options.position,
            nodes=options.nodes,
            seconds=options.seconds,
            depth=options.depth,
            boards=(options.boards or BOARDS) if options.show else 0,
            players=options.players,
            progress=progress,
        )
    if options.depth is not None and isinstance(found, Comparison):
        print("perfectplay: --depth has no effect in a game without cycles", file=sys.stderr)
    if options.json:
        print(json.dumps(found.to_dict()))
    else:
        show(found.document())
    return 0
