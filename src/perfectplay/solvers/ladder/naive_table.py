"""Alpha-beta with a cache, and a classic bug: the value after a cutoff is stored as if it were exact.

A cutoff proves only that the position is at least so good. A later search with another window takes the bound for the
value. The result depends on the order of moves, and is often right by luck.
"""

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.solvers.ladder.meter import Meter
from perfectplay.words import LOSS, ONGOING, WIN, Entry, Position


def naive_table(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, or a wrong one."""
    table: dict[Position, int] = {}
    meter.cache = table

    def value(position: Position, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome
        if position not in table:
            best, chosen = LOSS - 1, None
            for move in bit_numbers(game.moves(*position)):
                found = -value(game.play(*position, move), -beta, -max(alpha, best))
                if found > best:
                    best, chosen = found, move
                if best >= beta:
                    break
            meter.move = chosen
            table[position] = best  # the bug: it may be a bound
        return table[position]

    return Entry(value(position, LOSS - 1, WIN + 1), None)
