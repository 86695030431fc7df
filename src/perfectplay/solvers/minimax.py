"""Plain minimax: the reference for all other solvers."""

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.words import ONGOING, Entry, Move, Position


def minimax(game: Game, position: Position) -> Entry:
    """The value and distance of the position, from its whole game tree; the game must end."""
    outcome = game.outcome(*position)
    if outcome != ONGOING:
        return Entry(outcome, 0)
    return max(minimax_moves(game, position).values(), key=Entry.preference)


def minimax_moves(game: Game, position: Position) -> dict[Move, Entry]:
    """The entry of each legal move, from the mover's view."""
    legal = bit_numbers(game.moves(*position))
    return {move: minimax(game, game.play(*position, move)).before() for move in legal}
