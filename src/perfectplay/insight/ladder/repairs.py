"""Common ways to make a search of a game with cycles end, and their results.

Each of them scores as a draw what it does not search to the end. So the wins and losses that they report are real, but
a reported draw may be a win or a loss. Only negamax reports distances, which may be wrong.
"""

from collections.abc import Callable
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.insight.ladder.bounds import EXACT, LONGER, LOWER, UPPER, Meter, TableEntry, children, look, settles
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


def negamax(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance by negamax with alpha-beta and bound flags; a win scores the plies that are left.

    Each move at the root is searched in full. An entry is used if its search was deep enough; but its score counts the
    plies that were left there, so the distance may be wrong, and moves that are the same may get different scores.
    """
    table: dict[Position, TableEntry] = {}
    meter.cache = table

    def score(position: Position, depth: int, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome * (depth + 1)
        entry = table.get(position)
        if entry and entry.depth >= depth and settles(entry, alpha, beta):
            return entry.value
        if depth == 0:
            return DRAW
        best = -LONGER
        for _, child, sign in children(game, position):
            low = max(alpha, best)
            best = max(best, sign * score(child, depth - 1, *((low, beta) if sign == 1 else (-beta, -low))))
            if best >= beta:
                break
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        table[position] = TableEntry(best, bound, depth)
        return best

    meter.visit()
    if depth:
        window = (-LONGER, LONGER)
        meter.scores = {move: sign * score(child, depth - 1, *window) for move, child, sign in children(game, position)}
    best = max(meter.scores.values(), default=DRAW)
    return Entry(DRAW, None) if best == DRAW else Entry(WIN if best > 0 else LOSS, depth + 1 - abs(best))


REPAIRS = (
    Repair("horizon", "cut off at the depth; a draw beyond it", horizon),
    Repair("repetition", "the same, and a repeated position on the path is a draw", repetition),
    Repair("table", "horizon with a transposition table that ignores depth", shallow_table),
    Repair("deep table", "horizon with a transposition table that uses only entries of sufficient depth", deep_table),
    Repair("negamax", "deep table with scores that count the plies left: an entry's counts those left there", negamax),
)
