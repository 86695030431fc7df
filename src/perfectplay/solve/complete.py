"""The complete solution of a game, by the engine that suits it."""

import os
import time
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from perfectplay.fingerprint import why_no_fingerprint
from perfectplay.game import Game, canonical
from perfectplay.loading import absolute_name
from perfectplay.solve.forecast import Forecast, free_memory, refuse
from perfectplay.solve.python_engine import LOOKED_AT, Reached, solved, solved_if_small
from perfectplay.solve.sample_check import in_table, none_of
from perfectplay.solve.steps import Step, Steps
from perfectplay.solve.validation import check_solution, check_sound
from perfectplay.table.table import Table, header_for, mapped, opened, replacing, tabulate
from perfectplay.table.table_file import Header, Reader, Sink
from perfectplay.table.table_folder import checkpoint_of, place_of, remove_outdated, tidy
from perfectplay.table.table_parts import remove_parts
from perfectplay.table.table_sink import TableSink
from perfectplay.words import BadGame, BadTable, BadWork, Entry, NoGPU, Position, TooBig

ENGINES = ("auto", "plain", "compiled", "cuda", "disk", "cluster")
OVER_FILES = ("disk", "cluster")
SHARE = 0.8
"""How much of the free memory a solve may take."""
PLAIN_BYTES = 900
"""What plain Python takes for a position, its children and its entry."""


class Spread(NamedTuple):
    """How a solve is spread over files: in which folder, over so many workers and partitions, by which scheduler."""

    workdir: str | None = None
    workers: int | None = None
    partitions: int | None = None
    scheduler: str | None = None


class Options(NamedTuple):
    """How to solve: by which engine, to which file or to memory, with how much memory and how many threads.

    After `saved_after` seconds a solve begins to save its progress, and with `resume` it goes on from there.
    """

    engine: str = "auto"
    path: Path | None = None
    memory: int | None = None
    threads: int | None = None
    resume: bool = False
    saved_after: float = 60.0
    spread: Spread = Spread()


class Solution(NamedTuple):
    """What came out, beside the table: what its header says, how many positions have each entry, the engine."""

    header: Header
    counts: Counter[Entry]
    engine: str


def solving(game: Game, options: Options) -> Steps[Table]:
    """The table of the game, in steps; raises TooBig if it will not fit.

    It goes to the file if there is one, but stays in memory if the rules could change without a trace.
    """
    if options.path is None or why_no_fingerprint(game) is not None:
        sink = BytesIO()
        solution = yield from solved_by(game, options, sink)
        table = Table(game, Reader(sink.getvalue(), f"the table of {game.name}"), solution.engine)
        check_solution(in_table(table), solution.engine != "plain")
        return table
    written = yield from writing(game, options, options.path)
    if written.table is None:
        assert written.fault is not None
        raise written.fault
    return written.table


class Written(NamedTuple):
    """A solution and its table, or why there is none."""

    solution: Solution
    table: Table | None
    fault: OSError | BadTable | None = None


def writing(game: Game, options: Options, path: Path, needed: bool = True) -> Steps[Written]:
    """The solution, in steps, and its table in that file; a table that cannot be written never costs the solution.

    If it is needed and no file can be begun there, that is an OSError before anything is solved.
    """
    solution: Solution | None = None
    begun = False
    try:
        with replacing(path) as file:
            begun, sink = True, TableSink(file)
            solution = yield from solved_by(game, options._replace(path=path), sink)
            if sink.fault is not None:
                raise sink.fault
            file.flush()
            check_file(game, solution, file.name, path)
    except OSError as fault:
        if solution is None:
            if begun or needed:
                raise
            solution = yield from solved_by(game, options, None)
        return Written(solution, None, fault)
    table = opened(path, game)
    table.engine = solution.engine
    remove_parts(path, len(table.header.parts or ()))
    return Written(solution, table)


def check_file(game: Game, solution: Solution, name: str, path: Path) -> None:
    """Raises BadGame, and removes the parts of the table, if a sample of it is not what the rules say."""
    try:
        check_solution(in_table(Table(game, mapped(name, beside=path))), solution.engine != "plain")
    except BadGame:
        remove_parts(path)
        raise


def keeping(game: Game, options: Options) -> Steps[Written]:
    """The solution, in steps, and its table where the game's table is looked for, if it can be kept there."""
    tidy()
    game = replace(game, name=absolute_name(game.name))
    try:
        path = place_of(game)
    except BadTable as fault:  # its rules have no fingerprint
        return Written((yield from solved_by(game, options, None)), None, fault)
    written = yield from writing(game, options, path, needed=False)
    if written.table is not None:
        remove_outdated(path, written.table.header)
    return written


def without_table(game: Game, options: Options) -> Steps[Written]:
    """The solution, in steps; nothing is written."""
    return Written((yield from solved_by(game, options, None)), None)


def solved_by(game: Game, options: Options, sink: Sink | None) -> Steps[Solution]:
    """Solves the game by the engine that suits it, and writes its table if there is somewhere to."""
    if options.engine not in ENGINES:
        raise BadGame(f"no engine is called {options.engine!r}; there are {', '.join(ENGINES)}")
    if options.engine == "cuda":
        check_gpu()
    check_spread(options)
    check_sound(game, compiled=options.engine in ("compiled", "cuda", *OVER_FILES))
    if options.engine in OVER_FILES:
        from perfectplay.solve.out_of_core.disk_engine import write_spread

        header, counts = yield from write_spread(game, sink, options)
        if sink is None:
            check_solution(none_of(game), compiled=True)
        return Solution(header, counts, options.engine)
    allowed = options.memory or int(SHARE * free_memory())
    if options.engine == "plain" or (options.engine == "auto" and game.key is None):
        entries = yield from solved_plainly(game, allowed)
        return plain_solution(game, entries, sink)
    small = solved_if_small(game) if options.engine == "auto" else None
    if small is not None:
        yield Step("solving", len(small), len(small))
        return plain_solution(game, small, sink)
    if options.engine == "auto":
        check_sound(game, compiled=True)
    threads, folder = options.threads or cores(), progress_folder(game)
    if options.engine == "cuda" or (options.engine == "auto" and not options.resume and has_gpu()):
        from perfectplay.solve.gpu.gpu_engine import write_on_gpu

        try:
            header, counts = yield from write_on_gpu(game, sink, allowed, threads, folder)
            if sink is None:
                check_solution(none_of(game), compiled=True)
            return Solution(header, counts, "cuda")
        except (
            BadGame,
            NoGPU,
            TooBig,
        ):  # nothing is written yet: the processor may do, or tells more
            if options.engine == "cuda":
                raise
    from perfectplay.solve.numba_engine import write_by_kernels  # numba takes half a second to import: only when wanted

    saving = (folder, options.resume, options.saved_after)
    header, counts = yield from write_by_kernels(game, sink, allowed, threads, *saving)
    return Solution(header, counts, "compiled")


def check_spread(options: Options) -> None:
    """Raises BadWork for what only the engines over files can do, or only one of them."""
    spread = options.spread
    if options.engine not in OVER_FILES:
        for name, value in spread._asdict().items():
            if value is not None:
                raise BadWork(f"--{name} is for --engine disk and cluster, not for {options.engine}")
        return
    if spread.workdir is not None and (not spread.workdir or spread.workdir.startswith("memory:")):
        raise BadWork(f"{spread.workdir!r} is not a folder that all workers see; write its path, or a URL")
    if spread.scheduler is not None and options.engine != "cluster":
        raise BadWork("--scheduler is for --engine cluster; --engine disk starts processes here")
    if spread.scheduler is not None and spread.workers is not None:
        raise BadWork("a scheduler has its own workers; leave --workers or --scheduler out")
    if spread.scheduler is not None and spread.workdir is None:
        raise BadWork("with --scheduler, write with --workdir a folder that all its workers reach")


def check_gpu() -> None:
    """Raises NoCard if there is no GPU to solve on."""
    from perfectplay.engines.cuda import find_gpu  # numba: only when it is wanted

    find_gpu()


def has_gpu() -> bool:
    """Whether there is a GPU that is worth solving on."""
    from perfectplay.engines.cuda import find_gpu  # numba: only when it is wanted

    try:
        find_gpu(simulated=False)
    except NoGPU:
        return False
    return True


def plain_solution(game: Game, entries: dict[Position, Entry], sink: Sink | None) -> Solution:
    """The solution with these entries; writes the table if there is somewhere to."""
    counts = Counter(entries.values())
    if sink is not None:
        tabulate(game, entries, sink)
    smallest = canonical(game)
    classes = {smallest(*position) for position in entries}
    return Solution(header_for(game, entries[game.start], counts, len(classes), 0), counts, "plain")


def solved_plainly(game: Game, allowed: int) -> Steps[dict[Position, Entry]]:
    """The entry of every reachable position, by plain Python; raises TooBig if they will not fit."""
    reached = Reached(game)
    begin = time.monotonic()
    while reached.next_ply():
        expected, count = reached.expected(), len(reached.positions)
        seconds = (time.monotonic() - begin) * 2 * expected / count
        forecast = Forecast(expected, expected * PLAIN_BYTES, seconds, least=expected == count)
        if count > LOOKED_AT and forecast.memory > allowed:
            raise refuse(game, forecast, allowed)
        yield Step("forward", count, expected if expected > count else None)
    entries = solved(reached)
    yield Step("backward", len(entries), len(entries))
    return entries


def progress_folder(game: Game) -> Path:
    """Where the progress of a long solve of this game is saved."""
    return checkpoint_of(game)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS has no such call
        return os.cpu_count() or 1
