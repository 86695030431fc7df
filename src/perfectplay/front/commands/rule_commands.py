"""`perfectplay perft` and `perfectplay check`: for those who write rules."""

import json
from argparse import Namespace

from perfectplay.engines.contract import SKIPPED, broken_checks
from perfectplay.engines.sample_positions import positions_to_check
from perfectplay.front.progress import track
from perfectplay.game import next_ply
from perfectplay.loading import load_game
from perfectplay.words import BadGame


def show_perft(options: Namespace) -> int:
    """Prints how many move sequences there are, ply by ply, as soon as a ply is counted."""
    game = load_game(options.game)
    nodes = []
    if not options.json:
        print(f"{'ply':>4} {'sequences':>26} {'positions':>14}")
    ways = {game.start: 1}
    for ply in range(options.depth + 1):
        if ply:
            ways = next_ply(game, track(ways.items(), len(ways), f"ply {ply}"))
        nodes.append(sum(ways.values()))
        if ways and not options.json:
            print(f"{ply:>4} {nodes[-1]:>26,} {len(ways):>14,}", flush=True)
        if not ways:  # every game is over: no longer sequence exists
            nodes += [0] * (options.depth - ply)
            break
    if options.json:
        print(json.dumps({"game": options.game, "depth": options.depth, "nodes": nodes}))
    return 0


def show_check(options: Namespace) -> int:
    """Prints each check and whether the rules pass it; raises BadGame if they fail one."""
    game = load_game(options.game)
    met = positions_to_check(game, options.walks, options.seed)
    faults = 0
    for check, fault in broken_checks(game, met):
        sentence = (check.__doc__ or "").partition("\n")[0]
        if fault is None or fault == SKIPPED:
            print(f"{'ok' if fault is None else 'skip':<6} {sentence}", flush=True)
        else:
            faults += 1
            print(f"FAULT  {sentence}\n       {fault}", flush=True)
    if faults:
        raise BadGame(f"{options.game} breaks the contract, see FAULT above")
    return 0
