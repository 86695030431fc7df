"""`perfect`: keeps the result, wins quickest and loses slowest, from the complete solution of the game."""

from perfectplay.players.seat import Seat
from perfectplay.solve.answers import best_moves, entries_of_moves, lookup_for
from perfectplay.words import Move, Player, Position


def perfect_player(seat: Seat) -> Player:
    """A player that never errs; by chance among moves that are equally good."""
    game, rng = seat.game, seat.rng
    lookup = lookup_for(game)

    def choose(position: Position) -> Move:
        return rng.choice(sorted(best_moves(entries_of_moves(game, lookup, position))))

    return choose
