"""Many positions at once: classes drawn side by side, each with what it is worth."""

from collections.abc import Iterator, Mapping
from itertools import groupby, islice
from typing import Any

from perfectplay.game import Game, turn_levels
from perfectplay.insight.ladder.algorithms import folded
from perfectplay.rules.notation import entry_text, show_position, value_name
from perfectplay.solvers.worth import entry_fields
from perfectplay.views.document import Board, Boards, Folded, Notes, Part, Valued
from perfectplay.words import Entry, Position

LONGEST = 60
"""The letters of a position that a title may have."""

# The canonical positions of a game with their entries, the nearest first.


def classes(game: Game, side: int, entries: Mapping[Position, Any]) -> Iterator[tuple[int, int, Position, Entry]]:
    """All canonical positions reachable from the start, where this side is to move, the nearest first.

    Each has the ply at which it is first reached, the side to move there, and its entry.
    """
    for ply, level in enumerate(turn_levels(folded(game), side)):
        for position, mover in level:
            yield ply, mover, position, entries[position]


def listed(game: Game, side: int, entries: Mapping[Position, Any], most: int) -> list[dict[str, object]]:
    """The first `most` canonical positions, as in JSON."""
    return [
        {"position": show_position(game, position, mover), **entry_fields(entry)}
        for _, mover, position, entry in islice(classes(game, side, entries), most)
    ]


def title_of(game: Game, side: int) -> str:
    """What is looked at: the game, the position if its text is short, and who is to move."""
    text = show_position(game, game.start, side)
    where = f" from {text}" if len(text) <= LONGEST else ""
    return f"{game.name}{where}, {game.look.sides[side]} to move"


def short_text(entry: Entry) -> str:
    """The value and the distance in a few letters: win in 5, win by 4."""
    if entry.margin is not None:
        return entry_text(entry)
    return value_name(entry) + ("" if entry.distance is None else f" in {entry.distance}")


def valued(entry: Entry) -> Valued:
    """The same after its shape."""
    return Valued(value_name(entry), short_text(entry))


def drawn_classes(game: Game, side: int, entries: Mapping[Position, Any], most: int) -> list[Part]:
    """The first so many classes as boards, ply by ply, each with what it is worth to the side to move."""
    parts: list[Part] = []
    for (ply, mover), level in groupby(islice(classes(game, side, entries), most), key=lambda one: one[:2]):
        boards = [Board(game, position, mover, note=valued(entry)) for _, _, position, entry in level]
        parts.append(Folded(f"ply {ply}, {game.look.sides[mover]} to move", Boards(boards)))
    known = len(entries)
    return [
        *parts,
        Notes(f"{most:,} of {known:,} canonical positions; ask for {known:,} boards to see all" * (known > most)),
    ]
