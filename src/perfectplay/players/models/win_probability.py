"""Win probabilities against an imperfect opponent, for every position of a solved game at once.

Every one of our moves keeps the result, unless we only exploit the opponent: then we may choose any move. Among these
moves we choose the one that wins most often; where that is equal, the one that loses least often. Probabilities and
choices depend on each other, so both come from value iteration: where the other side is to move, the probability is the
mean over its moves; where we are, the maximum over ours; all start at 0. The rules say who is to move after a move. In
a game that ends, nothing changes after as many steps as the game has plies. In a game with cycles the probabilities
rise towards their limit. An endless game is never counted as won, because step n counts only wins within 2n plies.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import Game, legal_moves
from perfectplay.players.models.game_graph import Graph, Numbers, graphing
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import LOSS, WIN, Move, Position, TooBig

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

TOLERANCE = 1e-12
"""The greatest error of a probability in a game with cycles."""
WINDOW = 30
"""The number of steps that the rate of change is measured over."""
ALIKE = 1e-9
"""Probabilities that differ by less are taken for equal."""


Number = Fraction | float


class WinProbability(NamedTuple):
    """The probabilities of a win, a draw and a loss; an endless game is a draw."""

    win: Number
    draw: Number
    loss: Number


class WinProbabilities(NamedTuple):
    """Our win probability in each position, for either side to move, and the moves that we choose among."""

    graph: Graph
    mine_win: Numbers
    mine_loss: Numbers
    theirs_win: Numbers
    theirs_loss: Numbers
    chosen: NDArray[np.bool_]

    def when_mine(self, number: int) -> WinProbability:
        """Our win probability in a position in which we are to move."""
        return win_probability_from(self.mine_win[number], self.mine_loss[number])

    def when_theirs(self, number: int) -> WinProbability:
        """Our win probability in a position in which the other side is to move."""
        return win_probability_from(self.theirs_win[number], self.theirs_loss[number])

    def after(self, target: int) -> WinProbability:
        """Our win probability after a move of ours that leads there: to a number, or ~number if we move again."""
        return self.when_theirs(target) if target >= 0 else self.when_mine(~target)


def win_probability_from(win: Number, loss: Number) -> WinProbability:
    """The probabilities, the rest drawn; rounding makes none negative."""
    if isinstance(win, float):
        return WinProbability(float(win), max(0.0, float(1 - win - loss)), float(loss))
    return WinProbability(Fraction(win), Fraction(1 - win - loss), Fraction(loss))


def computing(graph: Graph, probabilities: Numbers, keeping: bool = True) -> Steps[WinProbabilities]:
    """Our win probabilities against an opponent with these move probabilities; fractions if those are.

    With `keeping`, every move of ours keeps the result; without it, we play the best response to the opponent.
    """
    kind, size = probabilities.dtype, graph.counts.size
    ended, values = ~graph.going, graph.values
    won, lost, theirs_won = values == WIN, ended & (values == LOSS), ended & (values == WIN)
    keeps = graph.results == values[graph.parents] if keeping else graph.every
    options = np.where(won[graph.parents], graph.best(graph.scores), keeps)

    def with_theirs(mine: Numbers, before: Numbers, at_the_end: Numbers) -> Numbers:
        return np.concatenate([mine, graph.over_edges(np.add, probabilities * graph.after(before, mine), at_the_end)])

    def winning(numbers: Numbers) -> Numbers:
        edges = np.where(options, graph.after(numbers[:size], numbers[size:]), -1).astype(kind)
        mine = graph.over_edges(np.maximum, edges, won)
        mine[won] = 1
        return with_theirs(mine, numbers[size:], lost)

    start = with_theirs(won.astype(kind), lost.astype(kind), lost)
    wins = yield from limit_of(winning, start, "win probabilities")
    mine_win, theirs_win = wins[:size], wins[size:]
    best = options & alike(graph.after(mine_win, theirs_win), mine_win[graph.parents])

    def losing(numbers: Numbers) -> Numbers:
        edges = np.where(best, -graph.after(numbers[:size], numbers[size:]), -2).astype(kind)
        mine = 0 - graph.over_edges(np.maximum, edges, -lost.astype(int))  # 0 less 0.0 is no negative zero
        return with_theirs(mine, numbers[size:], theirs_won)

    # Where we cannot win, an endless game is as good as any draw, so the loss probability rises from 0; where we can,
    # a cycle only delays the win, so it falls from its maximum.
    start = with_theirs(lost.astype(kind), theirs_won.astype(kind), theirs_won)
    below = yield from limit_of(losing, start, "loss probabilities")
    behind = np.concatenate([values == LOSS, won] if keeping else [graph.going, graph.going])
    above = np.where((wins > 0) & behind, 1 - wins, below)
    losses = yield from limit_of(losing, with_theirs(above[:size], above[size:], theirs_won), "loss probabilities")
    mine_loss, theirs_loss = losses[:size], losses[size:]
    choices = best & alike(graph.after(mine_loss, theirs_loss), mine_loss[graph.parents])
    hopeless = values == LOSS if graph.ends else (values == LOSS) & (mine_win == 0)
    latest = graph.best(np.where(choices, graph.scores, graph.scores.min(initial=0) - 1))
    return WinProbabilities(
        graph, mine_win, mine_loss, theirs_win, theirs_loss, choices & (latest | ~hopeless[graph.parents])
    )


def alike(a: Numbers, b: Numbers) -> NDArray[np.bool_]:
    """Where the numbers are equal: fractions exactly, floats as nearly as they can be known."""
    return np.asarray(a == b if a.dtype == object else np.abs(a - b) < ALIKE, bool)


def limit_of(step: Callable[[Numbers], Numbers], numbers: Numbers, what: str) -> Steps[Numbers]:
    """The limit of the numbers when the step is repeated.

    The step only raises them, or only lowers them, and never by more than the step before. In games with cycles the
    changes shrink geometrically; the rate of the last ones bounds what is still to come.
    """
    changes: list[float] = []
    while True:
        after = step(numbers)
        changes.append(float(np.max(np.abs(after - numbers), initial=0)))
        yield Step(what, len(changes))
        numbers = after
        rate = (changes[-1] / changes[-WINDOW]) ** (1 / (WINDOW - 1)) if len(changes) > WINDOW else 1.0
        if changes[-1] == 0 or (rate < 1 and changes[-1] * rate / (1 - rate) < TOLERANCE / 10):
            return numbers


# Our win probability in one position against an imperfect opponent, and after each of our moves.


class MoveProbabilities(NamedTuple):
    """Our win probability in a position and after each move, and the moves that a street-smart player chooses from."""

    here: WinProbability
    moves: dict[Move, WinProbability]
    chosen: list[Move]


def win_probabilities_against(game: Game, policy: "Policy", exact: bool = False) -> Steps[WinProbabilities]:
    """Our win probability in every position against an opponent of that policy, as a fraction if it is to be exact."""
    policy.check(exact)
    graph = yield from graphing(game, policy.symmetric)
    if exact and not graph.ends:
        raise TooBig(f"{game.name} has cycles, where win probabilities are limits, not fractions; leave out exact=True")
    return (yield from computing(graph, policy.probabilities(graph, exact)))


def move_probabilities(game: Game, probabilities: WinProbabilities, position: Position) -> MoveProbabilities:
    """The win probability of the side to move."""
    graph = probabilities.graph
    number = graph.number(position)
    targets = {move: graph.target(position, move) for move in legal_moves(game, position)}
    edges = graph.edges(number)
    liked = set(graph.targets[edges][probabilities.chosen[edges]].tolist())
    return MoveProbabilities(
        probabilities.when_mine(number),
        {move: probabilities.after(target) for move, target in targets.items()},
        [move for move, target in targets.items() if target in liked],
    )
