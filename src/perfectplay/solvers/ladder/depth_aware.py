"""Minimax with depth-aware scores: a quick win is better than a late one, a late loss better than a quick one."""

from perfectplay.bits import bit_numbers
from perfectplay.game import Game
from perfectplay.solvers.ladder.meter import Meter
from perfectplay.solvers.scores import entry_of
from perfectplay.words import ONGOING, Entry, Position

LONGER = 1 << 60
"""The score of a win at the root: more plies than any machine can search.

The usual 10 or 50 fails in longer games, where a late win would score below a draw.
"""


def depth_aware(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, and the distance of a win or a loss."""

    def score(position: Position, depth: int, my_move: bool) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return (outcome if my_move else -outcome) * (LONGER - depth)
        legal = bit_numbers(game.moves(*position))
        found = [score(game.play(*position, move), depth + 1, not my_move) for move in legal]
        best = max(found) if my_move else min(found)
        meter.move = legal[found.index(best)]
        return best

    return entry_of(score(position, 0, True), LONGER)
