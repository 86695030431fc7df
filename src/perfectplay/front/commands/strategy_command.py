"""`perfectplay strategy`: the winning strategy in words."""

import json
from argparse import Namespace
from pathlib import Path

from perfectplay.api.strategies import strategy
from perfectplay.folders import replacing
from perfectplay.front.progress import shown_progress
from perfectplay.loading import load_game
from perfectplay.words import BadArgument


def show_strategy(options: Namespace) -> int:
    """Finds the strategy, writes the page if one is wanted, and prints it."""
    if options.to is not None and not options.to.endswith(".html"):
        raise BadArgument(f"{options.to!r} does not end in .html")
    with shown_progress("done") as progress:
        found = strategy(load_game(options.game), options.side, seconds=options.seconds, progress=progress)
    if options.to is not None:
        with replacing(Path(options.to)) as sink:
            sink.write(found.to_html().encode())
    if options.json:
        print(json.dumps(found.to_dict()))
    else:
        print(found if options.to is None else f"{options.to}: {str(found).splitlines()[0]}")
    return 0
