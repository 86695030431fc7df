"""What moves do to the squares of a board, from the positions before and after: games need no code for the page."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, Spot, after, legal_moves
from perfectplay.notation import pieces_on, spots
from perfectplay.words import DRAW, FIRST, ONGOING, SECOND, Move, Position, Sides, Turn

Pieces = dict[int, int]
"""The kind of piece on each square that a side holds."""


class Reader:
    """Finds the squares that a side holds in its word."""

    def __init__(self, places: Sequence[Sequence[Spot]]) -> None:
        self.single: dict[int, tuple[int, int]] = {}
        """The square and the kind of piece of a single bit."""
        self.fields: dict[int, dict[int, tuple[int, int]]] = {}
        """The same for several bits: by mask, then by value."""
        for square, here in enumerate(places):
            for kind, (mask, value, *_) in enumerate(here):
                if mask == value and mask.bit_count() == 1:
                    self.single[mask.bit_length() - 1] = (square, kind)
                else:
                    self.fields.setdefault(mask, {})[value] = (square, kind)
        self.bits = {square: bit for bit, (square, _) in self.single.items()}
        self.board = sum(1 << bit for bit in self.single)

    def pieces(self, word: int) -> Pieces:
        """The squares that the side of this word holds."""
        found = dict(self.single[bit] for bit in bit_numbers(word & self.board))
        for mask, values in self.fields.items():
            at = values.get(word & mask)
            if at is not None:
                found[at[0]] = at[1]
        return found


@lru_cache(maxsize=64)
def readers(game: Game) -> Sides[Reader]:
    """The reader for each side to move."""
    first = Reader(spots(game, FIRST))
    return Sides(first, Reader(spots(game, SECOND)) if isinstance(game.cells, Sides) else first)


class Change(NamedTuple):
    """What a move does: the squares to click, and the pieces that leave and arrive."""

    to: list[int]
    left: Pieces
    arrived: Pieces


@lru_cache(maxsize=64)
def are_owned(game: Game) -> bool:
    """Whether every piece is in its owner's word: none is nobody's, and no place is for one side alone."""
    both = set(game.look.pieces.first) & set(game.look.pieces.second)
    return not both and all(len(spot) == 2 for side in (FIRST, SECOND) for place in spots(game, side) for spot in place)


def change_of(game: Game, before: Turn, following: Turn) -> Change:
    """What the move does from one turn to the following, which may be the same side's."""
    if not are_owned(game):
        return seen_change(game, before, following)
    (position, side), (child, next_side) = before, following
    now, then, mover = readers(game)[side], readers(game)[next_side], child[0 if side == next_side else 1]
    if now is then and not now.fields:  # squares are bits: only those that changed are looked at
        arrived = now.pieces(mover & ~position[0])
        left = now.pieces(position[0] & ~mover)
        empty = [square for square in arrived if not position[1] >> now.bits[square] & 1]
        to = empty or [*arrived]
    else:
        mine, theirs, later = now.pieces(position[0]), now.pieces(position[1]), then.pieces(mover)
        arrived = {square: kind for square, kind in later.items() if square not in mine}
        left = {square: kind for square, kind in mine.items() if square not in later}
        to = [square for square in arrived if square not in theirs] or [*arrived]
    if not to:  # nothing arrives: any other change
        old, new = pieces_on(game, position, side), pieces_on(game, child, next_side)
        to = [square for square, at in enumerate(old) if at != new[square]]
    return Change(sorted(to), left, arrived)


def seen_change(game: Game, before: Turn, following: Turn) -> Change:
    """The same where pieces may be nobody's, such as edges, or places one side's, such as counters and pits.

    To be clicked are the squares on which a piece of the mover's arrives, or one that is nobody's, or which it leaves.
    """
    old, new = pieces_on(game, *before), pieces_on(game, *following)
    side, places, texts = before[1], spots(game, before[1]), game.look.pieces

    def name(at: tuple[int, int] | None) -> str:
        return "" if at is None else texts[at[0]][at[1]]

    def rank(square: int) -> int:
        _, kind = new[square] or old[square] or (side, 0)
        counts = len(places[square][kind]) == 3
        return 2 if counts else int(texts[FIRST][kind] == texts[SECOND][kind])

    changed = [square for square in range(len(old)) if name(old[square]) != name(new[square])]
    least = min(map(rank, changed), default=0)
    changed = [square for square in changed if rank(square) == least]
    arrived = {square: at[1] for square in changed if (at := new[square]) is not None and old[square] is None}
    left = {square: at[1] for square in changed if (at := old[square]) is not None and new[square] is None}
    to = left if least == 2 and left else arrived or changed
    return Change(sorted(to), left, arrived)


def changes(game: Game, position: Position, side: int) -> dict[Move, Change]:
    """What each legal move does."""
    turn = position, side
    return {move: change_of(game, turn, after(game, *turn, move)) for move in legal_moves(game, position)}


def going(moves: Iterable[Change]) -> list[int]:
    """The squares of pieces that vanish on the next move, whatever it is."""
    faded = [{square for square, kind in move.left.items() if kind not in move.arrived.values()} for move in moves]
    return sorted(set.intersection(*faded)) if len(faded) > 1 else []


def winning_lines(game: Game, position: Position, side: int) -> list[list[int]]:
    """The straight lines of the last mover's pieces that ended the game."""
    end = game.outcome(*position)
    if end in (ONGOING, DRAW):
        return []
    places, mine = spots(game, side), position[0]
    kinds = {
        square: at[1] for square, at in enumerate(pieces_on(game, position, side)) if at is not None and at[0] != side
    }

    def ended_by(squares: Iterable[int]) -> bool:
        word = 0
        for square in squares:
            word |= places[square][kinds[square]][1]
        try:
            return game.outcome(mine, word) == end
        except (ArithmeticError, LookupError, ValueError):  # not a position that rules expect
            return False

    if ended_by(()):
        return []
    lines = [line for line in straight_lines(game.shape, kinds.keys()) if ended_by(line)]
    return [line for line in lines if not any(ended_by((square,)) for square in line)]


def straight_lines(shape: tuple[int, int], squares: Iterable[int]) -> Iterator[list[int]]:
    """The longest unbroken lines among the squares, of two or more: across, down and both diagonals."""
    width, height = shape
    held = set(squares)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for square in sorted(held):
            x, y = square % width, square // width
            if 0 <= x - dx < width and y - dy >= 0 and square - dx - dy * width in held:
                continue  # the line begins earlier
            line = []
            while 0 <= x < width and y < height and y * width + x in held:
                line.append(y * width + x)
                x, y = x + dx, y + dy
            if len(line) > 1:
                yield line
