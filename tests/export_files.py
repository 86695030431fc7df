"""Exported files to test: written by the program as a user would, and the truth to compare them with."""

import json
from functools import cache, lru_cache
from itertools import islice

from perfectplay.__main__ import main
from perfectplay.game import best_moves, legal_moves, levels
from perfectplay.rules.loading import load_game
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.steps import finished


def export(capsys, game, path, *more):
    """The facts that the program tells about the file it has written."""
    assert main(["export", game, "--to", str(path), "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


@lru_cache(maxsize=8)
def truth(name, every=1):
    """For each reachable position, or every so manieth, what the table says, and the best moves."""
    game = load_game(name)
    lookup = cache(finished(solving(game, Options())).lookup)
    found = {}
    for position in islice((position for level in levels(game) for position in level), 0, None, every):
        moves = {move: lookup(game.play(*position, move)).before() for move in legal_moves(game, position)}
        found[position] = (lookup(position), sorted(best_moves(moves)) if moves else [])
    return found
