"""Textbook minimax: one side maximizes, the other minimizes."""

from perfectplay.game import Game
from perfectplay.insight.ladder.ladder_rules import children, end_value, value_entry
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import ONGOING, Entry, Position


def values(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, from every line to its end."""

    def value(position: Position, my_move: bool) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_value(game, position, outcome) * (1 if my_move else -1)
        legal = list(children(game, position))
        found = [value(child, my_move == (sign == 1)) for _, child, sign in legal]
        best = max(found) if my_move else min(found)
        meter.move = legal[found.index(best)][0]
        return best

    return value_entry(game, value(position, True))
