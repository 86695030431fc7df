"""`perfectplay explain`: who wins, how soon and why."""

import json
from argparse import Namespace

from perfectplay.commands.learn.explaining import explanation_of
from perfectplay.commands.play.match import Match
from perfectplay.commands.terminal.progress import waiting
from perfectplay.rules.loading import load_game

SOURCES = {"search": "Found by search, without a table.", "threats": "Found by a search for threats, without a table."}
"""What is said of a source other than a table."""


def show_explain(options: Namespace) -> int:
    """Plays the moves, draws the board and explains the position."""
    match = Match(load_game(options.game), options.moves, options.position)
    with waiting(f"looking for reasons in {options.game}; a search is compiled the first time, some seconds"):
        found = explanation_of(match, options.seconds, options.threads)
    if options.json:
        print(json.dumps(found.to_dict()))
        return 0
    print(f"{match}\n\n{found}")
    if found.source in SOURCES:
        print(f"\n{SOURCES[found.source]}")
    return 0
