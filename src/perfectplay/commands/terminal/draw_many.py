"""Many positions at once: classes drawn side by side, each with what it is worth."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from perfectplay.game import Game, turn_levels
from perfectplay.insight.ladder.algorithms import folded
from perfectplay.rules.notation import draw_position, entry_text, show_position, value_name
from perfectplay.solvers.worth import entry_fields
from perfectplay.words import Entry, Position

if TYPE_CHECKING:
    from perfectplay.commands.compete.comparing import Comparison
    from perfectplay.commands.compete.comparing_cycles import CyclicComparison


# The canonical positions of a game with their entries, the nearest first.


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


PAGE = 100
"""The columns that a line may fill."""


def heading(options: Namespace, found: "Comparison | CyclicComparison") -> str:
    """What is looked at: the game, the position if one was asked for, and who is to move."""
    where = f" from {found.position}" if options.position or options.moves else ""
    return f"{options.game}{where}, {found.game.look.sides[found.side]} to move"


def short_text(entry: Entry) -> str:
    """The value and the distance in a few letters: win in 5, win by 4."""
    if entry.margin is not None:
        return entry_text(entry)
    return value_name(entry) + ("" if entry.distance is None else f" in {entry.distance}")


def draw_classes(game: Game, side: int, entries: Mapping[Position, Any], most: int) -> Iterator[str]:
    """The first so many classes as drawn boards, as many in a row as the page is wide, line by line."""
    for (ply, mover), level in groupby(islice(classes(game, side, entries), most), key=lambda shown: shown[:2]):
        yield f"\nply {ply}, {game.look.sides[mover]} to move"
        yield from side_by_side([draw_shown(game, shown) for shown in level])
    if len(entries) > most:
        yield f"\n{most:,} of {len(entries):,} canonical positions; --boards {len(entries)} shows all"


def side_by_side(pictures: Sequence[Sequence[str]]) -> Iterator[str]:
    """Pictures in rows, as many in a row as the page is wide, with an empty line before each row."""
    wide = max(len(line) for picture in pictures for line in picture) + 2
    across = max(1, PAGE // wide)
    for i in range(0, len(pictures), across):
        yield ""
        for lines in zip_longest(*pictures[i : i + across], fillvalue=""):
            yield "".join(line.ljust(wide) for line in lines).rstrip()


def draw_shown(game: Game, shown: Shown) -> list[str]:
    """The lines of one drawn board and what it is worth to the side to move."""
    return [*draw_position(game, shown.position, shown.side).splitlines(), short_text(shown.entry)]
