"""`blocks`: takes a win, else blocks a loss, else any legal move."""

from perfectplay.game import Game, legal_moves
from perfectplay.players.seat import Seat
from perfectplay.players.wins import winning_moves
from perfectplay.words import WIN, Move, Player, Position


def blocks_player(seat: Seat) -> Player:
    """A player that sees its own wins and the other side's."""
    game, rng = seat.game, seat.rng

    def choose(position: Position) -> Move:
        wins = winning_moves(game, position)
        if wins:
            return rng.choice(wins)
        dangers = {move: danger(game, game.play(*position, move)) for move in legal_moves(game, position)}
        least = min(dangers.values())
        return rng.choice([move for move in dangers if dangers[move] == least])

    return choose


def danger(game: Game, position: Position) -> float:
    """How many ways the side to move has to win at once; without number if it has won already.

    Where two wins threaten, blocking either is better than nothing: one way is fewer than two.
    """
    if game.outcome(*position) == WIN:
        return float("inf")
    return len(winning_moves(game, position))
