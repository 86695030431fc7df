"""Many positions at once: classes drawn side by side, each with what it is worth."""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from itertools import groupby, islice, zip_longest
from typing import NamedTuple

from perfectplay.game import Game, levels
from perfectplay.notation import draw_position, show_position, value_name
from perfectplay.solve.ladder.symmetric_cache import folded
from perfectplay.words import Entry, Position

PAGE = 100
"""The columns that a line may fill."""


class Shown(NamedTuple):
    """A class to show: the ply at which it is first met, the side to move there, and its entry."""

    ply: int
    side: int
    position: Position
    entry: Entry


def heading(options: Namespace, game: Game, side: int) -> str:
    """What is looked at: the game, the position if one was asked for, and who is to move."""
    where = f" from {show_position(game, game.start, side)}" if options.position else ""
    return f"{options.game}{where}, {game.look.sides[side]} to move"


def short_text(entry: Entry) -> str:
    """The value and the distance in a few letters: win in 5."""
    return value_name(entry) + ("" if entry.distance is None else f" in {entry.distance}")


def classes(game: Game, side: int, entries: Mapping[Position, Entry]) -> Iterator[Shown]:
    """All classes that can be reached from the start, where this side is to move, the nearest first."""
    for ply, level in enumerate(levels(folded(game))):
        for position in level:
            yield Shown(ply, (side + ply) % 2, position, entries[position])


def list_classes(game: Game, side: int, entries: Mapping[Position, Entry], most: int) -> list[dict[str, object]]:
    """The first so many classes, as scripts rely on them."""
    return [
        {
            "position": show_position(game, shown.position, shown.side),
            "value": value_name(shown.entry),
            "distance": shown.entry.distance,
        }
        for shown in islice(classes(game, side, entries), most)
    ]


def draw_classes(game: Game, side: int, entries: Mapping[Position, Entry], most: int) -> Iterator[str]:
    """The first so many classes as drawn boards, as many in a row as the page is wide, line by line."""
    for (ply, mover), level in groupby(islice(classes(game, side, entries), most), key=lambda shown: shown[:2]):
        yield f"\nply {ply}, {game.look.sides[mover]} to move"
        pictures = [draw_shown(game, shown) for shown in level]
        wide = max(len(line) for picture in pictures for line in picture) + 2
        across = max(1, PAGE // wide)
        for i in range(0, len(pictures), across):
            yield ""
            for lines in zip_longest(*pictures[i : i + across], fillvalue=""):
                yield "".join(line.ljust(wide) for line in lines).rstrip()
    if len(entries) > most:
        yield f"\n{most:,} of {len(entries):,} classes; --boards {len(entries)} shows all"


def draw_shown(game: Game, shown: Shown) -> list[str]:
    """The lines of one drawn board and what it is worth to the side to move."""
    return [*draw_position(game, shown.position, shown.side).splitlines(), short_text(shown.entry)]
