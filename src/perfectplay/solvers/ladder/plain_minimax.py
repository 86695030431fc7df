"""Textbook minimax: one side maximizes, the other minimizes."""

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.solvers.ladder.meter import Meter
from perfectplay.words import ONGOING, Entry, Position


def values(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, from every line to its end."""

    def value(position: Position, my_move: bool) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome if my_move else -outcome
        legal = bit_numbers(game.moves(*position))
        found = [value(game.play(*position, move), not my_move) for move in legal]
        best = max(found) if my_move else min(found)
        meter.move = legal[found.index(best)]
        return best

    return Entry(value(position, True), None)
