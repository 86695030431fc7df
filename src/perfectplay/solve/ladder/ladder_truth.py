"""The truth that the algorithms and the repairs are held to, for games that go on for ever, too."""

from perfectplay.game import Game, levels
from perfectplay.solve.interpreted import solved_positions
from perfectplay.solve.ladder.symmetric_cache import folded
from perfectplay.words import Entry, Position

CLASSES = 40_000
"""The most classes that are solved in plain Python: some seconds."""


def solved_classes(game: Game) -> dict[Position, Entry] | None:
    """The entry of every class that can be reached, by its canonical form; None if there are too many."""
    seen = 0
    for level in levels(folded(game)):
        seen += len(level)
        if seen > CLASSES:
            return None
    return solved_positions(folded(game))
