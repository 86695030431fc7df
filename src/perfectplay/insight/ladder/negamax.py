"""Negamax: a score for one side is the negated score for the other, so one rule serves both."""

from perfectplay.game import Game
from perfectplay.insight.ladder.ladder_rules import children, end_score, score_entry
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import ONGOING, Entry, Position


def negamax(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, and the distance of a win or a loss."""

    def score(position: Position, depth: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_score(game, position, outcome, depth)
        legal = list(children(game, position))
        found = [sign * score(child, depth + 1) for _, child, sign in legal]
        meter.move = legal[found.index(max(found))][0]
        return max(found)

    return score_entry(game, score(position, 0))
