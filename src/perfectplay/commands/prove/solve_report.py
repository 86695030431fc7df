"""What `perfectplay solve` prints: the solution, how it came about, and the positions farthest from the end."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from perfectplay.commands.know.verdicts import exact_verdict
from perfectplay.commands.prove.farthest import FarPosition, farthest_section
from perfectplay.commands.prove.solving import why_unwritten
from perfectplay.commands.terminal.signals import MISUSED
from perfectplay.game import Game
from perfectplay.solvers.table.summary import Summary, counts_table, distance_parts, origin, trace_of, trace_parts
from perfectplay.views.document import Document, Notes
from perfectplay.words import FIRST, Brief, Entry, PerfectplayError


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
            farthest_section(self.game, self.farthest) if self.farthest else None,
            origin(summary),
            Notes(f"perfectplay verify {self.name} checks all of it" if unchecked else ""),
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
