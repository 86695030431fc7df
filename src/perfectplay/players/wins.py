"""`wins`: takes a win, else any legal move."""

from perfectplay.game import Game, legal_moves
from perfectplay.players.seat import Seat
from perfectplay.words import LOSS, Move, Player, Position


def winning_moves(game: Game, position: Position) -> list[Move]:
    """The moves that win at once: after them the other side has lost."""
    return [move for move in legal_moves(game, position) if game.outcome(*game.play(*position, move)) == LOSS]


def wins_player(seat: Seat) -> Player:
    """A player that sees its own wins and nothing else."""
    game, rng = seat.game, seat.rng

    def choose(position: Position) -> Move:
        return rng.choice(winning_moves(game, position) or legal_moves(game, position))

    return choose
