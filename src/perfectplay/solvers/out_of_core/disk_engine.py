"""The engines that work on disk: they choose executor and work directory, and start or resume the solve."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from perfectplay import __version__
from perfectplay.compiler.compilable import check_compiles, count_moves
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.processes.folders import data_folder
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.loading import absolute_name, load_game
from perfectplay.solvers.engine import EngineResult, Options
from perfectplay.solvers.memory.sorted_keys import kind_for
from perfectplay.solvers.out_of_core.disk_solution import LAYERED, bound, graded
from perfectplay.solvers.out_of_core.driver import FORMAT, MANIFEST, Driver, committed
from perfectplay.solvers.out_of_core.executors import Executor, Processes
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.out_of_core.worker_state import Plan, source_hash
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table import header_for
from perfectplay.solvers.table.table_file import Sink, after_table
from perfectplay.solvers.table.table_folder import label_of, rules_key
from perfectplay.solvers.validity.sample_check import no_entries
from perfectplay.solvers.validity.validation import check_sample
from perfectplay.words import BadGame, BadWork, PerfectplayError, TooBig

Workers = Callable[[Options], Executor]
"""Starts an executor."""

ARRAYS = 64 << 20
"""Default bytes of arrays in a worker's memory."""
CHILD_ARRAYS = 4
"""Arrays of keys and places that hold a child at once: generated, sorted, listed and sent."""
HELD = 192 << 20
"""Bytes for Python, numba, the code, cells and states in a worker."""
LEAST_CELL_BITS, MOST_CELL_BITS = 8, 16
CELLS_EACH = 8
"""The least number of cells in a partition."""
GROUPED = 32
"""The least number of partitions that may combine what they send."""


def solve_on_disk(game: Game, sink: Sink | None, options: Options, workers: Workers) -> Steps[EngineResult]:
    """Solves the game on disk with these workers; writes its table if there is a sink."""
    check_can_travel(game)
    folder = run_folder(game, options.workdir)
    with work_in(folder) as workdir:
        manifest = workdir.load(MANIFEST)
        if manifest is not None and not options.resume:
            raise BadWork(
                f"{workdir.root} has an interrupted solve of {game.name}; "
                "resume=True continues it; remove that folder to start from scratch"
            )
        yield Step("starting", 0)
        try:
            with closing(workers(options)) as executor:
                driver = driver_for(game, workdir, options, executor, manifest)
                solved = yield from graded(driver, game)
                if sink is not None:
                    header = yield from bound(driver, game, solved, sink, options.path)
                else:
                    header = header_for(game, solved.start, solved.counts, solved.classes, 0)
        except (BadGame, TooBig):
            if manifest is None:
                workdir.remove([MANIFEST])  # nothing to resume
            raise
    after_table(sink, partial(discard, folder))
    if sink is None:
        check_sample(no_entries(game))
    return EngineResult(header, solved.counts)


def discard(folder: str) -> None:
    """Removes the work directory of a solve that is done."""
    with work_in(folder) as workdir:
        workdir.remove([MANIFEST])


@contextmanager
def work_in(url: str) -> Iterator[Workdir]:
    """The work directory, created and locked; afterwards it holds what a solve can resume from, or is removed."""
    workdir = Workdir(url)
    workdir.prepare()
    with workdir.locked():
        try:
            yield workdir
        finally:
            if workdir.has(MANIFEST):
                workdir.sweep()
            else:
                workdir.clear()


def driver_for(
    game: Game, workdir: Workdir, options: Options, executor: Executor, manifest: dict[str, Any] | None
) -> Driver:
    """The driver of a new or resumed solve; other rules would have another folder."""
    if manifest is None:
        workdir.empty()  # a solve may have been killed while it started or cleaned up
        driver = Driver(plan_for(game, workdir, options, executor.workers), workdir, executor, {}, LAYERED)
    elif manifest["format"] != FORMAT:
        raise BadWork(
            f"{workdir.root} was written by another version of perfectplay; resume with that version, or remove it"
        )
    else:
        plan = Plan(**manifest["plan"])._replace(
            workdir=workdir.root if workdir.local else workdir.url,
            game=absolute_name(game.name),
            source=source_hash(game.name),
        )
        workdir.sweep()
        driver = Driver(plan, workdir, executor, committed(workdir, manifest["kind"]), manifest["kind"])
    driver.say(executor.note)
    return driver


def check_can_travel(game: Game) -> None:
    """Raises BadGame unless other processes can load and compile the game; raises NoFingerprint."""
    check_compiles(game)
    if game.key is None:
        raise BadGame(f"{game.name} has no {COMPILED_BITS}-bit key, which solving on disk needs; give key and unkey")
    rules = fingerprint(game)
    try:
        same = fingerprint(load_game(game.name)) == rules
    except (PerfectplayError, OSError):
        same = False
    if not same:
        raise BadGame(f"other processes cannot load {game.name!r}; write the game to a file and give its path")


def run_folder(game: Game, workdir: str | None) -> str:
    """The folder of this solve, in `workdir` or in the checkpoint folder; other rules have another."""
    name = f"{label_of(game)}-{rules_key(game)}"
    return f"{workdir.rstrip('/')}/{name}" if workdir else str(data_folder() / "progress" / "files" / name)


def has_begun(game: Game, workdir: str | None) -> bool:
    """Whether there is a solve to resume."""
    return Workdir(run_folder(game, workdir)).has(MANIFEST)


def process_pool(options: Options) -> Executor:
    """Worker processes of this machine."""
    return Processes(options.workers or options.used_threads)


def dask_workers(options: Options) -> Executor:
    """The workers of a Dask cluster, started here or already running."""
    from perfectplay.solvers.out_of_core.dask_executor import OnDask

    return OnDask(options.scheduler, options.workers or options.used_threads)


def plan_for(game: Game, workdir: Workdir, options: Options, workers: int) -> Plan:
    """The plan: how the keys are partitioned and how much a task holds in memory."""
    partitions = options.partitions or 2 * workers
    bits = min(max(LEAST_CELL_BITS, (CELLS_EACH * partitions - 1).bit_length()), MOST_CELL_BITS, game.key_bits)
    if partitions > 1 << bits:
        raise BadWork(f"{partitions:,} partitions are too many for {game.name}; use at most {1 << bits:,}")
    arrays = ARRAYS if options.memory is None else max(ARRAYS // 8, options.memory // workers - HELD)
    key_bytes = np.dtype(kind_for((1 << game.key_bits) - 1)).itemsize
    at_once = max(1, arrays // (count_moves(game) * CHILD_ARRAYS * (key_bytes + 4)))
    return Plan(
        game=absolute_name(game.name),
        source=source_hash(game.name),
        rules=fingerprint(game),
        version=__version__,
        workdir=workdir.root if workdir.local else workdir.url,
        cell_bits=bits,
        partitions=partitions,
        groups=2 * isqrt(partitions) if partitions >= GROUPED else 0,
        at_once=at_once,
    )
