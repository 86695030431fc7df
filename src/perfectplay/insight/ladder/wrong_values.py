"""Looks for a position in which an algorithm is wrong, by running it on one position after another."""

from dataclasses import replace
from typing import NamedTuple

from perfectplay.game import Game, legal_moves, levels, turn_levels
from perfectplay.insight.ladder.algorithms import folded
from perfectplay.insight.ladder.meter import Meter, Search
from perfectplay.solvers.memory.interpreted import solved_positions
from perfectplay.words import Entry, Lookup, Position, TooBig

CLASSES = 40_000
"""The most classes to solve in plain Python: a few seconds."""


class WrongValue(NamedTuple):
    """A position, the plies to it, the value or margin by an algorithm, and the true one.

    `turned` is 1 if the other side is to move there, not the one to move where the search began, else 0.
    """

    position: Position
    plies: int
    value: int
    true: int
    turned: int


class Trial(NamedTuple):
    """The nearest position with a wrong value, if there is one among those tried; and whether these were all."""

    wrong: WrongValue | None
    tried: int
    complete: bool


def worth(entry: Entry) -> int:
    """The margin, where the game has points, else the value."""
    return entry.value if entry.margin is None else entry.margin


def try_positions(search: Search, game: Game, position: Position, truth: Lookup, meter: Meter) -> Trial:
    """Runs the search on the position and on all that follow it, the nearest first, until it is wrong."""
    count = 0
    try:
        for plies, level in enumerate(turn_levels(replace(game, start=position))):
            for here, turned in level:
                if not legal_moves(game, here):
                    continue
                value, true = worth(search(game, here, meter)), worth(truth(here))
                count += 1
                if value != true:
                    return Trial(WrongValue(here, plies, value, true, turned), count, False)
    except (TooBig, RecursionError):
        return Trial(None, count, False)
    return Trial(None, count, True)


def solved_classes(game: Game) -> dict[Position, Entry] | None:
    """The true entry of every reachable class, by its canonical position; None if there are too many."""
    count = 0
    for layer in levels(folded(game)):
        count += len(layer)
        if count > CLASSES:
            return None
    return solved_positions(folded(game))
