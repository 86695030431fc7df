"""The best line from a position: best play of both sides, the quickest win against the longest defence, or points."""

from typing import NamedTuple

from perfectplay.game import Game, after, entries_of_moves, legal_moves
from perfectplay.words import FIRST, Lookup, Move, Position, Turn

LONGEST = 1_000
"""The plies after which a line that does not repeat is cut off."""


class Line(NamedTuple):
    """Moves of best play, one after another.

    `repeats`: the number of moves after which the position stood that stands again at the end, in an endless draw;
    None if the line ends with the game, or where best play is not known any further.
    """

    moves: tuple[Move, ...]
    repeats: int | None = None


def best_line(game: Game, lookup: Lookup, position: Position) -> Line:
    """The best line; of equally good moves it takes the first, in an endless draw one that repeats a position."""
    moves: list[Move] = []
    turn: Turn = position, FIRST  # with the side to move: the same position with the sides exchanged is no repetition
    met = {turn: 0}
    while legal_moves(game, turn[0]) and len(moves) < LONGEST:
        entries = entries_of_moves(game, lookup, turn[0])
        best = next(iter(entries.values()))
        children = {move: after(game, *turn, move) for move, entry in entries.items() if entry == best}
        move = next((move for move, child in children.items() if child in met), next(iter(children)))
        moves.append(move)
        turn = children[move]
        if turn in met:
            return Line(tuple(moves), met[turn])
        met[turn] = len(moves)
    return Line(tuple(moves))
