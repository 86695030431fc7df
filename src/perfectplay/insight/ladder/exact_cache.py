"""Minimax with a cache of exact values: many lines lead to a position, but it is searched once.

A cached entry must not depend on the path, so the distance counts from the position, not from the root.
"""

from perfectplay.game import Game, end_entry, move_entries
from perfectplay.insight.ladder.best_move import best_move
from perfectplay.insight.ladder.meter import Meter
from perfectplay.words import ONGOING, Entry, Position


def exact_cache(game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance of the position."""
    cache: dict[Position, Entry] = {}
    meter.cache = cache

    def entry(position: Position) -> Entry:
        meter.visit()
        if position not in cache:
            outcome = game.outcome(*position)
            if outcome != ONGOING:
                cache[position] = end_entry(game, position)
            else:
                cache[position] = max(move_entries(game, position, entry).values(), key=Entry.preference)
        return cache[position]

    found = entry(position)
    meter.move = best_move(game, position, cache.__getitem__)
    return found
