"""Boards of the classic exercise: lists of rows of 'X', 'O' and None, of any size, and the rules on them.

As many in a row win as the shorter side of the board has squares, unless `k` says otherwise.
"""

from collections.abc import Sequence
from functools import lru_cache

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.players.named.classic_board import Board, Grid
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import moves_are_squares
from perfectplay.words import DRAW, FIRST, ONGOING, SECOND, WIN, BadArgument, BadPosition, IllegalMove, Position

MARKS = ("X", "O")
LARGEST = 64
"""The longest side of a board."""
Rows = Sequence[Sequence[str | None]]
"""A board that is only read."""
Square = tuple[int, int]
"""(row, column), both from 0 at the top left."""


def new_board(size: int = 3, *, width: int | None = None, height: int | None = None) -> Grid:
    """An empty board of size x size squares, or of `width` columns and `height` rows."""
    columns, rows = (size if width is None else width), (size if height is None else height)
    for length in (columns, rows):
        if not isinstance(length, int) or not 1 <= length <= LARGEST:
            raise BadArgument(f"a board has 1 to {LARGEST} rows and columns, not {length!r}")
    return [[None] * columns for _ in range(rows)]


def render(board: Rows) -> str:
    """The board as text, with the numbers of its rows and columns and a dot for an empty square."""
    check_grid(board)
    width = len(board[0])
    wide, margin = len(str(width - 1)), len(str(len(board) - 1))
    lines = [[" " * margin, *(str(column).rjust(wide) for column in range(width))]]
    lines += [[str(r).rjust(margin), *((mark or ".").rjust(wide) for mark in row)] for r, row in enumerate(board)]
    return "\n".join(" ".join(line) for line in lines)


def legal_moves(board: Rows, k: int | None = None) -> list[Square]:
    """The empty squares as (row, column); none once the game is over."""
    return [] if get_winner(board, k) else empty_squares(board)


def make_move(board: Rows, move: Square, side: str) -> Grid:
    """A new board with the side's mark on the square; the given one is left as it is."""
    check_grid(board)
    check_side(side)
    height, width = len(board), len(board[0])
    match move:
        case (int(row), int(column)) if 0 <= row < height and 0 <= column < width:
            if board[row][column] is not None:
                raise IllegalMove(f"{move!r} is taken, by {board[row][column]}; take an empty square")
            after = [[*cells] for cells in board]
            after[row][column] = side
            return after
    raise IllegalMove(f"{move!r} is no square; write (row, column), from (0, 0) to {(height - 1, width - 1)}")


def get_winner(board: Rows, k: int | None = None) -> str | None:
    """'X' or 'O' if that side has its marks in a row, else None."""
    game = game_for(board, k)
    won_by = winner(game, words_on(game, board), FIRST)
    return None if won_by is None else MARKS[won_by]


def is_full(board: Rows) -> bool:
    """Whether no square is empty."""
    check_grid(board)
    return not empty_squares(board)


def empty_squares(board: Rows) -> list[Square]:
    """The squares that hold None."""
    return [(r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark is None]


def check_side(side: str) -> None:
    """Raises BadPosition unless the side is 'X' or 'O'."""
    if side not in MARKS:
        raise BadPosition(f"side {side!r} is neither 'X' nor 'O'")


def check_grid(board: object) -> None:
    """Raises BadPosition unless this is a board: rows of the same length, of 'X', 'O' and None."""
    rows = (list, tuple)
    whole = isinstance(board, rows) and board and all(isinstance(row, rows) and row for row in board)
    if not whole or len({len(row) for row in board}) != 1:  # type: ignore[attr-defined]
        raise BadPosition(f"a board is rows of the same length, such as 3 rows of 3 squares, not {board!r}")
    if not all(mark in (*MARKS, None) for row in board for mark in row):  # type: ignore[attr-defined]
        raise BadPosition(f"a square holds 'X', 'O' or None; the board is {board!r}")


def game_for(board: Rows, k: int | None) -> Game:
    """The rules for a board of this size; those that a board was handed over with, unless `k` is given."""
    check_grid(board)
    if isinstance(board, Board) and k is None:
        if board.game.winning_lines is None or not moves_are_squares(board.game):
            raise BadPosition(f"{board.game.name} is not k in a row; use a player by its name, such as 'random'")
        return board.game
    return in_a_row(len(board[0]), len(board), min(len(board), len(board[0])) if k is None else k)


@lru_cache(maxsize=64)
def in_a_row(width: int, height: int, k: int) -> Game:
    """The game on width x height squares in which k in a row win."""
    return load_game(f"lines:{width},{height},{k}")


def words_on(game: Game, board: Rows) -> Position:
    """The squares of X and of O; raises BadPosition if both have a row."""
    marks = [mark for row in board for mark in row]
    x, o = (sum(1 << square for square, mark in enumerate(marks) if mark == sign) for sign in MARKS)
    if not {game.outcome(x, o), game.outcome(o, x)} & {ONGOING, DRAW}:
        raise BadPosition(f"both sides have their marks in a row on the board {board!r}")
    return x, o


def position_of(board: Rows, side: str, k: int | None = None) -> tuple[Game, Position, int]:
    """The rules, the position seen by the side to move, and that side by number."""
    check_side(side)
    game = game_for(board, k)
    x, o = words_on(game, board)
    return (game, (x, o), FIRST) if side == "X" else (game, (o, x), SECOND)


def open_position(board: Rows, side: str, k: int | None = None) -> tuple[Game, Position, int]:
    """The same for a game that is not over."""
    game, position, number = position_of(board, side, k)
    if winner(game, position, number) is not None or not bit_numbers(game.moves(*position)):
        raise BadPosition(f"the game is over, {side} has no move in\n{render(board)}")
    return game, position, number


def winner(game: Game, position: Position, side: int) -> int | None:
    """The side that has won, whoever is to move."""
    mine, theirs = position
    for to_move, outcome in ((side, game.outcome(mine, theirs)), (1 - side, game.outcome(theirs, mine))):
        if outcome not in (ONGOING, DRAW):
            return to_move if outcome == WIN else 1 - to_move
    return None
