"""The exact price of moves: what each gave away of the result, of the distance, and of the points.

Values are those of the mover: win 1, draw 1/2, loss 0. What is not proven is None.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from perfectplay.game import after
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.worth import Worth
from perfectplay.words import DRAW, LOSS, BadPosition, Move, Position, Turn

MOST_PRICES = 1 << 17
"""Moves whose price is kept: those of the many games of one tournament are mostly the same."""


class Prices(NamedTuple):
    """What is known of the moves of a game, one after another.

    `regret`: value before minus value after. `wasted`: by how many plies a move that keeps the value makes a win longer
    or a loss shorter than need be; None in games for points. `points`: those given away in a game for points, None in
    others. `values`: the value before the move. `forfeit_regret`: that of the forfeit that ended the game, if one did.
    """

    regret: tuple[float | None, ...] = ()
    wasted: tuple[int | None, ...] = ()
    points: tuple[int | None, ...] = ()
    values: tuple[float | None, ...] = ()
    forfeit_regret: float | None = None


class Price(NamedTuple):
    """The same of a single move."""

    regret: float | None = None
    wasted: int | None = None
    points: int | None = None
    value: float | None = None


UNKNOWN = Price()


def regret_of(oracle: Oracle, begin: Turn, moves: Sequence[Move], forfeited: bool = False) -> Prices:
    """What each move of a game gave away that began with this turn, and the forfeit after them, if there was one.

    A search begins with the last position, so that its transposition table helps with those before.
    """
    turns = [begin]
    for move in moves:
        turns.append(after(oracle.game, *turns[-1], move))
    *positions, last = [position for position, _ in turns]
    forfeit = regret_of_forfeit(oracle, last) if forfeited else None
    plies = [*zip(positions, moves, strict=True)]
    find = cached_price if oracle.proves else price  # what knows everything will not know more
    prices = [find(oracle, position, move) for position, move in reversed(plies)][::-1]
    regret, wasted, points, values = zip(*prices, strict=True) if prices else ((), (), (), ())
    return Prices(regret, wasted, points, values, forfeit)


def regret_of_forfeit(oracle: Oracle, position: Position) -> float | None:
    """What the side to move gives away by a forfeit: all that the position is worth; None if that is not known."""
    try:
        value = oracle.study(position).here.value
    except BadPosition:
        return None
    return None if value is None else (value - LOSS) / 2


def price(oracle: Oracle, position: Position, move: Move) -> Price:
    """The price of a move; nothing is known of a position that legal play from the start does not reach."""
    try:
        study = oracle.study(position)
    except BadPosition:
        return UNKNOWN
    here, there = study.here, study.moves[move]
    if here.value is None:
        return UNKNOWN
    value = (here.value + 1) / 2
    if there.least >= here.value:
        return Price(0.0, wasted_plies(here, there), points_lost(here, there), value)
    if there.value is None:
        return Price(value=value)
    return Price((here.value - there.value) / 2, 0 if here.margin is None else None, points_lost(here, there), value)


cached_price = lru_cache(maxsize=MOST_PRICES)(price)


def wasted_plies(here: Worth, there: Worth) -> int | None:
    """By how many plies a move that keeps the value makes a win longer or a loss shorter; None if not proven."""
    if here.margin is not None:
        return None
    if here.value == DRAW:
        return 0
    if here.distance is None or there.distance is None:
        return None
    return abs(there.distance - here.distance)


def points_lost(here: Worth, there: Worth) -> int | None:
    """The points that a move gives away."""
    return None if here.margin is None or there.margin is None else here.margin - there.margin
