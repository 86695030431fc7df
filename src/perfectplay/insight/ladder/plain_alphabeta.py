"""Alpha-beta: once a move is too good for the opponent to allow, its siblings need no search.

`alpha` is the score that the side to move is sure of, `beta` the score that the other side can hold it to. The result
is exact if it lies between them; otherwise it is a bound.
"""

from perfectplay.game import Game
from perfectplay.insight.ladder.ladder_rules import LONGER, children, end_score, score_entry
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import ONGOING, Entry, Position


def alphabeta(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, and the distance of a win or a loss."""

    def score(position: Position, depth: int, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return end_score(game, position, outcome, depth)
        chosen = None
        for move, child, sign in children(game, position):
            # a player needs the exact score of every move, so root moves are searched with a full window
            floor = alpha if depth else -LONGER
            found = sign * score(child, depth + 1, *((floor, beta) if sign == 1 else (-beta, -floor)))
            if found > alpha or chosen is None:
                alpha, chosen = max(alpha, found), move
            if alpha >= beta:
                break
        meter.move = chosen
        return alpha

    return score_entry(game, score(position, 0, -LONGER, LONGER))
