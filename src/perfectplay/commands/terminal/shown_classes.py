"""The canonical positions of a game with their entries, the nearest first."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from perfectplay.game import Game, turn_levels
from perfectplay.insight.ladder.algorithms import folded
from perfectplay.rules.notation import show_position
from perfectplay.solvers.worth import entry_fields
from perfectplay.words import Entry, Position


class Shown(NamedTuple):
    """A canonical position to show: the ply at which it is first reached, the side to move there, and its entry."""

    ply: int
    side: int
    position: Position
    entry: Entry


def classes(game: Game, side: int, entries: Mapping[Position, Any]) -> Iterator[Shown]:
    """All canonical positions reachable from the start, where this side is to move, the nearest first."""
    for ply, level in enumerate(turn_levels(folded(game), side)):
        for position, mover in level:
            yield Shown(ply, mover, position, entries[position])


def listed(game: Game, side: int, entries: Mapping[Position, Any], most: int) -> list[dict[str, object]]:
    """The first `most` canonical positions, as in JSON."""
    return [
        {"position": show_position(game, shown.position, shown.side), **entry_fields(shown.entry)}
        for shown in islice(classes(game, side, entries), most)
    ]
