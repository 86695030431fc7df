"""The classic tic-tac-toe exercise: players are plain functions of (board, side) that return (row, column).

`board` is a list of three rows of 'X', 'O' or None; `side`, 'X' or 'O', is who is to move: it comes from the
argument alone, so boards on which O moved first are as good as any.

    >>> from perfectplay.classic import finds_winning_moves_ai
    >>> finds_winning_moves_ai([["X", "O", None], [None, "O", None], ["X", None, None]], "X")
    (1, 0)
"""

import random
from functools import cache
from typing import NamedTuple, cast

from perfectplay.arena.battle import match
from perfectplay.arena.referee import play_game
from perfectplay.bits import bit_numbers
from perfectplay.games.lines import game as lines
from perfectplay.notation import draw_position
from perfectplay.players import MAKERS, Maker, Seat, player_maker
from perfectplay.players.classic_player import Board, Classic, classic_player
from perfectplay.solve.minimax import minimax
from perfectplay.words import FIRST, LOSS, SECOND, BadPosition, Player, Position

__all__ = [
    "Tally",
    "finds_winning_and_losing_moves_ai",
    "finds_winning_moves_ai",
    "human_player",
    "minimax_ai",
    "minimax_score",
    "play",
    "random_ai",
    "repeated_battle",
]

GAME = lines(3, 3, 3)


class Tally(NamedTuple):
    """How many games were drawn, won by the first and by the second: `tally[play(...)]` is where a game counts."""

    draws: int
    first: int
    second: int


def position_of(board: Board, side: str) -> tuple[Position, int]:
    """The position, seen by the side to move, and that side by number."""
    if side not in ("X", "O"):
        raise BadPosition(f"side {side!r} is neither 'X' nor 'O'")
    if not is_grid(board):
        raise BadPosition(f"the classic board is 3 rows of 3 squares, not {board!r}")
    marks = [mark for row in board for mark in row]
    if not all(mark in ("X", "O", None) for mark in marks):
        raise BadPosition(f"a square holds 'X', 'O' or None; the board is {board!r}")
    x, o = (sum(1 << square for square, mark in enumerate(marks) if mark == wanted) for wanted in "XO")
    if GAME.outcome(x, o) == GAME.outcome(o, x) == LOSS:
        raise BadPosition(f"both sides have three in a row on the board {board!r}")
    return ((x, o), FIRST) if side == "X" else ((o, x), SECOND)


def is_grid(board: object) -> bool:
    """Whether this is three rows of three."""
    rows = (list, tuple)
    return isinstance(board, rows) and len(board) == 3 and all(isinstance(r, rows) and len(r) == 3 for r in board)


def winner(position: Position, side: int) -> int | None:
    """The side that has three in a row, whoever is to move."""
    mine, theirs = position
    if GAME.outcome(theirs, mine) == LOSS:
        return side
    return 1 - side if GAME.outcome(mine, theirs) == LOSS else None


@cache
def seated(name: str, side: int) -> Player:
    """The player of that name, who remembers what it has worked out and throws Python's own dice."""
    return MAKERS[name](Seat(GAME, side, cast(random.Random, random)))


def answer(name: str, board: Board, side: str) -> tuple[int, int]:
    """The square that the player of that name takes."""
    position, number = position_of(board, side)
    if winner(position, number) is not None or not GAME.moves(*position):
        raise BadPosition(f"the game is over, {side} has no move in\n{draw_position(GAME, position, number)}")
    return divmod(seated(name, number)(position), 3)


def random_ai(board: Board, side: str) -> tuple[int, int]:
    """Any empty square."""
    return answer("random", board, side)


def finds_winning_moves_ai(board: Board, side: str) -> tuple[int, int]:
    """A square that wins, else any."""
    return answer("wins", board, side)


def finds_winning_and_losing_moves_ai(board: Board, side: str) -> tuple[int, int]:
    """A square that wins, else one that keeps the other side from winning, else any."""
    return answer("blocks", board, side)


def minimax_ai(board: Board, side: str) -> tuple[int, int]:
    """A square that keeps the best result: quickest win, else draw, else latest loss."""
    return answer("minimax", board, side)


def minimax_score(board: Board, side: str) -> int:
    """+10 if X wins with best play, -10 if O does, 0 if nobody does; `side` is to move."""
    position, number = position_of(board, side)
    won_by = winner(position, number)
    if won_by is None:
        value = minimax(GAME, position).value
        return 10 * (value if number == FIRST else -value)
    return 10 if won_by == FIRST else -10


def human_player(board: Board, side: str) -> tuple[int, int]:
    """The square that the person at the terminal names, asked again until it is an empty one."""
    position, _ = position_of(board, side)
    empty = [divmod(square, 3) for square in bit_numbers(GAME.moves(*position))]
    for label, row in zip(" 012", [("0", "1", "2"), *board], strict=True):
        print(label, *(mark or "." for mark in row))
    while True:
        words = input(f"{side}, your move as row and column, 0 to 2 each: ").replace(",", " ").split()
        if len(words) == 2 and all(word in ("0", "1", "2") for word in words):
            square = (int(words[0]), int(words[1]))
            if square in empty:
                return square
            print(f"{square} is taken.")
        else:
            print("Two numbers please, such as: 1 1")


def play(first: Classic | str, second: Classic | str) -> int:
    """0 if the game is drawn, 1 if the first player wins, 2 if the second does; a name stands for a player, too.

    An illegal move raises IllegalMove.
    """
    seats = (Seat(GAME, side, cast(random.Random, random)) for side in (FIRST, SECOND))
    record = play_game(GAME, maker_of(first)(next(seats)), maker_of(second)(next(seats)))
    return 0 if record.winner is None else record.winner + 1


def repeated_battle(first: Classic | str, second: Classic | str, games: int) -> Tally:
    """How many of the games end in a draw and how many each player wins; an illegal move loses the game."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    seed = random.getrandbits(32)
    tally = match(GAME, (maker_of(first), maker_of(second)), seed)(range(games))
    return Tally(tally.draws, *tally.wins)


def maker_of(player: Classic | str) -> Maker:
    """The maker for a function of (board, side) or for a player's name."""
    return player_maker(player) if isinstance(player, str) else classic_player(player)
