"""The players of the classic exercise: functions of (board, side), each with `k` in a row to win where that matters."""

import random
from functools import cache, lru_cache
from typing import cast

from perfectplay.bits import bit_numbers
from perfectplay.classic.grids import Rows, Square, empty_squares, open_position, position_of, render, winner
from perfectplay.game import COMPILED_BITS, Game, best_moves
from perfectplay.players.named.perfect import trick
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.solvers.oracle import SearchOracle
from perfectplay.solvers.search.search_clock import Limits
from perfectplay.words import FIRST, ONGOING, Entry, Move, Player, Position, TooBig


@cache
def player_for(name: str, game: Game, side: int) -> Player:
    """The player of that name, which keeps what it has worked out and uses Python's module `random`."""
    return player_maker(name)(Seat(game, side, cast(random.Random, random)))


def answer(name: str, board: Rows, side: str, k: int | None) -> Square:
    """The square that the player of that name takes."""
    game, position, number = open_position(board, side, k)
    return divmod(player_for(name, game, number)(position), len(board[0]))


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


# Best moves and values of any board: by minimax on few squares, else by search, never without a proof.


FEW = 9
"""The most squares of a board whose positions are all looked at."""
SECONDS = 10.0
"""Seconds in which a search must prove its answer."""
INSTEAD = "use random_ai, or the players mcts and threats"


@cache
def entry(game: Game, position: Position) -> Entry:
    """The value and distance of a position of a small game, from all games that can follow."""
    outcome = game.outcome(*position)
    return Entry(outcome, 0) if outcome != ONGOING else max(entries(game, position).values(), key=Entry.preference)


def entries(game: Game, position: Position) -> dict[Move, Entry]:
    """The entry of each move, from the mover's view."""
    return {move: entry(game, game.play(*position, move)).before() for move in bit_numbers(game.moves(*position))}


@lru_cache(maxsize=1 << 16)
def best(game: Game, position: Position) -> list[Move]:
    """The best moves: the quickest wins, else draws, else the latest losses; raises TooBig if none is proven.

    A search that runs out of time leaves out moves that it has not proven to be as good.
    """
    if game.bits <= FEW:
        return best_moves(entries(game, position))
    good = searching(game).best_moves(position, Limits(SECONDS))
    if not good:
        raise not_proven(game)
    return good


def value(game: Game, position: Position) -> int:
    """The value of the position to the side to move; raises TooBig if it is not proven."""
    if game.bits <= FEW:
        return entry(game, position).value
    worth = searching(game).worth(position, Limits(SECONDS))
    if worth.value is None:
        raise not_proven(game)
    return worth.value


def searching(game: Game) -> SearchOracle:
    """The oracle of a board with many squares; raises TooBig for one too large to search."""
    if game.bits > COMPILED_BITS:
        raise TooBig(f"{game.name} is too large to search; {INSTEAD}")
    return SearchOracle(game)


def not_proven(game: Game) -> TooBig:
    """The error for a board that is too large to prove something in time."""
    return TooBig(f"within {SECONDS:g} s a search of {game.name} proves no best move; {INSTEAD}")
