"""`perfectplay explain`: who wins, how soon and why."""

import json
from argparse import Namespace

from perfectplay.commands.learn.explaining import explanation_of
from perfectplay.commands.matches.match import Match
from perfectplay.commands.terminal.progress import waiting
from perfectplay.commands.terminal.streams import show
from perfectplay.rules.loading import load_game


def show_explain(options: Namespace) -> int:
    """Plays the moves, draws the board and explains the position."""
    match = Match(load_game(options.game), options.moves, options.position)
    with waiting(f"looking for reasons in {options.game}; a search is compiled the first time, some seconds"):
        found = explanation_of(match, options.seconds, options.threads)
    if options.json:
        print(json.dumps(found.to_dict()))
    else:
        show(found.document())
    return 0
