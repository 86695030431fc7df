"""`perfectplay perft`: counts, for those who write rules."""

import json
from argparse import Namespace

from perfectplay.commands.prove.counting import counted, plies
from perfectplay.commands.terminal.progress import shown_progress
from perfectplay.rules.loading import load_game
from perfectplay.views.json_facts import facts_in


def show_perft(options: Namespace) -> int:
    """Prints how many move sequences there are, ply by ply, as soon as a ply is counted, and how games end."""
    game = load_game(options.game)
    found = []
    if not options.json:
        print(f"{'ply':>4} {'sequences':>26} {'positions':>14} {'games over':>26}")
    with shown_progress() as progress:
        for number, ply in enumerate(plies(game, options.depth, progress)):
            found.append(ply)
            if ply.positions and not options.json:
                print(f"{number:>4} {ply.sequences:>26,} {ply.positions:>14,} {sum(ply.ended):>26,}", flush=True)
    games = counted(game, options.depth, found)
    if options.json:
        nodes = [ply.sequences for ply in found]
        facts = facts_in(games, "games", "wins", "draws", "ongoing", "complete")
        print(json.dumps({"game": options.game, "depth": games.depth, "nodes": nodes, "finished": facts}))
    else:
        print(f"\n{games}")
    return 0
