"""Solving a game completely, searching one that is too large for a table, and opening books."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from perfectplay.commands.know.verdicts import exact_verdict
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.game import Game
from perfectplay.processes.folders import PathLike, path_of
from perfectplay.rules.fingerprint import NoFingerprint, why_no_fingerprint
from perfectplay.rules.notation import number_of, plies_text
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.steps import Clock, Steps, finished
from perfectplay.solvers.table.summary import Summary, summary_of
from perfectplay.solvers.worth import entry_fields
from perfectplay.views.document import Document, Notes
from perfectplay.views.json_facts import Fact, digits, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, Brief, Entry, PerfectplayError, entry_of

if TYPE_CHECKING:
    from perfectplay.solvers.complete import SolveResult
    from perfectplay.solvers.engine import Options
    from perfectplay.solvers.table.table import Table


@dataclass(frozen=True)
class Solved(metaclass=Brief):
    """A finished solve: its summary, how many positions have each entry, its table or why no table was written."""

    summary: Summary
    counts: Mapping[Entry, int]
    table: "Table | None"
    fault: OSError | PerfectplayError | None = None


def check_fingerprint(game: Game) -> None:
    """Raises NoFingerprint if a table of the game could not be told from one of other rules."""
    if (why := why_no_fingerprint(game)) is not None:
        raise NoFingerprint(why)


def solved_in_memory(game: Game, how: "Options", sides: bool, progress: Progress | None) -> "Table":
    """Solves the game; the table is in memory."""
    from perfectplay.solvers.complete import solving

    begin, clock = time.perf_counter(), Clock()
    table = finished(clock.timed(solving(game, how)), progress)
    summary = replace(summary_of(table.header, game.name), engine=table.engine, checked=table.checked)
    summary = replace(summary, seconds=clock.solving(), seconds_in_all=time.perf_counter() - begin)
    table.solved = counted_by_side(game, summary, sides, progress)
    return table


def solved_with_table(
    game: Game, how: "Options", path: PathLike | None, force: bool, sides: bool, progress: Progress | None
) -> Solved:
    """Solves the game; the table is in that file or where tables are kept. The summary survives a failed write."""
    from perfectplay.solvers.complete import solving_to_file, solving_to_folder
    from perfectplay.solvers.table.table import table_output

    if path is None:
        return timed(game, solving_to_folder(game, how), sides, progress)
    target = table_output(path, force)
    check_fingerprint(game)
    return timed(game, solving_to_file(game, how, target.path, target.writing()), sides, progress)


def solved_without_table(game: Game, how: "Options", sides: bool, progress: Progress | None) -> Solved:
    """Solves the game and writes nothing."""
    from perfectplay.solvers.complete import solving_without_table

    return timed(game, solving_without_table(game, how), sides, progress, counted=True)


def timed(
    game: Game, work: "Steps[SolveResult]", sides: bool, progress: Progress | None, counted: bool = False
) -> Solved:
    """Does the work; the summary says how long it took, and has either the counts or the path of the table."""
    begin, clock = time.perf_counter(), Clock()
    (header, counts, engine), table, fault = finished(clock.timed(work), progress)
    summary = replace(
        summary_of(header, game.name),
        engine=engine,
        seconds=clock.solving(),
        seconds_in_all=time.perf_counter() - begin,
        table=None if table is None else table.reader.name,
        checked=None if table is None else table.checked,
        bits_per_class=None if table is None else 8 * table.reader.size / header.classes,
        counts=counts if counted else None,
        tiers=tuple(sorted(clock.tiers)),
        why=None if fault is None else why_unwritten(fault),
    )
    summary = counted_by_side(game, summary, sides, progress)
    if table is not None:
        table.game, table.solved = game, summary
    return Solved(summary, counts, table, fault)


def counted_by_side(game: Game, summary: Summary, wanted: bool, progress: Progress | None) -> Summary:
    """The summary with the number of positions with the sides kept apart, if the game is small or it is wanted."""
    from perfectplay.solvers.search.side_count import INTERPRETED, counting_by_side

    if not wanted and summary.classes > INTERPRETED:
        return summary
    return replace(summary, classes_by_side=finished(counting_by_side(game, summary.classes), progress))


def why_unwritten(fault: OSError | PerfectplayError) -> str:
    """Why a file was not written."""
    if isinstance(fault, OSError):
        return f"could not be written: {fault.strerror or fault}" + (f": {fault.filename}" if fault.filename else "")
    return f"is not kept: {fault}"


def open_table(path: PathLike, game: GameLike | None = None) -> "Table":
    """The table in that file, for the game that it names or for `game`; raises BadTable."""
    from perfectplay.solvers.table.table import table_in_file  # not needed by those who only play

    return table_in_file(path_of("path", path), None if game is None else game_of(game))


@dataclass(frozen=True, kw_only=True)
class Book(metaclass=ResultClass):
    """An opening book: the positions of a game up to some ply; `table` looks them up."""

    game: str
    value: int
    distance: int | None
    margin: int | None = None
    plies: int
    classes: int
    size: int
    seconds: float
    path: str | None
    table: "Table" = field(repr=False, compare=False)

    @property
    def start(self) -> Entry:
        """The entry of the start."""
        return entry_of(self.value, self.distance, self.margin)

    def document(self) -> Document:
        """Who wins from the start, and how many positions the book has."""
        found = (
            f"{number_of(self.classes, 'canonical position')} up to {plies_text(self.plies)} in {self.seconds:.1f} s"
        )
        size = "" if self.path is None else f"; {in_bytes(self.size)} in {self.path}"
        verdict = exact_verdict(self.table.game, FIRST, self.start)
        return Document(f"{self.game}: {verdict}", Notes(f"{found}{size}"))

    to_dict = json_facts(
        "game",
        Fact("start", encode=entry_fields, spread=True),
        "plies",
        "classes",
        Fact("size", "bytes"),
        Fact("seconds", encode=digits(2)),
        Fact("path", "book"),
    )
