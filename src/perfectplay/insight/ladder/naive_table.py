"""Alpha-beta with a cache, and a classic bug: the value after a cutoff is stored as if it were exact.

A cutoff proves only that the position is at least so good. A later search with another window takes the bound for the
value. The result depends on the order of moves, and is often right by luck.
"""

from perfectplay.game import Game
from perfectplay.insight.ladder.ladder_rules import LONGER, children, end_value, value_entry
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import ONGOING, Entry, Position


def naive_table(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, or a wrong one."""
    table: dict[Position, int] = {}
    meter.cache = table

    def value(position: Position, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_value(game, position, outcome)
        if position not in table:
            best, chosen = -LONGER, None
            for move, child, sign in children(game, position):
                low = max(alpha, best)
                found = sign * value(child, *((low, beta) if sign == 1 else (-beta, -low)))
                if found > best:
                    best, chosen = found, move
                if best >= beta:
                    break
            meter.move = chosen
            table[position] = best  # the bug: it may be a bound
        return table[position]

    return value_entry(game, value(position, -LONGER, LONGER))
