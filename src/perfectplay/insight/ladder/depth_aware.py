"""Minimax with depth-aware scores: a quick win is better than a late one, a late loss better than a quick one."""

from perfectplay.game import Game
from perfectplay.insight.ladder.ladder_rules import children, end_score, score_entry
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import ONGOING, Entry, Position


def depth_aware(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, and the distance of a win or a loss."""

    def score(position: Position, depth: int, my_move: bool) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_score(game, position, outcome, depth) * (1 if my_move else -1)
        legal = list(children(game, position))
        found = [score(child, depth + 1, my_move == (sign == 1)) for _, child, sign in legal]
        best = max(found) if my_move else min(found)
        meter.move = legal[found.index(best)][0]
        return best

    return score_entry(game, score(position, 0, True))
