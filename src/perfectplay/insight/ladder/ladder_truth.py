"""The true values for comparison with the algorithms and the repairs, for games with cycles, too."""

from perfectplay.game import Game, levels
from perfectplay.insight.ladder.algorithms import folded
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.words import Entry, Position

CLASSES = 40_000
"""The most classes to solve in plain Python: a few seconds."""


def solved_classes(game: Game) -> dict[Position, Entry] | None:
    """The entry of every reachable class, by its canonical position; None if there are too many."""
    count = 0
    for layer in levels(folded(game)):
        count += len(layer)
        if count > CLASSES:
            return None
    return solved_positions(folded(game))
