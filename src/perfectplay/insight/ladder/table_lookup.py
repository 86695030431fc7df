"""No search at all: the position and its moves are looked up in the table of the solved game."""

from perfectplay.game import Game, legal_moves
from perfectplay.insight.ladder.best_move import best_move
from perfectplay.insight.ladder.meter import Meter
from perfectplay.solvers.lookup_or_solve import lookup_for
from perfectplay.words import BadPosition, Entry, Position, TooBig


def table_lookup(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position; raises TooBig if there is no table and the game is not small."""
    lookup = lookup_for(game)
    meter.restart()
    for _ in range(1 + len(legal_moves(game, position))):
        meter.visit()
    try:
        meter.move = best_move(game, position, lookup)
        return lookup(position)
    except BadPosition:
        raise TooBig("not in the table: it cannot be reached from the start") from None
