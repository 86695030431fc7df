"""Minimax with a cache under symmetry: one position of each symmetry class is enough.

The cache needs no change: the game itself is folded, so that only canonical positions occur.
"""

from dataclasses import replace

from perfectplay.game import Game, canonical
from perfectplay.insight.ladder.best_move import best_move
from perfectplay.insight.ladder.exact_cache import exact_cache
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import Entry, Move, Position


def symmetric_cache(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position."""
    smallest = canonical(game)
    found = exact_cache(folded(game), smallest(*position), meter)
    meter.move = best_move(game, position, lambda after: meter.cache[smallest(*after)])
    return found


def folded(game: Game) -> Game:
    """The game in which every position is replaced by its canonical position."""
    smallest = canonical(game)

    def play(mine: int, theirs: int, move: Move) -> Position:
        return smallest(*game.play(mine, theirs, move))

    return replace(game, start=smallest(*game.start), play=play)
