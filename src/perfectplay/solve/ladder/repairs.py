"""What people do about games that can go on for ever, and what comes of it.

Each of these calls a draw what it cannot see to the end. So the wins and losses they find are real, and the draws
may be none: whoever believes them gives won games away and walks into lost ones.
"""

from collections.abc import Callable
from typing import NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.solve.ladder.bounds import look
from perfectplay.solve.ladder.meter import Meter
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry, Position


class Repair(NamedTuple):
    """A way to make a search end that would not, and what it does in a line."""

    name: str
    about: str
    find: Callable[[int, Game, Position, Meter], Entry]
    """Looks so many plies deep."""


def horizon(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value if the game were drawn after so many plies."""
    return cut_off(depth, game, position, meter, repeats=True)


def repetition(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value if the game were drawn after so many plies, and as soon as a position comes back."""
    return cut_off(depth, game, position, meter, repeats=False)


def cut_off(depth: int, game: Game, position: Position, meter: Meter, repeats: bool) -> Entry:
    """The value as plain minimax finds it when cut off at the depth; alpha-beta only makes it quicker."""
    path: set[Position] = set()

    def value(position: Position, depth: int, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome
        if depth == 0 or position in path:
            return DRAW
        if not repeats:
            path.add(position)
        for move in bit_numbers(game.moves(*position)):
            alpha = max(alpha, -value(game.play(*position, move), depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        path.discard(position)
        return alpha

    return Entry(value(position, depth, LOSS, WIN), None)


def shallow_table(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value from a table that answers whatever the depth: draws found near the horizon are believed anywhere."""
    return Entry(look(game, position, depth, {}, meter, mind_depth=False).value, None)


def deep_table(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value from a table that answers only with what was searched at least as deep."""
    return Entry(look(game, position, depth, {}, meter).value, None)


REPAIRS = (
    Repair("horizon", "cut off at the depth, a draw beyond", horizon),
    Repair("repetition", "the same, and a position that comes back on the path is a draw", repetition),
    Repair("table", "the same as horizon, with a table that answers whatever the depth", shallow_table),
    Repair("deep table", "with a table that answers only with what was searched at least as deep", deep_table),
)
