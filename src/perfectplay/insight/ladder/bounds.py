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


class TableEntry(NamedTuple):
    """A table entry: a value or a bound on it, valid to that depth."""

    value: int
    bound: int
    depth: float


HORIZON = TableEntry(DRAW, EXACT, 0)

Table = dict[Position, TableEntry]


def bounds(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, searched with depth 0, 1, 2, ... until no line reaches the horizon."""
    table: Table = {}
    depth, entry = 0, HORIZON
    while entry.depth < inf:
        entry = look(game, position, depth, table, meter)
        depth += 1
    return value_entry(game, entry.value)


def look(game: Game, position: Position, depth: int, table: Table, meter: Meter, mind_depth: bool = True) -> TableEntry:
    """The value of the position to that depth; positions beyond the horizon count as draws."""
    meter.cache = table
    least, most = (LOSS, WIN) if game.margin is None else (-LONGER, LONGER)

    def search(position: Position, depth: int, alpha: int, beta: int) -> TableEntry:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return TableEntry(end_value(game, position, outcome), EXACT, inf)
        if depth == 0:
            return HORIZON
        entry = table.get(position)
        if entry and (entry.depth >= depth or not mind_depth) and settles(entry, alpha, beta):
            return entry
        best, deep, choice = least, inf, None
        for move, after, sign in children(game, position):
            low = max(alpha, best)
            child = search(after, depth - 1, *((low, beta) if sign == 1 else (-beta, -low)))
            if sign * child.value > best or choice is None:
                best, choice = max(best, sign * child.value), move
            if best >= beta:
                deep = child.depth + 1  # this move alone proves the cutoff
                break
            deep = min(deep, child.depth + 1)
        meter.move = choice
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        table[position] = TableEntry(best, bound, deep)
        return table[position]

    return search(position, depth, least, most)


def settles(entry: TableEntry, alpha: float, beta: float) -> bool:
    """Whether the entry decides a search with the window (alpha, beta)."""
    if entry.bound == LOWER:
        return entry.value >= beta
    return entry.bound == EXACT or entry.value <= alpha
