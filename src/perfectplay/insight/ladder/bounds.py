"""Alpha-beta with a transposition table and iterative deepening.

A cutoff proves a bound, not a value, and only to some depth; a table that treats bounds as exact gives wrong values.
So each entry has its kind (exact, lower or upper bound) and its depth, infinite if no line reached the horizon.
The depth grows until it is infinite at the root; a quick win is found before long lines are searched.
"""

from math import inf
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.insight.ladder.ladder_rules import LONGER, children, end_value, value_entry
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry, Position

UPPER, EXACT, LOWER = -1, 0, 1
"""The true value is at most, equal to, or at least the stored value."""


class Known(NamedTuple):
    """A table entry: a value or a bound on it, valid to that depth."""

    value: int
    bound: int
    depth: float


HORIZON = Known(DRAW, EXACT, 0)

Table = dict[Position, Known]


def bounds(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, searched with depth 0, 1, 2, ... until no line reaches the horizon."""
    table: Table = {}
    depth, known = 0, HORIZON
    while known.depth < inf:
        known = look(game, position, depth, table, meter)
        depth += 1
    return value_entry(game, known.value)


def look(game: Game, position: Position, depth: int, table: Table, meter: Meter, mind_depth: bool = True) -> Known:
    """The value of the position to that depth; positions beyond the horizon count as draws."""
    meter.cache = table
    least, most = (LOSS, WIN) if game.margin is None else (-LONGER, LONGER)

    def search(position: Position, depth: int, alpha: int, beta: int) -> Known:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return Known(end_value(game, position, outcome), EXACT, inf)
        if depth == 0:
            return HORIZON
        known = table.get(position)
        if known and (known.depth >= depth or not mind_depth) and settles(known, alpha, beta):
            return known
        best, deep, chosen = least, inf, None
        for move, after, sign in children(game, position):
            low = max(alpha, best)
            child = search(after, depth - 1, *((low, beta) if sign == 1 else (-beta, -low)))
            if sign * child.value > best or chosen is None:
                best, chosen = max(best, sign * child.value), move
            if best >= beta:
                deep = child.depth + 1  # this move alone proves the cutoff
                break
            deep = min(deep, child.depth + 1)
        meter.move = chosen
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        table[position] = Known(best, bound, deep)
        return table[position]

    return search(position, depth, least, most)


def settles(known: Known, alpha: float, beta: float) -> bool:
    """Whether the entry decides a search with the window (alpha, beta)."""
    if known.bound == LOWER:
        return known.value >= beta
    return known.bound == EXACT or known.value <= alpha
