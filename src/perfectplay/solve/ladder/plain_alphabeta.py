"""Alpha-beta: a move that is already too good to be allowed need not be looked at any further.

`alpha` is what the side to move has for certain, `beta` what the other side will not let it exceed. The score that
comes back is right if it lies between them; else it is the bound that was passed.
"""

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.solve.ladder.depth_aware import LONGER
from perfectplay.solve.ladder.meter import Meter
from perfectplay.solve.scores import entry_of
from perfectplay.words import ONGOING, Entry, Position


def alphabeta(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position; of a win or a loss the distance, too."""

    def score(position: Position, depth: int, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome * (LONGER - depth)
        for move in bit_numbers(game.moves(*position)):
            # a player wants the true score of every move it can choose from, so the root's moves know no bounds
            floor = alpha if depth else -LONGER
            alpha = max(alpha, -score(game.play(*position, move), depth + 1, -beta, -floor))
            if alpha >= beta:
                break
        return alpha

    return entry_of(score(position, 0, -LONGER, LONGER), LONGER)
