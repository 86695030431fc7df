"""Threats: what the other side would win, or win back, if the side to move could pass."""

from functools import lru_cache
from typing import NamedTuple

from perfectplay.game import Game, after, legal_moves
from perfectplay.insight.passing import passed
from perfectplay.players.named.wins import winning_moves
from perfectplay.solvers.oracle import REMEMBERED, Oracle, Study, study_of
from perfectplay.solvers.search.lookahead import looked_ahead
from perfectplay.solvers.validity.plausibility import only_adds
from perfectplay.views.board_squares import winning_lines
from perfectplay.words import WIN, BadPosition, Move, Position

GLANCE = 1_500
"""Positions of the look ahead from a position that no table holds, because only a pass leads there."""


class Threats(NamedTuple):
    """What the other side threatens: the position in which it would be to move, and its moves there.

    `value` is what these moves would be worth to it, and `plies` how soon they win; None where they do not, or in games
    for points.
    """

    position: Position
    moves: tuple[Move, ...]
    value: int
    plies: int | None

    @property
    def at_once(self) -> bool:
        """Whether they win at once."""
        return self.value == WIN and self.plies == 1


@lru_cache(maxsize=REMEMBERED)
def threats(oracle: Oracle, position: Position, side: int) -> Threats | None:
    """What the other side threatens; None if nothing is proven to be threatened."""
    other = passed(oracle.game, position, side)
    if other is None or not legal_moves(oracle.game, position):
        return None
    wins = winning_moves(oracle.game, other)
    if wins:
        return Threats(other, tuple(wins), WIN, 1) if known(oracle, other) else None
    found, here = study_after_pass(oracle, other), oracle.study(position).here
    if found is None or found.here.value is None or -found.here.value >= here.least:
        return None
    return Threats(other, tuple(found.best), found.here.value, found.here.distance)


def known(oracle: Oracle, other: Position) -> bool:
    """Whether a position that a pass leads to makes sense: it can be reached, or moves only add pieces."""
    if only_adds(oracle.game) or not oracle.proves:
        return only_adds(oracle.game)
    try:
        oracle.study(other)
    except BadPosition:
        return False
    return True


@lru_cache(maxsize=REMEMBERED)
def study_after_pass(oracle: Oracle, other: Position) -> Study | None:
    """What is known of a position that a pass leads to: all, if it can be reached, else what a short look proves."""
    if not known(oracle, other):
        return None
    if oracle.proves:
        try:
            return oracle.study(other)
        except BadPosition:
            pass
    if len(legal_moves(oracle.game, other)) ** 2 > GLANCE:  # even two plies take too long
        return None
    return study_of(looked_ahead(oracle.game, other, GLANCE))


def answers(game: Game, position: Position, side: int) -> list[Move]:
    """The moves after which the other side cannot win at once."""
    return [move for move in legal_moves(game, position) if not allows_win(game, position, side, move)]


def allows_win(game: Game, position: Position, side: int, move: Move) -> bool:
    """Whether the other side can win at once after this move."""
    child, mover = after(game, position, side, move)
    return mover != side and bool(winning_moves(game, child))


def is_double(game: Game, position: Position, side: int, found: Threats | None) -> bool:
    """Whether two or more moves threaten to win at once and no single move answers: none wins first or stops all."""
    if found is None or not found.at_once or len(found.moves) < 2:
        return False
    return not winning_moves(game, position) and not answers(game, position, side)


def completed_lines(game: Game, position: Position, side: int, move: Move) -> list[str]:
    """The lines that a winning move completes, as the names of their squares: a3-b2-c1.

    Where squares have no names of their own, as in a game of columns, it is their number: 4 in a row.
    """
    child, mover = after(game, position, side, move)
    lines = [] if mover == side else winning_lines(game, child, mover)
    if not all(game.look.rows) or not all(game.look.columns):
        return [f"{len(line)} in a row" for line in lines]
    return ["-".join(square_name(game, square) for square in line) for line in lines]


def square_name(game: Game, square: int) -> str:
    """The name of a square: its column and row."""
    width, _ = game.shape
    return game.look.columns[square % width] + game.look.rows[square // width]
