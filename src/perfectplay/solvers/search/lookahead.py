"""A shallow search with interpreted rules, for games too large to solve and too wide to compile."""

from perfectplay.game import Game, legal_moves, moves_again
from perfectplay.solvers.scores import TOP, end_bounds, open_bounds
from perfectplay.solvers.worth import Study, Worth, best_first, best_of, worth_of
from perfectplay.words import ONGOING, Move, Position

SURE_PLIES = 2
"""The minimum depth: immediate wins and immediate threats are never missed."""
MOST_PLIES = 20
NODES = 20_000
"""Positions after which the search goes no deeper."""


class FixedDepth:
    """A fixed-depth search without an evaluation: positions beyond the horizon are unknown."""

    def __init__(self, game: Game) -> None:
        self.game, self.nodes = game, 0

    def prove(self, position: Position, plies: int) -> Worth:
        """The worth by a search of `plies` plies."""
        self.nodes += 1
        outcome = self.game.outcome(*position)
        if outcome != ONGOING:
            return worth_of(end_bounds(self.game, position), 0)
        if plies == 0:
            return Worth(open_bounds(self.game))
        children = []
        for move in legal_moves(self.game, position):
            children.append(self.after(position, move, plies))
            if self.game.margin is None and children[-1].bounds.low == TOP - 1:
                return children[-1]
        return best_of(children)

    def after(self, position: Position, move: Move, plies: int) -> Worth:
        """The worth of a move by a search of `plies` plies, the move counted, for the side that makes it."""
        worth = self.prove(self.game.play(*position, move), plies - 1)
        return worth.before(moves_again(self.game, position, move))


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


def look_ahead(game: Game, position: Position, nodes: int = NODES) -> Study:
    """The study by a shallow search; it goes deeper where there are fewer moves."""
    look, study = FixedDepth(game), Study(Worth(open_bounds(game)), {})
    if game.outcome(*position) != ONGOING:
        return Study(look.prove(position, 0), {})
    for plies in range(SURE_PLIES, MOST_PLIES):
        before = look.nodes
        moves = best_first({move: look.after(position, move, plies) for move in legal_moves(game, position)})
        study = Study(best_of([*moves.values()]), moves, look.nodes)
        if study.exact or look.nodes + (look.nodes - before) * len(moves) > nodes:
            break
    return study
