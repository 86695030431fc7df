"""A look some plies ahead by the rules as they are, for games too large to solve and too wide to compile."""

from perfectplay.game import Game, legal_moves
from perfectplay.solve.analysis import Analysis, Known, best_of, ranked
from perfectplay.solve.scores import TOP, Bounds
from perfectplay.words import DRAW, ONGOING, Position

SURE_PLIES = 2
"""So many plies are always looked at: a win at once and a win that must be prevented are never missed."""
MOST_PLIES = 20
NODES = 20_000
"""Positions after which a look goes no deeper."""


class Glance:
    """A search to a fixed depth without any opinion: what lies further is open."""

    def __init__(self, game: Game) -> None:
        self.game, self.nodes = game, 0

    def known(self, position: Position, plies: int) -> Known:
        """What so many plies tell of the position."""
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


def glance(game: Game, position: Position, nodes: int = NODES) -> Analysis:
    """What a look ahead tells of the position and its moves, the deeper the fewer moves there are."""
    look, found = Glance(game), Analysis(Known(Bounds(-TOP, TOP)), {}, 0)
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
