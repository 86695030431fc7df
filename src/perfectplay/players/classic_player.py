"""The classic interface: a plain function my_ai(board, side) -> (row, column) becomes a player.

`board` is a list of rows of 'X', 'O' or None; `side` is 'X' or 'O'.
"""

from collections.abc import Callable

from perfectplay.game import Game, legal_moves
from perfectplay.notation import illegal_move, moves_are_squares, pieces_on
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import BadPlayer, Move, Player, Position

Board = list[list[str | None]]
Classic = Callable[[Board, str], tuple[int, int]]


def classic_player(function: Classic) -> Maker:
    """The maker of players that ask the function."""

    def make(seat: Seat) -> Player:
        game, side = seat.game, seat.side
        if {game.look.sides.first, game.look.sides.second} != {"X", "O"}:
            raise BadPlayer(f"{game.name} is not played with X and O: a function of (board, side) cannot play it")

        def choose(position: Position) -> Move:
            answer = function(classic_board(game, position, side), game.look.sides[side])
            move = move_to(game, position, side, answer)
            if move is None:
                raise illegal_move(game, position, side, f"{answer!r} as (row, column)")
            return move

        return choose

    return make


def classic_board(game: Game, position: Position, side: int) -> Board:
    """The board as rows of 'X', 'O' or None."""
    width, _ = game.shape
    marks = [None if at is None else game.look.sides[at[0]] for at in pieces_on(game, position, side)]
    return [marks[i : i + width] for i in range(0, len(marks), width)]


def move_to(game: Game, position: Position, side: int, answer: object) -> Move | None:
    """The legal move that puts a mark on the square (row, column), if there is one."""
    width, height = game.shape
    match answer:
        case (int(row), int(column)) if 0 <= row < height and 0 <= column < width:
            square = row * width + column
        case _:
            return None
    for move in legal_moves(game, position):
        if square == (move if moves_are_squares(game) else filled_square(game, position, side, move)):
            return move
    return None


def filled_square(game: Game, position: Position, side: int, move: Move) -> int | None:
    """The square that was empty before the move and bears the mover's mark after it."""
    before = pieces_on(game, position, side)
    after = pieces_on(game, game.play(*position, move), 1 - side)
    for square, at in enumerate(after):
        if before[square] is None and at is not None and at[0] == side:
            return square
    return None
