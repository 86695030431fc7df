"""Plain minimax: the reference for all other solvers."""

from perfectplay.game import Game, end_entry, move_entries
from perfectplay.words import ONGOING, Entry, Move, Position


def minimax(game: Game, position: Position) -> Entry:
    """The entry of the position, from its whole game tree; the game must end."""
    if game.outcome(*position) != ONGOING:
        return end_entry(game, position)
    return max(minimax_moves(game, position).values(), key=Entry.preference)


def minimax_moves(game: Game, position: Position) -> dict[Move, Entry]:
    """The entry of each legal move, from the mover's view."""
    return move_entries(game, position, lambda child: minimax(game, child))
