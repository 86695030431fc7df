"""A shallow search with interpreted rules, for games too large to solve and too wide to compile."""

from perfectplay.game import Game, legal_moves, moves_again
from perfectplay.solvers.analysis import Analysis, Proof, best_first, best_of
from perfectplay.solvers.scores import TOP, end_bounds, open_bounds
from perfectplay.words import DRAW, ONGOING, Move, Position

SURE_PLIES = 2
"""The minimum depth: immediate wins and immediate threats are never missed."""
MOST_PLIES = 20
NODES = 20_000
"""Positions after which the search goes no deeper."""


class FixedDepth:
    """A fixed-depth search without an evaluation: positions beyond the horizon are unknown."""

    def __init__(self, game: Game) -> None:
        self.game, self.nodes = game, 0

    def prove(self, position: Position, plies: int) -> Proof:
        """The proof by a search of `plies` plies."""
        self.nodes += 1
        outcome = self.game.outcome(*position)
        if outcome != ONGOING:
            return Proof(end_bounds(self.game, position), 0 if outcome == DRAW else None)
        if plies == 0:
            return Proof(open_bounds(self.game))
        children = []
        for move in legal_moves(self.game, position):
            children.append(self.after(position, move, plies))
            if self.game.margin is None and children[-1].bounds.low == TOP - 1:
                return children[-1]
        return best_of(children)

    def after(self, position: Position, move: Move, plies: int) -> Proof:
        """The proof of a move by a search of `plies` plies, the move counted, for the side that makes it."""
        proof = self.prove(self.game.play(*position, move), plies - 1)
        return proof.before(moves_again(self.game, position, move))


class PointsWithin:
    """A fixed-depth search for points: the game is drawn at the horizon."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.margins: dict[tuple[Position, int], int] = {}

    def margin(self, position: Position, plies: int) -> int:
        """The margin of the position by a search of `plies` plies."""
        if self.game.outcome(*position) != ONGOING:
            return end_bounds(self.game, position).low
        if plies == 0:
            return 0
        if (position, plies) not in self.margins:
            moves = legal_moves(self.game, position)
            self.margins[position, plies] = max(self.after(position, move, plies) for move in moves)
        return self.margins[position, plies]

    def after(self, position: Position, move: Move, plies: int) -> int:
        """The margin of a move by a search of `plies` plies, the move counted, for the side that makes it."""
        margin = self.margin(self.game.play(*position, move), plies - 1)
        return margin if moves_again(self.game, position, move) else -margin


def look_ahead(game: Game, position: Position, nodes: int = NODES) -> Analysis:
    """The analysis by a shallow search; it goes deeper where there are fewer moves."""
    look, analysis = FixedDepth(game), Analysis(Proof(open_bounds(game)), {}, 0)
    if game.outcome(*position) != ONGOING:
        return Analysis(look.prove(position, 0), {}, 0)
    for plies in range(SURE_PLIES, MOST_PLIES):
        before = look.nodes
        moves = best_first({move: look.after(position, move, plies) for move in legal_moves(game, position)})
        analysis = Analysis(best_of([*moves.values()]), moves, look.nodes)
        if analysis.exact or look.nodes + (look.nodes - before) * len(moves) > nodes:
            break
    return analysis
