"""The solution of a puzzle: the solver's best moves against the most stubborn replies, and who would find them."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import Game, after, images, legal_moves
from perfectplay.insight.puzzles.difficulty import error_probability
from perfectplay.players.models.levels import LEVELS, USUAL
from perfectplay.solvers.oracle import Oracle
from perfectplay.words import WIN, Move, Position, Turn

MOST_PLIES = 15
"""The longest win that is a puzzle, unless another length is asked for: more moves are a game, not a puzzle."""
MOST_CHOICES = 4
"""The most moves of the solver in a line that ends with no win: it ends sooner, as soon as there is a choice."""
IMPERFECT = len(USUAL) - 1
"""The levels that a difficulty is the mean of: all but the last, which never errs."""
ROUNDING = 1e-9


@dataclass
class SolutionLine:
    """A line from a position in which `side` is to move and solves."""

    position: Position
    side: int
    moves: list[Move]
    before: list[Turn]
    """The position and the side to move before each of the moves."""
    end: Position = (0, 0)
    end_side: int = 0

    @property
    def turns(self) -> int:
        """The number of the solver's moves."""
        return sum(side == self.side for _, side in self.before)

    def play(self, game: Game, position: Position, side: int, move: Move) -> Turn:
        """Adds the next move; returns the turn after it."""
        self.moves.append(move)
        self.before.append((position, side))
        self.end, self.end_side = after(game, position, side, move)
        return self.end, self.end_side


class Guide:
    """How a puzzle is solved from a position in which `side` is to move: what is accepted, what is replied, the end.

    A win is played to its end by the shortest way. A draw, or a win in a game for points, is solved as soon as the
    solver has a choice again, or after MOST_CHOICES moves.
    """

    def __init__(self, oracle: Oracle, position: Position, side: int) -> None:
        self.oracle, self.solver = oracle, side
        here = oracle.study(position).here
        self.timed = here.value == WIN and here.margin is None

    def good(self, position: Position) -> list[Move]:
        """The solver's moves that are accepted: those as good as the best."""
        study = self.oracle.study(position)
        return study.best if self.timed else study.keeping

    def reply(self, position: Position, side: int) -> Move | None:
        """The reply that resists longest; None if a search does not tell it.

        Where no distance tells, it keeps the result and leaves the solver the fewest good moves.
        """
        study, game = self.oracle.study(position), self.oracle.game
        if self.timed:
            return min(study.best, default=None)
        following = {move: self.oracle.study(after(game, position, side, move)[0]) for move in study.keeping}
        choices = {move: len(there.keeping) or float("inf") for move, there in following.items()}  # ends come last
        return min(choices, key=lambda move: (choices[move], move), default=None)

    def solved(self, position: Position, side: int, turns: int) -> bool:
        """Whether it is solved in this position, after so many moves of the solver."""
        if not legal_moves(self.oracle.game, position):
            return True
        if self.timed or side != self.solver or turns == 0:
            return False
        return turns >= MOST_CHOICES or len(self.oracle.study(position).keeping) > 1


def line_from(oracle: Oracle, position: Position, side: int) -> SolutionLine:
    """The solver's best moves against the longest resistance, until the puzzle is solved."""
    line, guide = SolutionLine(position, side, [], []), Guide(oracle, position, side)
    while not guide.solved(position, side, line.turns):
        move = min(guide.good(position), default=None) if side == line.side else guide.reply(position, side)
        if move is None:
            break
        position, side = line.play(oracle.game, position, side, move)
    return line


def success(oracle: Oracle, line: SolutionLine) -> list[float]:
    """The probability that each level, 1 to 10, keeps the result at each of the solver's moves in the line."""
    probabilities = [Fraction(1)] * len(USUAL)
    for position, side in line.before:
        if side == line.side:
            study = oracle.study(position)
            probabilities = [
                so_far * (1 - error_probability(study, level))
                for so_far, level in zip(probabilities, USUAL, strict=True)
            ]
    return [float(one) for one in probabilities]


def difficulties(success: NDArray[np.float64]) -> NDArray[np.int64]:
    """1 to 10 for each row: d if the levels that can err fail with a probability of (d - 1) / 10 to d / 10, on average.

    A row has the probability that each level solves a puzzle.
    """
    failure = 1 - success[:, :IMPERFECT].mean(axis=1)
    return np.asarray(np.minimum(LEVELS, (LEVELS * failure + ROUNDING).astype(np.int64) + 1))


def tricks(game: Game, line: SolutionLine) -> tuple[tuple[str, Position], ...]:
    """What no two puzzles of a set share, up to symmetry: the position, where the line ends, and what it changes.

    The changes are the bits of either side that are different at the end: the same moves in the same place.
    """
    turns = images(game)
    views = [(turns.image(*line.position, i), turns.image(*line.end, i)) for i in range(turns.count)]
    by_solver = [(start, end if line.end_side == line.side else (end[1], end[0])) for start, end in views]
    return (
        ("position", min(start for start, _ in views)),
        ("end", min(end for _, end in views)),
        ("change", min((start[0] ^ end[0], start[1] ^ end[1]) for start, end in by_solver)),
    )
