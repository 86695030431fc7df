"""Common ways to make a search of a game with cycles end, and their results.

Each of them scores as a draw what it does not search to the end. So the wins and losses that they report are real, but
a reported draw may be a win or a loss.
"""

from collections.abc import Callable
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.solvers.ladder.bounds import look
from perfectplay.solvers.ladder.ladder_rules import children
from perfectplay.solvers.ladder.meter import Meter
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry, Position


class Repair(NamedTuple):
    """A way to make an endless search end, with a one-line description."""

    name: str
    about: str
    find: Callable[[int, Game, Position, Meter], Entry]
    """Searches to the given depth."""


def horizon(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value if the game were drawn after `depth` plies."""
    return cut_off(depth, game, position, meter, repeats=True)


def repetition(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value if the game were drawn after `depth` plies, and as soon as a position repeats."""
    return cut_off(depth, game, position, meter, repeats=False)


def cut_off(depth: int, game: Game, position: Position, meter: Meter, repeats: bool) -> Entry:
    """The value of minimax cut off at the depth; alpha-beta only makes it faster."""
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
        for _, child, sign in children(game, position):
            window = (alpha, beta) if sign == 1 else (-beta, -alpha)
            alpha = max(alpha, sign * value(child, depth - 1, *window))
            if alpha >= beta:
                break
        path.discard(position)
        return alpha

    return Entry(value(position, depth, LOSS, WIN), None)


def shallow_table(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value with a transposition table that ignores depth: draws found near the horizon count everywhere."""
    return Entry(look(game, position, depth, {}, meter, mind_depth=False).value, None)


def deep_table(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value with a transposition table that uses only entries of sufficient depth."""
    return Entry(look(game, position, depth, {}, meter).value, None)


REPAIRS = (
    Repair("horizon", "cut off at the depth; a draw beyond it", horizon),
    Repair("repetition", "the same, and a repeated position on the path is a draw", repetition),
    Repair("table", "horizon with a transposition table that ignores depth", shallow_table),
    Repair("deep table", "horizon with a transposition table that uses only entries of sufficient depth", deep_table),
)
