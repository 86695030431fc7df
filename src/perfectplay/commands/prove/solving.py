"""Solving a game completely, searching one that is too large for a table, and opening books."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from perfectplay.commands.know.verdicts import exact_verdict
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of, memory_in_bytes, whole
from perfectplay.game import Game
from perfectplay.processes.folders import PathLike, path_of
from perfectplay.rules.fingerprint import NoFingerprint, why_no_fingerprint
from perfectplay.rules.notation import number_of, plies_text
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.steps import Clock, Steps, finished
from perfectplay.solvers.table.summary import Summary, summary_of
from perfectplay.solvers.worth import entry_fields
from perfectplay.views.document import Document, Notes
from perfectplay.views.json_facts import Fact, digits, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, BadArgument, BadTable, Brief, Entry, PerfectplayError, entry_of

if TYPE_CHECKING:
    from perfectplay.solvers.complete import SolveResult
    from perfectplay.solvers.engine import Options
    from perfectplay.solvers.table.table import Table


def check_save_after(seconds: float) -> None:
    """Raises BadArgument unless this is a time between checkpoints."""
    if not isinstance(seconds, int | float) or not seconds >= 0:
        raise BadArgument(f"save_after={seconds!r} is not a time in seconds, such as 60")


def options_for(
    engine: str,
    threads: int | None,
    memory: int | str | None,
    resume: bool,
    save_after: float,
    workdir: PathLike | None,
    workers: int | None,
    partitions: int | None,
    scheduler: str | None,
) -> "Options":
    """The arguments of `solve` as the engines take them; raises BadArgument."""
    from perfectplay.solvers.engine import Options  # not needed by those who only play

    whole("threads", threads, 1, 1024)
    whole("workers", workers, 1, 1024)
    whole("partitions", partitions, 1, 8192)
    check_save_after(save_after)
    folder = None if workdir is None else path_of("workdir", workdir)
    size = memory_in_bytes(memory)
    return Options(engine, None, size, threads, resume, save_after, folder, workers, partitions, scheduler)


@dataclass(frozen=True)
class Solved(metaclass=Brief):
    """A finished solve: its summary, how many positions have each entry, its table or why no table was written."""

    summary: Summary
    counts: Mapping[Entry, int]
    table: "Table | None"
    fault: OSError | PerfectplayError | None = None


@rule_faults
def solve(
    game: GameLike,
    engine: str = "auto",
    *,
    threads: int | None = None,
    memory: int | str | None = None,
    path: PathLike | None = None,
    keep: bool = False,
    resume: bool = False,
    save_after: float = 60.0,
    workdir: PathLike | None = None,
    workers: int | None = None,
    partitions: int | None = None,
    scheduler: str | None = None,
    sides: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> "Table":
    """Solves the game and returns its table: the value and distance of every reachable position.

    The table is in memory, or in the file `path`; with keep=True it is kept where analyse, odds and players find it.
    force=True replaces a file that is no table, too.
    `engine` is auto, python, numba, cuda, disk or cluster. `memory` is in bytes, or a text such as "4G". A solve saves
    a checkpoint every `save_after` seconds; resume=True resumes an interrupted solve from its last checkpoint.
    `workdir`, `workers`, `partitions` and `scheduler` are for the engines disk and cluster. sides=True counts the
    positions with the sides kept apart, which the summary of a small game has in any case.
    """
    how = options_for(engine, threads, memory, resume, save_after, workdir, workers, partitions, scheduler)
    if keep and path is not None:
        raise BadArgument("keep=True and path exclude each other; leave one out")
    game = game_of(game)
    if keep and (why := why_no_fingerprint(game)) is not None:
        raise NoFingerprint(why)
    if not keep and path is None:
        from perfectplay.solvers.complete import solving  # not needed by those who only play

        begin, clock = time.perf_counter(), Clock()
        table = finished(clock.timed(solving(game, how)), progress)
        summary = replace(summary_of(table.header, game.name), engine=table.engine, checked=table.checked)
        summary = replace(summary, seconds=clock.solving(), seconds_in_all=time.perf_counter() - begin)
        table.solved = counted_by_side(game, summary, sides, progress)
        return table
    done = solved_with_table(game, how, path, progress, sides, force)
    if done.table is None:
        raise BadTable(f"the table of {game.name} {done.summary.why}") from done.fault
    return done.table


@rule_faults
def summarise(
    game: GameLike,
    engine: str = "auto",
    *,
    threads: int | None = None,
    memory: int | str | None = None,
    resume: bool = False,
    save_after: float = 60.0,
    workdir: PathLike | None = None,
    workers: int | None = None,
    partitions: int | None = None,
    scheduler: str | None = None,
    sides: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Solves the game without writing a table: the value, the distance, the counts and a histogram of distances.

    The arguments are those of `solve`.
    """
    how = options_for(engine, threads, memory, resume, save_after, workdir, workers, partitions, scheduler)
    return solved_without_table(game_of(game), how, progress, sides).summary


def solved_with_table(
    game: Game,
    how: "Options",
    path: PathLike | None,
    progress: Progress | None,
    sides: bool = False,
    force: bool = False,
) -> Solved:
    """Solves the game; the table is in that file or where tables are kept. The summary survives a failed write."""
    from perfectplay.solvers.complete import solving_to_file, solving_to_folder
    from perfectplay.solvers.table.table import table_output

    if path is None:
        return timed(game, solving_to_folder(game, how), progress, sides)
    target = table_output(path, force)
    if (why := why_no_fingerprint(game)) is not None:
        raise NoFingerprint(why)
    return timed(game, solving_to_file(game, how, target.path, target.writing()), progress, sides)


def solved_without_table(game: Game, how: "Options", progress: Progress | None, sides: bool = False) -> Solved:
    """Solves the game and writes nothing."""
    from perfectplay.solvers.complete import solving_without_table

    return timed(game, solving_without_table(game, how), progress, sides, counted=True)


def timed(
    game: Game, work: "Steps[SolveResult]", progress: Progress | None, sides: bool, counted: bool = False
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


@rule_faults
def make_book(
    game: GameLike,
    plies: int,
    *,
    path: PathLike | None = None,
    threads: int | None = None,
    resume: bool = False,
    save_after: float = 60.0,
    force: bool = False,
    progress: Progress | None = None,
) -> Book:
    """Makes an opening book for a game too large for a table, with all positions up to `plies` plies from the start.

    It is kept where searches find it, or written to the file `path`; force=True replaces a file that is no book, too.
    """
    from perfectplay.solvers.engine import cores
    from perfectplay.solvers.search.book import Options, making_book  # numba: only when it is wanted
    from perfectplay.solvers.table.table import table_output
    from perfectplay.solvers.table.table_folder import place_of_book

    game = game_of(game)
    whole("plies", plies, 0, 60, optional=False)
    whole("threads", threads, 1, 1024)
    check_save_after(save_after)
    begin = time.monotonic()
    target = None if path is None else table_output(path, force)
    place = place_of_book(game) if target is None else target.path
    how = Options(plies, place, threads or cores(), resume, save_after)
    book = finished(making_book(game, how, None if target is None else target.writing()), progress)
    book.game = game
    return Book(
        game=game.name,
        value=book.header.value,
        distance=book.header.distance,
        margin=book.header.margin,
        plies=plies,
        classes=len(book),
        size=book.reader.size,
        seconds=time.monotonic() - begin,
        path=str(place) if book.unwritten is None else None,
        table=book,
    )
