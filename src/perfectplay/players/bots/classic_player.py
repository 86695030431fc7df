"""Plain functions of a board become players: my_ai(board, side), minimax(board), and bestmove(state) of numbers."""

import inspect
import random
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from linecache import getlines
from random import Random
from typing import Any

from perfectplay.game import Game, after, legal_moves
from perfectplay.players.bots.square_answers import MARKS, Marks, State, move_meant, move_to_state, state_of
from perfectplay.players.named.classic_board import Board, Grid, side_text, unseen
from perfectplay.players.seat import Maker, Seat
from perfectplay.rules.notation import pieces_on
from perfectplay.words import FIRST, SECOND, BadPlayer, Move, Player, Position, Sides, Turn

Classic = Callable[[Any, str], Any]
"""my_ai(board, side): returns (row, column), ((row, column), (row, column)) or a move's name."""
GridFunction = Callable[[Grid], Any]
"""minimax(board): returns (row, column)."""
StateFunction = Callable[[State], Sequence[int]]
"""bestmove(state): returns the state after the move."""
CHANGES = "changes the board that it is given: copy it first, or take every move back"
"""What is said about a function that leaves the board other than it was."""
SEVERAL = (
    "the function takes states of more than one kind of numbers; take 0 for an empty square, 1 for the side that moves"
    " first and 2 for the other"
)
WALKS = 20
"""Random games that show what there is to see in a game."""
FEW = 3
"""Moves that are left near the end of a game."""


def classic_player(function: Classic) -> Maker:
    """The maker of players that ask the function of (board, side)."""

    def make(seat: Seat) -> Player:
        game, side = seat.game, seat.side
        ask = watched(seat, function)
        return lambda position: move_meant(
            game, position, side, ask(Board(game, position, side), side_text(game, side))
        )

    return make


def scored(function: Callable[[Any, str], Any], game: Game, position: Position, side: int) -> dict[Move, float]:
    """The scores that a function of (board, side) gives to moves: a dictionary from (row, column), or a name."""
    scores = function(Board(game, position, side), side_text(game, side))
    return {move_meant(game, position, side, move): float(score) for move, score in scores.items()}


def side_first_player(function: Callable[[str, Any], Any]) -> Maker:
    """The maker of players that ask the function of (side, board)."""
    return classic_player(lambda board, side: function(side, board))


def grid_player(function: GridFunction) -> Maker:
    """The maker of players that ask the function of a board alone, from which it tells the side to move."""

    def make(seat: Seat) -> Player:
        game, side = seat.game, seat.side
        refuse_hidden(game)
        ask = watched(seat, function)
        return lambda position: move_meant(game, position, side, ask(grid_of(game, position, side)))

    return make


def state_player(function: StateFunction, marks: Marks = MARKS, mine: bool = False) -> Maker:
    """The maker of players that ask the function of a state, which answers with the state after its move.

    `mine`: the first mark is that of the side to move.
    """

    def make(seat: Seat) -> Player:
        game, side = seat.game, seat.side
        refuse_hidden(game)
        empty, first, second = marks
        here = (empty, second, first) if mine and side == SECOND else marks
        return lambda position: move_to_state(
            game, position, side, function(state_of(game, position, side, here)), here
        )

    return make


def number_makers(function: StateFunction) -> list[Maker]:
    """The makers for each kind of numbers that people write states with, 0, 1 and 2 first."""
    signed, from_zero = (0, 1, -1), (-1, 0, 1)
    ways = ((MARKS, False), (signed, False), (signed, True), (from_zero, False))
    return [state_player(function, marks, mine) for marks, mine in ways]


def number_player(function: StateFunction) -> Maker:
    """The maker of players that ask the function of a state, with 0, 1 and 2 unless it may take another kind."""
    makers = number_makers(function)
    return fitting_maker(makers) if mentions_minus_one(function) else makers[0]


def mentions_minus_one(function: StateFunction) -> bool:
    """Whether -1 stands in the function's file or is a global; else a trial could only change what it remembers."""
    inner = inspect.unwrap(function)
    code, around = getattr(inner, "__code__", None), getattr(inner, "__globals__", {})
    lines = [] if code is None else getlines(code.co_filename)
    return any(type(value) is int and value == -1 for value in [*around.values()]) or bool(
        re.search(r"-\s*1\b", "".join(lines))
    )


def grid_or_number_player(function: Callable[[Any], Any]) -> Maker:
    """The same for a function that may also take a board of rows."""
    return fitting_maker([grid_player(function), *number_makers(function)])


def fitting_maker(makers: Sequence[Maker]) -> Maker:
    """The first of the makers, or where its players' moves are not legal, the only one whose players' moves are."""

    def make(seat: Seat) -> Player:
        players, fitting = [maker(seat) for maker in makers], list[Player]()

        def choose(position: Position) -> Move:
            if not fitting:
                dice = random.getstate()
                first = plays_legally(makers[0], seat.game)
                others = [] if first else [i for i in range(1, len(makers)) if plays_legally(makers[i], seat.game)]
                random.setstate(dice)  # the game is the same as without the trial
                if len(others) > 1:
                    raise BadPlayer(SEVERAL)
                fitting.append(players[others[0] if others else 0])
            return fitting[0](position)

        return choose

    return make


def plays_legally(maker: Maker, game: Game) -> bool:
    """Whether its players find a legal move near the end of a game, on either side."""
    for position, side in late_turns(game):
        try:
            maker(Seat(game, side, Random(1)))(position)
        except (Exception, SystemExit):  # the function may do anything with what it does not take
            return False
    return True


@lru_cache(maxsize=64)
def late_turns(game: Game) -> tuple[Turn, ...]:
    """For each side a position of a random game with few moves left, such that even a slow function answers at once."""
    rng, late = Random(1), dict[int, Turn]()
    for _ in range(WALKS):
        position, side = game.start, FIRST
        for _ in range(game.shape[0] * game.shape[1]):
            moves = legal_moves(game, position)
            if not moves:
                break
            if 1 < len(moves) <= FEW:
                late.setdefault(side, (position, side))
            position, side = after(game, position, side, rng.choice(moves))
    return tuple(late.values())


def watched(seat: Seat, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function; the first time that it changes the board that it is given, the seat is told."""
    told = False

    def ask(board: Grid, *more: str) -> Any:
        nonlocal told
        before = [*map(list, board)]
        answer = function(board, *more)
        if not told and board != before:
            told = True
            seat.say(CHANGES)
        return answer

    return ask


def grid_of(game: Game, position: Position, side: int) -> Grid:
    """The board as plain lists of 'X', 'O' and None, or what the sides are called."""
    width, _ = game.shape
    marks = [None if at is None else game.look.sides[at[0]] for at in pieces_on(game, position, side)]
    return [marks[i : i + width] for i in range(0, len(marks), width)]


@lru_cache(maxsize=64)
def refuse_hidden(game: Game) -> None:
    """Raises BadPlayer unless rows of 'X', 'O' and None tell the whole position, as far as random games show.

    X moves first, so X is to move if both have as many marks, and O if X has one more.
    """
    if game.look.sides != Sides("X", "O") or any(len(game.look.pieces[side]) != 1 for side in (0, 1)):
        raise hides(game, "its pieces are more than X and O")
    rng = Random(1)
    for _ in range(WALKS):
        position, side = game.start, FIRST
        for _ in range(game.shape[0] * game.shape[1] + 1):
            if not tells_all(game, position, side):
                raise hides(game, "the numbers of X and O do not tell which side is to move")
            moves = legal_moves(game, position)
            if not moves:
                break
            position, side = after(game, position, side, rng.choice(moves))


def tells_all(game: Game, position: Position, side: int) -> bool:
    """Whether the marks tell the position and the side to move."""
    owners = [at[0] for at in pieces_on(game, position, side) if at is not None]
    return owners.count(0) - owners.count(1) == side and unseen(game, position, side) == (0, 0)


def hides(game: Game, why: str) -> BadPlayer:
    """The error for a game whose grid does not tell everything."""
    return BadPlayer(f"a function of a board alone cannot play {game.name}: {why}; write my_ai(board, side)")
