"""Exported files to test: written by the program as a user would, and the truth to compare them with."""

import json
from functools import lru_cache

from perfectplay.front.cli import main
from perfectplay.game import legal_moves, levels
from perfectplay.loading import load_game
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.lookup_or_solve import best_moves
from perfectplay.solvers.steps import finished


def export(capsys, game, path, *more):
    """The facts that the program tells about the file it has written."""
    assert main(["export", game, "--to", str(path), "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


@lru_cache(maxsize=8)
def truth(name):
    """For each reachable position what the table says, and the best moves."""
    game = load_game(name)
    table = finished(solving(game, Options()))
    entries = {position: table.lookup(position) for level in levels(game) for position in level}
    found = {}
    for position, entry in entries.items():
        moves = {move: entries[game.play(*position, move)].before() for move in legal_moves(game, position)}
        found[position] = (entry, sorted(best_moves(moves)) if moves else [])
    return found
