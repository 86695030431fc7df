"""Alpha-beta with a transposition table: each entry says whether its value is exact, a lower or an upper bound.

An entry is used only if it settles the question of the search that finds it; otherwise the position is searched again.
"""

from math import inf

from perfectplay.game import Game
from perfectplay.insight.ladder.bounds import EXACT, LOWER, UPPER, Known, settles
from perfectplay.insight.ladder.ladder_rules import LONGER, children, end_value, value_entry
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import ONGOING, Entry, Position


def flagged_table(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position."""
    table: dict[Position, Known] = {}
    meter.cache = table

    def value(position: Position, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_value(game, position, outcome)
        known = table.get(position)
        if known is None or not settles(known, alpha, beta):
            best, chosen = -LONGER, None
            for move, child, sign in children(game, position):
                low = max(alpha, best)
                found = sign * value(child, *((low, beta) if sign == 1 else (-beta, -low)))
                if found > best:
                    best, chosen = found, move
                if best >= beta:
                    break
            meter.move = chosen
            bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
            table[position] = known = Known(best, bound, inf)
        return known.value

    return value_entry(game, value(position, -LONGER, LONGER))
