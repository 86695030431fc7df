"""Winning chances against somebody who errs, for every position of a solved game at once.

We keep the result with every move and, among the moves that do, choose the one that wins most often; where that is
equal, the one that loses least often. What the chances are depends on what we choose, and the other way round: both
come from repeating one step, chances of the positions in which the other side is to move as the mean over its moves,
ours as the best of our moves, beginning with no chance at all. In a game that ends, nothing changes any more after as
many steps as it has moves. In a game that can go round in circles the chances rise towards their limit; a game that
goes on for ever is never counted as won, because the wins that are counted after n steps are those of at most n moves.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.explain.game_graph import Graph, Numbers
from perfectplay.solve.steps import Step, Steps
from perfectplay.words import LOSS, WIN

TOLERANCE = 1e-12
"""Chances in games without end are this exact."""
WINDOW = 30
"""So many rounds tell at which rate chances still change."""
ALIKE = 1e-9
"""Chances that differ by less are taken for equal."""


Number = Fraction | float


class WinProbability(NamedTuple):
    """How often a game is won, drawn and lost; what never ends is drawn."""

    win: Number
    draw: Number
    loss: Number


class WinProbabilities(NamedTuple):
    """Our chances in each position, when we are to move and when the other side is, and the moves we choose among."""

    graph: Graph
    mine_win: Numbers
    mine_loss: Numbers
    theirs_win: Numbers
    theirs_loss: Numbers
    chosen: NDArray[np.bool_]

    def when_mine(self, number: int) -> WinProbability:
        """Our chances in a position in which we are to move."""
        return win_probability_from(self.mine_win[number], self.mine_loss[number])

    def when_theirs(self, number: int) -> WinProbability:
        """Our chances in a position in which the other side is to move."""
        return win_probability_from(self.theirs_win[number], self.theirs_loss[number])


def win_probability_from(win: Number, loss: Number) -> WinProbability:
    """The chances, the rest drawn; rounding makes no chance negative."""
    if isinstance(win, Fraction) or isinstance(loss, Fraction):
        return WinProbability(Fraction(win), Fraction(1 - win - loss), Fraction(loss))
    return WinProbability(float(win), max(0.0, float(1 - win - loss)), float(loss))


def computing(graph: Graph, probabilities: Numbers) -> Steps[WinProbabilities]:
    """Our chances against an opponent whose moves have these shares; as fractions if the shares are."""
    kind = probabilities.dtype
    ended, values = ~graph.going, graph.values
    won = values == WIN
    keeps = -values[graph.children] == values[graph.parents]
    quickest = graph.best(graph.scores)
    allowed = np.where(won[graph.parents], quickest, keeps)

    def theirs(mine: Numbers, worth: int) -> Numbers:
        return graph.gathered(np.add, probabilities * mine[graph.children], ended & (values == worth))

    def ours(mine: Numbers) -> Numbers:
        edges = np.where(allowed, theirs(mine, LOSS)[graph.children], -1).astype(kind)
        found = graph.gathered(np.maximum, edges, won)
        found[won] = 1
        return found

    mine_win = yield from repeated(ours, won.astype(kind), "winning chances")
    theirs_win = theirs(mine_win, LOSS)
    best = allowed & alike(theirs_win[graph.children], mine_win[graph.parents])

    def ours_lost(mine: Numbers) -> Numbers:
        edges = np.where(best, -theirs(mine, WIN)[graph.children], -2).astype(kind)
        return -graph.gathered(np.maximum, edges, -(ended & (values == LOSS)).astype(int))

    # Without a chance to win, going round in circles is as good as any draw, so losses are counted from none upwards;
    # with one, it only puts the chance off, and losses are counted from the most downwards.
    below = yield from repeated(ours_lost, (ended & (values == LOSS)).astype(kind), "losing chances")
    above = np.where((values == LOSS) & (mine_win > 0), 1 - mine_win, below)
    mine_loss = yield from repeated(ours_lost, above, "losing chances")
    theirs_loss = theirs(mine_loss, WIN)
    chosen = best & alike(theirs_loss[graph.children], mine_loss[graph.parents])
    lost = values == LOSS if graph.ends else (values == LOSS) & (mine_win == 0)
    latest = graph.best(np.where(chosen, graph.scores, graph.scores.min(initial=0) - 1))
    return WinProbabilities(
        graph, mine_win, mine_loss, theirs_win, theirs_loss, chosen & (latest | ~lost[graph.parents])
    )


def alike(a: Numbers, b: Numbers) -> NDArray[np.bool_]:
    """Where the numbers are equal: fractions exactly, floats as nearly as they can be known."""
    return np.asarray(a == b if a.dtype == object else np.abs(a - b) < ALIKE, bool)


def repeated(step: Callable[[Numbers], Numbers], numbers: Numbers, what: str) -> Steps[Numbers]:
    """What the numbers come to if the step is repeated for ever.

    The step only raises them, or only lowers them, and never by more than the one before. In circles the changes
    shrink at a rate, which the last ones tell, and with the rate what is still to come.
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
