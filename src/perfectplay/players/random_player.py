"""`random`: any legal move."""

from perfectplay.game import legal_moves
from perfectplay.players.seat import Seat
from perfectplay.words import Move, Player, Position


def random_player(seat: Seat) -> Player:
    """A player to whom all legal moves are alike."""
    game, rng = seat.game, seat.rng

    def choose(position: Position) -> Move:
        return rng.choice(legal_moves(game, position))

    return choose
