"""The board as plain functions see it: rows of cells, each None or text that also tells what stands there."""

import re
from functools import lru_cache
from typing import Any, Self

from perfectplay.game import Game, legal_moves
from perfectplay.rules.notation import move_name, pieces_on, show_position, spots
from perfectplay.words import FIRST, SECOND, Move, Position, Sides

Grid = list[list[str | None]]
"""Rows of squares from the top, each None or the text of what stands there."""


class Cell(str):
    """What stands on a square: the name of its side where these are X and O, else the name of the piece.

    `side`: the owner's name. `piece`: the piece as it is drawn, such as 'X3' or 'K'. `kind`: the number of the kind of
    piece. `life`: the number in the piece's name, None if it has none.
    """

    __slots__ = ("kind", "life", "piece", "side")

    side: str
    piece: str
    kind: int
    life: int | None

    def __new__(cls, text: str, side: str, piece: str, kind: int = 0) -> Self:
        """The cell with this text."""
        cell = super().__new__(cls, text)
        number = re.search("[0-9]+", piece)
        cell.side, cell.piece, cell.kind, cell.life = side, piece, kind, int(number[0]) if number else None
        return cell

    def __repr__(self) -> str:
        return repr(self.piece)

    def __reduce__(self) -> tuple[Any, ...]:
        return Cell, (str(self), self.side, self.piece, self.kind)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Board(list[list[str | None]]):
    """The board that a function is given: a list of rows, which also has all that the cells do not show.

    `game`, `position` and `side` (0 moves first) are those that were handed over, whatever is done to the rows. A copy
    is a plain list.
    """

    def __init__(self, game: Game, position: Position, side: int) -> None:
        width, _ = game.shape
        cells = cells_of(game)
        squares = [None if at is None else cells[at[0]][at[1]] for at in pieces_on(game, position, side)]
        super().__init__([*squares[i : i + width]] for i in range(0, len(squares), width))
        self.game, self.position, self.side = game, position, side

    @property
    def text(self) -> str:
        """The position as one line of text."""
        return show_position(self.game, self.position, self.side)

    @property
    def moves(self) -> list[str]:
        """The names of the legal moves."""
        return [move_name(self.game, self.position, self.side, move) for move in self.move_numbers]

    @property
    def move_numbers(self) -> list[Move]:
        """The numbers of the legal moves, for `game.play`."""
        return legal_moves(self.game, self.position)

    @property
    def unseen(self) -> Position:
        """What no cell shows, such as a counter: the bits of both words that are left; (0, 0) if there is nothing."""
        return unseen(self.game, self.position, self.side)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


@lru_cache(maxsize=64)
def cells_of(game: Game) -> Sides[tuple[Cell, ...]]:
    """The cell for each kind of piece of each side."""
    sides, pieces = game.look.sides, game.look.pieces
    marks = has_marks(game)

    def cells(side: int) -> tuple[Cell, ...]:
        name = sides[side]
        return tuple(Cell(name if marks else piece, name, piece, kind) for kind, piece in enumerate(pieces[side]))

    return Sides(cells(FIRST), cells(SECOND))


def side_text(game: Game, side: int) -> str:
    """The side as a function is told it: where it has one kind of piece only, the very cell that is on the board."""
    cells = cells_of(game)[side]
    return cells[0] if len(cells) == 1 and has_marks(game) else game.look.sides[side]


def has_marks(game: Game) -> bool:
    """Whether the sides are called X and O."""
    return {game.look.sides.first, game.look.sides.second} == {"X", "O"}


def unseen(game: Game, position: Position, side: int) -> Position:
    """The bits of both words that the pieces on the board do not account for."""
    visible, places = [0, 0], spots(game, side)
    for square, at in enumerate(pieces_on(game, position, side)):
        if at is not None:
            visible[at[0] != side] |= places[square][at[1]][1]
    return position[0] & ~visible[0], position[1] & ~visible[1]
