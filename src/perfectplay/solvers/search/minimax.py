"""Plain minimax: the reference for all other solvers."""

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.words import ONGOING, Entry, Move, Position, entry_of


def minimax(game: Game, position: Position) -> Entry:
    """The value and distance of the position, or its margin, from its whole game tree; the game must end."""
    outcome = game.outcome(*position)
    if outcome != ONGOING:
        return entry_of(outcome, 0, None if game.margin is None else game.margin(*position))
    return max(minimax_moves(game, position).values(), key=Entry.preference)


def minimax_moves(game: Game, position: Position) -> dict[Move, Entry]:
    """The entry of each legal move, from the mover's view."""
    return {
        move: minimax(game, game.play(*position, move)).before(game.again is not None and game.again(*position, move))
        for move in bit_numbers(game.moves(*position))
    }
