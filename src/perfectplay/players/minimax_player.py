"""`minimax`: looks at every game that can still be played, for games that end and are small."""

from functools import cache

from perfectplay.players.seat import Seat
from perfectplay.solve.minimax import minimax_moves
from perfectplay.solve.walkable import check_walkable
from perfectplay.words import Entry, Move, Player, Position


def minimax_player(seat: Seat) -> Player:
    """A player that never gives the result away, wins as soon and loses as late as possible."""
    game, rng = seat.game, seat.rng
    check_walkable(game, instead="the player blocks")

    @cache
    def best_moves(position: Position) -> list[Move]:
        entries = minimax_moves(game, position)
        best = max(entries.values(), key=Entry.preference)
        return [move for move, entry in entries.items() if entry.as_good_as(best)]

    def choose(position: Position) -> Move:
        return rng.choice(best_moves(position))

    return choose
