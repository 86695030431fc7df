"""Players that search a line game to some depth and there measure its lines: their policies in solved games.

A position is worth two numbers: the outcome as far as the search sees it, the greater the sooner a win and the later a
loss; and only where that is equal, what is measured on the board where the search stops.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from perfectplay.bits import bit_numbers
from perfectplay.compiler.line_rules import full_line_outcome
from perfectplay.players.models.game_graph import TOP, Graph, Numbers
from perfectplay.players.models.policies import Weigh
from perfectplay.words import LOSS

Measure = Callable[[Graph], NDArray[np.int64]]
"""For each position how much better its lines are for the side to move than for the other."""


def best_by_search(plies: int, measure: Measure) -> Weigh:
    """The moves that are best by a search of that many plies, all with the same probability."""

    def weigh(graph: Graph, exact: bool) -> Numbers:
        outcomes, measures = np.where(graph.going, 0, TOP * graph.values.astype(np.int64)), measure(graph)
        best = graph.every
        for _ in range(min(plies, deepest(graph))):
            after = graph.after(outcomes, -outcomes)
            sooner, here = after - np.sign(after), graph.after(measures, -measures)
            best = graph.best(here, graph.best(sooner))
            outcomes = graph.over_edges(np.maximum, sooner, outcomes)
            measures = graph.over_edges(np.maximum, np.where(best, here, here.min(initial=0) - 1), measures)
        return graph.normalised(best.astype(np.int64), exact)

    return weigh


def deepest(graph: Graph) -> int:
    """The plies of the longest game: a line game has no more than squares."""
    return graph.game.shape[0] * graph.game.shape[1]


def open_lines(graph: Graph) -> NDArray[np.int64]:
    """The lines open to one side alone, each worth six times as much with every mark; finished games have none."""
    totals = np.zeros(graph.counts.size, np.int64)
    for mine, theirs in marks_in_lines(graph):
        totals += np.where(theirs == 0, weight(mine), 0) - np.where(mine == 0, weight(theirs), 0)
    return np.where(graph.going, sign(graph) * totals, 0)


def weight(marks: NDArray[np.int64]) -> NDArray[np.int64]:
    """What a line with so many marks is worth: as in `players/line_games/line_board.py`."""
    return np.where(marks > 0, 6 ** np.minimum(np.maximum(marks - 1, 0), 18), 0)


def ways_to_win(graph: Graph) -> NDArray[np.int64]:
    """How close each side is to a full line, by the number of lines in which it is that close."""
    lines = [(np.where(theirs == 0, mine, 0), np.where(mine == 0, theirs, 0)) for mine, theirs in marks_in_lines(graph)]
    totals = np.zeros(graph.counts.size, np.int64)
    for side, factor in ((0, 1), (1, -1)):
        close = np.max([line[side] for line in lines], axis=0)
        totals += factor * close * np.sum([line[side] == close for line in lines], axis=0)
    return sign(graph) * totals


def sign(graph: Graph) -> int:
    """1 where a full line wins, -1 where it loses."""
    return 1 if full_line_outcome(graph.game) == LOSS else -1


def marks_in_lines(graph: Graph) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each winning line the marks of either side in it, the side to move first, in every position."""
    assert graph.game.winning_lines is not None
    words = np.array([graph.position(number) for number in range(graph.counts.size)], np.int64)
    squares = [(words >> square & 1).T for square in range(deepest(graph))]
    lines = [sum(squares[square] for square in bit_numbers(line)) for line in graph.game.winning_lines()]
    return [(line[0], line[1]) for line in lines]  # type: ignore[index]
