"""What `perfectplay solve` prints: the solution, how it came about, and the positions farthest from the end."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perfectplay.commands.know.best_lines import BestLine, named_line
from perfectplay.commands.know.verdicts import exact_verdict
from perfectplay.commands.prove.solving import why_unwritten
from perfectplay.commands.terminal.draw_many import valued
from perfectplay.commands.terminal.signals import MISUSED
from perfectplay.game import Game
from perfectplay.rules.notation import show_position
from perfectplay.solvers.search.best_line import best_line
from perfectplay.solvers.search.side_count import sides_to_move
from perfectplay.solvers.table.summary import Summary, counts_table, distance_parts, origin, trace_of, trace_parts
from perfectplay.solvers.worth import ENTRY
from perfectplay.views.document import Board, Boards, Document, List, Notes, Section
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.words import FIRST, Brief, Entry, PerfectplayError, Position

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


@dataclass(frozen=True)
class SolveReport(metaclass=Brief):
    """A solution; `decided` has the counts whose trace is wanted, `name` is the table's or the game's."""

    game: Game
    name: str
    summary: Summary
    decided: Mapping[Entry, int] | None
    farthest: list[FarPosition]

    def document(self) -> Document:
        """Who wins, the counts, the trace or the histogram of distances, and the positions farthest from the end."""
        summary, decided = self.summary, self.decided
        unchecked = summary.table is not None and summary.checked != 1
        return Document(
            f"{self.game.name}: {exact_verdict(self.game, FIRST, summary.start)}",
            counts_table(summary),
            *(distance_parts(summary.counts or {}) if decided is None else trace_parts(decided)),
            self.farthest_section() if self.farthest else None,
            origin(summary),
            Notes(f"perfectplay verify {self.name} checks all of it" if unchecked else ""),
        )

    def farthest_section(self) -> Section:
        """The boards, each with who is to move and its value, and below them the best lines."""
        game, found = self.game, self.farthest
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

    def to_dict(self) -> dict[str, object]:
        """The facts of the summary, and what more is wanted."""
        facts = self.summary.to_dict()
        if self.decided is not None:
            facts["trace"] = [iteration.to_dict() for iteration in trace_of(self.decided)]
        if self.farthest:
            facts["farthest"] = [position.to_dict() for position in self.farthest]
        return facts


def tell_unwritten(what: str, fault: OSError | PerfectplayError, resume: str, without: str = "") -> int:
    """Says why a file is not there, and how to write it later if that can be; returns the exit code for it."""
    later = f"; when that is put right, {resume} writes it" if resume else without
    print(f"perfectplay: {what} {why_unwritten(fault)}{later}", file=sys.stderr)
    return MISUSED
