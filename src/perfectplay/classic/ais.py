"""The players of the classic exercise: functions of (board, side), each with `k` in a row to win where that matters."""

import random
from functools import cache
from typing import cast

from perfectplay.classic.grids import Rows, Square, empty_squares, open_position, position_of, render, winner
from perfectplay.classic.proven_moves import best, value
from perfectplay.game import Game
from perfectplay.players import Seat, player_maker
from perfectplay.players.named.tricky import trick
from perfectplay.words import FIRST, Player


@cache
def seated(name: str, game: Game, side: int) -> Player:
    """The player of that name, which keeps what it has worked out and uses Python's module `random`."""
    return player_maker(name)(Seat(game, side, cast(random.Random, random)))


def answer(name: str, board: Rows, side: str, k: int | None) -> Square:
    """The square that the player of that name takes."""
    game, position, number = open_position(board, side, k)
    return divmod(seated(name, game, number)(position), len(board[0]))


def random_ai(board: Rows, side: str, k: int | None = None) -> Square:
    """Any empty square."""
    return answer("random", board, side, k)


def finds_winning_moves_ai(board: Rows, side: str, k: int | None = None) -> Square:
    """A square that wins, else any."""
    return answer("wins", board, side, k)


def finds_winning_and_losing_moves_ai(board: Rows, side: str, k: int | None = None) -> Square:
    """A square that wins, else one that keeps the other side from winning, else any."""
    return answer("blocks", board, side, k)


def minimax_ai(board: Rows, side: str, k: int | None = None) -> Square:
    """A square that keeps the best result: quickest win, else draw, else latest loss."""
    game, position, _ = open_position(board, side, k)
    return divmod(random.choice(best(game, position)), len(board[0]))


def street_smart_minimax_ai(board: Rows, side: str, k: int | None = None) -> Square:
    """A square that keeps the best result, and among those worth the same threats and corners: the player `tricky`."""
    game, position, _ = open_position(board, side, k)
    tricks = {move: trick(game, position, move) for move in best(game, position)}
    most = max(tricks.values())
    return divmod(random.choice([move for move, worth in tricks.items() if worth == most]), len(board[0]))


def minimax_score(board: Rows, side: str, k: int | None = None) -> int:
    """+10 if X wins with best play, -10 if O does, 0 if neither does; `side` is to move."""
    game, position, number = position_of(board, side, k)
    won_by = winner(game, position, number)
    if won_by is None:
        worth = value(game, position)
        return 10 * (worth if number == FIRST else -worth)
    return 10 if won_by == FIRST else -10


def human_player(board: Rows, side: str, k: int | None = None) -> Square:
    """The square that the person at the terminal names, asked again until it is an empty one."""
    position_of(board, side, k)
    empty = empty_squares(board)
    height, width = len(board), len(board[0])
    print(render(board))
    sizes = f"0 to {height - 1} each" if height == width else f"0 to {height - 1} and 0 to {width - 1}"
    while True:
        words = input(f"{side}, your move as row and column, {sizes}: ").replace(",", " ").split()
        if len(words) == 2 and all(word.isascii() and word.isdecimal() and len(word) < 4 for word in words):
            square = (int(words[0]), int(words[1]))
            if square in empty:
                return square
            there = square[0] < height and square[1] < width
            print(f"{square} is taken." if there else f"{square} is not on the board.")
        else:
            print("Two numbers please, such as: 1 1")


find_winning_moves_ai = finds_winning_moves_ai
find_winning_and_losing_moves_ai = finds_winning_and_losing_moves_ai
minmax_ai = minimax_ai
street_smart_minmax_ai = street_smart_minimax_ai
