"""The positions of a solved game that are farthest from the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perfectplay.commands.know.best_lines import BestLine, named_line
from perfectplay.commands.terminal.draw_many import valued
from perfectplay.game import Game
from perfectplay.rules.notation import show_position
from perfectplay.solvers.search.best_line import best_line
from perfectplay.solvers.search.side_count import sides_to_move
from perfectplay.solvers.worth import ENTRY
from perfectplay.views.document import Board, Boards, List, Section
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.words import Brief, Entry, Position

if TYPE_CHECKING:
    from perfectplay.solvers.table.table import Table


@dataclass(frozen=True)
class FarPosition(metaclass=Brief):
    """A position far from the end, with a side that can be to move there, its entry and the best line from it."""

    text: str
    position: Position
    side: int
    entry: Entry
    line: BestLine

    to_dict = json_facts(Fact("text", "position"), ENTRY, "line")


def farthest(game: Game, table: "Table | None", count: int) -> list[FarPosition]:
    """The canonical positions farthest from the end, the farthest first; none without a table."""
    if table is None or not count:
        return []
    found = table.longest(count)
    sides = sides_to_move(game, [position for position, _ in found])
    return [
        FarPosition(
            show_position(game, position, side),
            position,
            side,
            entry,
            named_line(game, position, side, best_line(game, table.lookup, position)),
        )
        for (position, entry), side in zip(found, sides, strict=True)
    ]


def farthest_section(game: Game, found: Sequence[FarPosition]) -> Section:
    """The boards, each with who is to move and its value, and below them the best lines."""
    what = "position" if len(found) == 1 else f"{len(found)} positions"
    boards = [
        Board(game, far.position, far.side, f"{number}. {game.look.sides[far.side]} to move", valued(far.entry))
        for number, far in enumerate(found, 1)
    ]
    return Section(
        f"the {what} farthest from the end, up to symmetry",
        Boards(boards),
        List([f"{far.text}  best line: {far.line}" for far in found], 1),
    )
