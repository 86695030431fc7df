"""Negamax: a score for one side is the negated score for the other, so one rule serves both."""

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.solvers.ladder.depth_aware import LONGER
from perfectplay.solvers.ladder.meter import Meter
from perfectplay.solvers.scores import entry_of
from perfectplay.words import ONGOING, Entry, Position


def negamax(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, and the distance of a win or a loss."""

    def score(position: Position, depth: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome * (LONGER - depth)
        legal = bit_numbers(game.moves(*position))
        found = [-score(game.play(*position, move), depth + 1) for move in legal]
        meter.move = legal[found.index(max(found))]
        return max(found)

    return entry_of(score(position, 0), LONGER)
