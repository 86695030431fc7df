"""A cache under symmetry: a turned or mirrored board is the same board, so one of each class is enough.

The cache need not know: the game itself is folded, so that only one position of each class is ever met.
"""

from dataclasses import replace

from perfectplay.game import Game, canonical
from perfectplay.solve.ladder.exact_cache import exact_cache
from perfectplay.solve.ladder.meter import Meter
from perfectplay.words import Entry, Move, Position


def symmetric_cache(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position."""
    return exact_cache(folded(game), canonical(game)(*position), meter)


def folded(game: Game) -> Game:
    """The game in which every position is replaced by the canonical form of its class."""
    smallest = canonical(game)

    def play(mine: int, theirs: int, move: Move) -> Position:
        return smallest(*game.play(mine, theirs, move))

    return replace(game, start=smallest(*game.start), play=play)
