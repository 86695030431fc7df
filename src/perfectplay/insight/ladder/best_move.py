"""The move that a player with an entry for every position chooses."""

from perfectplay.game import Game, move_entries
from perfectplay.words import Entry, Lookup, Move, Position


def best_move(game: Game, position: Position, lookup: Lookup) -> Move | None:
    """The first of the best moves: quick wins, late losses, short draws; None if the game is over."""
    entries = move_entries(game, position, lookup)
    return max(entries, key=lambda move: Entry.preference(entries[move]), default=None)
