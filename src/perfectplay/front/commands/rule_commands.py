"""`perfectplay perft` and `perfectplay check`: for those who write rules."""

import json
from argparse import Namespace

from perfectplay.api.checking import checking, plies, random_games
from perfectplay.front.progress import shown_progress
from perfectplay.loading import load_game
from perfectplay.words import BadGame


def show_perft(options: Namespace) -> int:
    """Prints how many move sequences there are, ply by ply, as soon as a ply is counted."""
    game = load_game(options.game)
    nodes = []
    if not options.json:
        print(f"{'ply':>4} {'sequences':>26} {'positions':>14}")
    with shown_progress() as progress:
        for ply, (sequences, positions) in enumerate(plies(game, options.depth, progress)):
            nodes.append(sequences)
            if positions and not options.json:
                print(f"{ply:>4} {sequences:>26,} {positions:>14,}", flush=True)
    if options.json:
        print(json.dumps({"game": options.game, "depth": options.depth, "nodes": nodes}))
    return 0


def show_check(options: Namespace) -> int:
    """Prints each check, whether the rules pass it, and how random games end; raises BadGame if they fail one."""
    faults, game = 0, load_game(options.game)
    for check in checking(game, options.walks, options.seed):
        print(check, flush=True)
        faults += check.fault is not None
    games = random_games(game, options.walks, options.seed)
    if games is not None:
        print(games)
    if faults:
        raise BadGame(f"{options.game} breaks the contract, see FAULT above")
    return 0
