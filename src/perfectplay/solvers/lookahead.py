"""A shallow search with interpreted rules, for games too large to solve and too wide to compile."""

from perfectplay.game import Game, legal_moves
from perfectplay.solvers.analysis import Analysis, Known, best_of, ranked
from perfectplay.solvers.scores import TOP, Bounds
from perfectplay.words import DRAW, ONGOING, Position

SURE_PLIES = 2
"""The minimum depth: immediate wins and immediate threats are never missed."""
MOST_PLIES = 20
NODES = 20_000
"""Positions after which the search goes no deeper."""


class FixedDepth:
    """A fixed-depth search without an evaluation: positions beyond the horizon are unknown."""

    def __init__(self, game: Game) -> None:
        self.game, self.nodes = game, 0

    def known(self, position: Position, plies: int) -> Known:
        """What a search of `plies` plies proves about the position."""
        self.nodes += 1
        outcome = self.game.outcome(*position)
        if outcome != ONGOING:
            return Known(Bounds(outcome * TOP, outcome * TOP), 0 if outcome == DRAW else None)
        if plies == 0:
            return Known(Bounds(1 - TOP, TOP - 1))
        children = []
        for move in legal_moves(self.game, position):
            children.append(self.known(self.game.play(*position, move), plies - 1).before())
            if children[-1].bounds.low == TOP - 1:
                return children[-1]
        return best_of(children)


def looked_ahead(game: Game, position: Position, nodes: int = NODES) -> Analysis:
    """What a shallow search proves about the position and its moves; it goes deeper where there are fewer moves."""
    look, found = FixedDepth(game), Analysis(Known(Bounds(-TOP, TOP)), {}, 0)
    if game.outcome(*position) != ONGOING:
        return Analysis(look.known(position, 0), {}, 0)
    for plies in range(SURE_PLIES, MOST_PLIES):
        before = look.nodes
        children = {move: game.play(*position, move) for move in legal_moves(game, position)}
        moves = ranked({move: look.known(child, plies - 1).before() for move, child in children.items()})
        found = Analysis(best_of([*moves.values()]), moves, look.nodes)
        if found.exact or look.nodes + (look.nodes - before) * len(children) > nodes:
            break
    return found
