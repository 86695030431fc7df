"""What moves do to the squares of a board, from the positions before and after: games need no code for the page."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, Spot, after, legal_moves
from perfectplay.rules.board_layout import square_names
from perfectplay.rules.notation import can_stand, move_name, piece_name, pieces_on, spots
from perfectplay.views.game_pieces import nobodys
from perfectplay.words import DRAW, FIRST, ONGOING, SECOND, Move, Position, Sides, Turn

Pieces = dict[int, int]
"""The kind of piece on each square that a side holds."""


class Reader:
    """Finds the squares that a side holds in its word."""

    def __init__(self, places: Sequence[Sequence[Spot]], owner: int) -> None:
        self.single: dict[int, tuple[int, int]] = {}
        """The square and the kind of piece of a single bit."""
        self.fields: dict[int, dict[int, tuple[int, int]]] = {}
        """The same for several bits: by mask, then by value."""
        for square, here in enumerate(places):
            for kind, (mask, value, *_) in enumerate(here):
                if not can_stand(here, owner, kind):
                    continue
                if mask == value and mask.bit_count() == 1:
                    self.single[mask.bit_length() - 1] = (square, kind)
                else:
                    self.fields.setdefault(mask, {})[value] = (square, kind)
        self.bits = {square: bit for bit, (square, _) in self.single.items()}
        self.board = sum(1 << bit for bit in self.single)

    def pieces(self, word: int) -> Pieces:
        """The squares that the side of this word holds."""
        pieces = dict(self.single[bit] for bit in bit_numbers(word & self.board))
        for mask, values in self.fields.items():
            at = values.get(word & mask)
            if at is not None:
                pieces[at[0]] = at[1]
        return pieces


@lru_cache(maxsize=64)
def readers(game: Game) -> Sides[Sides[Reader]]:
    """For each side to move the readers of both sides' words; one for all if there is no difference."""

    def both(side: int) -> Sides[Reader]:
        places = spots(game, side)
        owned = any(len(spot) > 2 for square in places for spot in square)
        first = Reader(places, FIRST)
        return Sides(first, Reader(places, SECOND) if owned else first)

    first = both(FIRST)
    return Sides(first, both(SECOND) if isinstance(game.cells, Sides) else first)


class Change(NamedTuple):
    """What a move does: the squares to click, and the pieces that leave and arrive."""

    to: list[int]
    left: Pieces
    arrived: Pieces


def change_of(game: Game, before: Turn, following: Turn) -> Change:
    """What the move does from one turn to the following, which may be the same side's, on the board itself."""
    if nobodys(game) or game.look.board == "pits":
        return change_by_looks(game, before, following)
    (position, side), (child, next_side) = before, following
    now, then, mover = readers(game)[side], readers(game)[next_side], child[0 if side == next_side else 1]
    if now is then and now.first is now.second and not now.first.fields:  # bits: only those that changed are looked at
        arrived = now.first.pieces(mover & ~position[0])
        left = now.first.pieces(position[0] & ~mover)
        empty = [square for square in arrived if not position[1] >> now.first.bits[square] & 1]
        to = empty or [*arrived]
    else:
        mine, theirs = now[side].pieces(position[0]), now[1 - side].pieces(position[1])
        later = then[side].pieces(mover)
        arrived = on_board(game, {square: kind for square, kind in later.items() if square not in mine})
        left = on_board(game, {square: kind for square, kind in mine.items() if square not in later})
        to = [square for square in arrived if square not in theirs] or [*arrived]
    if not to:  # nothing arrives: any other change
        old, new = pieces_on(game, position, side), pieces_on(game, child, next_side)
        to = [*on_board(game, {square: 0 for square, at in enumerate(old) if at != new[square]})]
    return Change(sorted(to), left, arrived)


def change_by_looks(game: Game, before: Turn, following: Turn) -> Change:
    """The same where pieces belong to nobody, and so may be in either word, or where seeds are sown from a pit."""
    old, new = pieces_on(game, *before), pieces_on(game, *following)
    differ = {square: 0 for square, at in enumerate(old) if piece_name(game, at) != piece_name(game, new[square])}
    changed, mover = {square: (old[square], new[square]) for square in on_board(game, differ)}, before[1]
    arrived = {sq: at[1] for sq, (_, at) in changed.items() if at and (at[0] == mover or at[1] in nobodys(game))}
    left = {sq: was[1] for sq, (was, _) in changed.items() if was and was[0] == mover and sq not in arrived}
    if game.look.board == "pits":
        sown = [sq for sq, (was, at) in changed.items() if was and was[0] == mover and was[1] > (at[1] if at else -1)]
        return Change(sown or sorted(changed), {}, arrived)
    if not arrived:  # things are taken away: nothing moves
        left = {}
    return Change(sorted([sq for sq in arrived if old[sq] is None] or arrived or changed), left, arrived)


def on_board(game: Game, squares: Pieces) -> Pieces:
    """Those of the squares that are on the board, not beside it."""
    count = game.shape[0] * game.shape[1]
    return {square: kind for square, kind in squares.items() if square < count}


def changes(game: Game, position: Position, side: int) -> dict[Move, Change]:
    """What each legal move does."""
    turn = position, side
    by_move = {move: change_of(game, turn, after(game, *turn, move)) for move in legal_moves(game, position)}
    return by_named_square(game, turn, by_move) if nobodys(game) else by_move


def by_named_square(game: Game, turn: Turn, by_move: dict[Move, Change]) -> dict[Move, Change]:
    """The same where moves change more than a square and are called like one of them: that is the one to click."""
    names = {name: square for square, name in enumerate(square_names(game))}
    squares = {move: names.get(move_name(game, *turn, move), -1) for move in by_move}
    if not all(squares[move] in change.to for move, change in by_move.items()):
        return by_move
    return {move: change._replace(to=[squares[move]]) for move, change in by_move.items()}


def going(moves: Iterable[Change]) -> list[int]:
    """The squares of pieces that vanish on the next move, whatever it is."""
    faded = [{square for square, kind in move.left.items() if kind not in move.arrived.values()} for move in moves]
    return sorted(set.intersection(*faded)) if len(faded) > 1 else []


def winning_lines(game: Game, position: Position, side: int) -> list[list[int]]:
    """The straight lines of the last mover's pieces that ended the game."""
    end = game.outcome(*position)
    if end in (ONGOING, DRAW) or game.margin is not None:
        return []
    places, mine = spots(game, side), position[0]
    board = enumerate(pieces_on(game, position, side))
    kinds = on_board(game, {square: at[1] for square, at in board if at is not None and at[0] != side})

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
    square_set = set(squares)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for square in sorted(square_set):
            x, y = square % width, square // width
            if 0 <= x - dx < width and y - dy >= 0 and square - dx - dy * width in square_set:
                continue  # the line begins earlier
            line = []
            while 0 <= x < width and y < height and y * width + x in square_set:
                line.append(y * width + x)
                x, y = x + dx, y + dy
            if len(line) > 1:
                yield line
