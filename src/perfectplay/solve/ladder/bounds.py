"""Alpha-beta with a table: a search that was cut short proves a bound, not a value, and only to some depth.

Whoever keeps such a bound as if it were exact gets wrong values. So the table keeps beside each value whether it is
exact, a lower or an upper bound, and how deep it was looked for: without end if nothing was cut off at the horizon.
The search goes deeper and deeper until that is so at the root; a quick win is found before long games are looked at.
"""

from math import inf
from typing import NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.solve.ladder.meter import Meter
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry, Position

UPPER, EXACT, LOWER = -1, 0, 1
"""The true value is at most, is, or is at least the value kept."""


class Known(NamedTuple):
    """What a search has proved: a value, or a bound of it, as far as that many plies can tell."""

    value: int
    bound: int
    depth: float


FINISHED = {outcome: Known(outcome, EXACT, inf) for outcome in (LOSS, DRAW, WIN)}
HORIZON = Known(DRAW, EXACT, 0)

Table = dict[Position, Known]


def bounds(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, looked for with depth 0, 1, 2, ... until no horizon is in the way."""
    table: Table = {}
    depth, known = 0, HORIZON
    while known.depth < inf:
        known = look(game, position, depth, table, meter)
        depth += 1
    return Entry(known.value, None)


def look(game: Game, position: Position, depth: int, table: Table, meter: Meter, mind_depth: bool = True) -> Known:
    """What can be known of the position within so many plies; what lies beyond the horizon counts as a draw."""
    meter.cache = table

    def search(position: Position, depth: int, alpha: int, beta: int) -> Known:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return FINISHED[outcome]
        if depth == 0:
            return HORIZON
        known = table.get(position)
        if known and (known.depth >= depth or not mind_depth) and settles(known, alpha, beta):
            return known
        best, deep = LOSS, inf
        for move in bit_numbers(game.moves(*position)):
            child = search(game.play(*position, move), depth - 1, -beta, -max(alpha, best))
            best = max(best, -child.value)
            if best >= beta:
                deep = child.depth + 1  # this move alone proves it
                break
            deep = min(deep, child.depth + 1)
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        table[position] = Known(best, bound, deep)
        return table[position]

    return search(position, depth, LOSS, WIN)


def settles(known: Known, alpha: int, beta: int) -> bool:
    """Whether no more need be known by someone who asks for the value between alpha and beta."""
    if known.bound == LOWER:
        return known.value >= beta
    return known.bound == EXACT or known.value <= alpha
