"""Measures the cost of solving a layered game on disk, and extrapolates to larger games and clusters.

python bench/disk_cost.py [--record] [--exchange] [--json]

Solves games with worker processes on this machine, adds up the reports of tasks, and writes the results and the model
of bench/cluster_model.py to docs/how-to/solve-on-a-cluster.md. `--exchange` measures only what many partitions cost,
two minutes instead of fifteen, and takes the cost per position from the last record.
"""

import argparse
import json
import os
import resource
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from cluster_model import LARGE, Constants, estimate, text

from perfectplay.rules.loading import load_game
from perfectplay.solvers.engine import Options
from perfectplay.solvers.out_of_core import exchange
from perfectplay.solvers.out_of_core.chunk_files import packing
from perfectplay.solvers.out_of_core.dask_executor import OnDask
from perfectplay.solvers.out_of_core.disk_engine import plan_for
from perfectplay.solvers.out_of_core.disk_solution import LAYERED, bound, graded
from perfectplay.solvers.out_of_core.driver import Driver
from perfectplay.solvers.out_of_core.executors import Here, Processes
from perfectplay.solvers.out_of_core.task_registry import Task
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.out_of_core.worker_state import Plan, name_of
from perfectplay.solvers.steps import Step, finished

GAMES = ("drop:5,5,4", "drop:6,4,4", "drop:4,7,4", "drop:6,5,4")
"""From small to large. The last has keys of more than 31 bits and is partitioned in two steps, like large games."""
WORKERS = 2
PHASES = {
    "forward": ("begin", "grow"),
    "backward": ("settle", "answer"),
    "writing": ("survey", "deal", "share", "bind"),
}
EXCHANGES = ("bundle", "deliver")
DOCS = Path(__file__).parent.parent / "docs" / "how-to" / "solve-on-a-cluster.md"
RESULTS = Path(__file__).parent / "results" / "disk-cost.json"
BEGIN, END = "<!-- cost -->", "<!-- end of cost -->"
MANY, SMALL, SHORT = (64, 256), "drop:5,4,4", "lines:3,3,3"
"""Numbers of partitions, a game with full segments, and one whose steps are mostly opening files."""


class Cost(NamedTuple):
    """The cost of a game: canonical positions, CPU seconds and bytes per phase, steps, total seconds, bytes on disk.

    `memory` is the peak of one worker, in this game or an earlier one.
    """

    game: str
    classes: int
    cpu: dict[str, float]
    written: dict[str, int]
    steps: int
    seconds: float
    kept: int
    most: int
    memory: int


def cost_of(name: str) -> Cost:
    """Solves the game and adds up its costs."""
    game, executor = load_game(name), Processes(WORKERS)
    try:
        with TemporaryDirectory() as folder:
            workdir = Workdir(folder)
            options = Options("disk", workdir=folder, workers=WORKERS)
            driver, most = Driver(plan_for(game, workdir, options, WORKERS), workdir, executor, {}, LAYERED), 0
            commit = driver.commit

            def measured() -> None:
                nonlocal most
                most = max(most, sum(workdir.size(file) for file in workdir.names()))
                commit()

            driver.commit = measured  # type: ignore[method-assign]
            begin, sink = time.perf_counter(), BytesIO()
            solved = finished(graded(driver, game))
            finished(bound(driver, game, solved, sink, None))
            seconds = time.perf_counter() - begin
    finally:
        executor.close()
    tasks = [(step.split("-")[0], facts) for step, found in driver.log.items() for facts in found]
    cpu = {phase: sum(facts["cpu"] for act, facts in tasks if act in acts) for phase, acts in PHASES.items()}
    written = {
        phase: sum(facts.get("bytes", 0) for act, facts in tasks if act in acts) for phase, acts in PHASES.items()
    }
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    return Cost(name, solved.classes, cpu, written, len(driver.log), seconds, driver.progress.kept, most, memory)


class Exchange(NamedTuple):
    """What a forward step of P partitions costs: files opened by exchanges and receivers, and CPU seconds in all."""

    partitions: int
    combined: bool
    opened: int
    cpu: float
    index: int
    """Bytes of the index that a receiver reads."""


def solved(name: str, partitions: int, combined: bool, until: str = "") -> tuple[Driver, float]:
    """The driver of a solve in this process, without syncing files, and the seconds of joining; up to a step."""
    game = load_game(name)
    with TemporaryDirectory() as folder:
        workdir = Workdir(folder)
        plan = plan_for(game, workdir, Options("disk", workdir=folder, partitions=partitions), WORKERS)
        plan = plan if combined else plan._replace(groups=0)
        driver = Driver(plan, workdir, Here(), {}, LAYERED)
        steps = graded(driver, game)
        while until:
            next(steps)
            if until in driver.log:
                return driver, 0.0
        return driver, joining(bound(driver, game, finished(steps), BytesIO(), None))


def joining(steps: Iterator[Step]) -> float:
    """The CPU seconds of joining the table, after all other steps of writing it."""
    begin = time.process_time()
    for step in steps:
        if step.phase != "joining":
            begin = time.process_time()
    return time.process_time() - begin


def cpu_of(driver: Driver, acts: tuple[str, ...]) -> float:
    """The CPU seconds of all tasks of these kinds."""
    return sum(facts["cpu"] for step, found in driver.log.items() if step.split("-")[0] in acts for facts in found)


def exchange_of(partitions: int, combined: bool) -> Exchange:
    """One forward step of a game so small that it costs opens only."""
    driver, _ = solved(SHORT, partitions, combined, "grow-2")
    found = [facts for step, tasks in driver.log.items() if step.endswith(("sent-1", "grow-2")) for facts in tasks]
    index = 20 * (1 << driver.plan.cell_bits) * (1 if combined else partitions)
    opened, cpu = sum(facts["opened"] for facts in found), sum(facts["cpu"] for facts in found)
    return Exchange(partitions, combined, opened, cpu, index)


def copying() -> tuple[float, float]:
    """The CPU seconds of copying a byte, and of copying a range besides its bytes."""
    seconds = {}
    for segments, size in ((4, 4 << 20), (40_000, 16)):
        with TemporaryDirectory() as folder:
            plan = Plan("", "", "", "", folder, 0, 4, 2, 1)
            state: Any = SimpleNamespace(plan=plan, workdir=Workdir(folder))
            for part in range(plan.partitions):
                with packing(state.workdir, name_of("sent", 0, part)) as packer:
                    for _ in range(segments):
                        packer.add_array(np.zeros(size, np.uint8))
            begin = time.process_time()
            facts = {"what": "sent", "step": 0, "borders": [0, 1, 2, 3, 4]}
            for act in (exchange.bundle, exchange.deliver):
                for group in range(plan.groups):
                    act(state, group, facts)
            seconds[segments] = time.process_time() - begin
    per_byte = seconds[4] / (2 * 4 * 4 * (4 << 20))
    return per_byte, seconds[40_000] / (40_000 * 2 + 40_000 * 4)


def task_cost(tasks: int = 500) -> float:
    """The CPU seconds of Dask's scheduler and client, which run in this process, for a task that does nothing."""
    executor = OnDask(None, WORKERS)
    try:
        with TemporaryDirectory() as folder:
            workdir = Workdir(folder)
            plan = plan_for(load_game("tic-tac-toe"), workdir, Options("disk"), WORKERS)
            list(executor.map([Task(plan, "nothing", part, {}) for part in range(2 * WORKERS)]))
            begin = time.process_time()
            list(executor.map([Task(plan, "nothing", part, {}) for part in range(tasks)]))
            return (time.process_time() - begin) / tasks
    finally:
        executor.close()


def exchange_constants() -> tuple[dict[str, float], list[Exchange]]:
    """What many partitions cost, measured in this process."""
    os.fsync = lambda _: None  # what is counted is CPU time
    solved("drop:4,4,4", 2, False)  # compiles
    few, joined = solved(SMALL, 4, False)
    many, _ = solved(SMALL, MANY[0], True)
    extra = sum(cpu_of(many, acts) - cpu_of(few, acts) for acts in (PHASES["forward"], PHASES["backward"]))
    layers = sum(step.startswith("grow-") for step in few.log)
    classes = sum(facts["positions"] for facts in few.log["deal-0"])
    copied, ranged = copying()
    found = [exchange_of(partitions, combined) for partitions in MANY for combined in (False, True)]
    direct, combined = found[0], found[1]
    return {
        "segment": extra / (2 * layers * MANY[0] << many.plan.cell_bits),
        "copied": copied,
        "ranged": ranged,
        "task": task_cost(),
        "open": (direct.cpu - combined.cpu) / (direct.opened - combined.opened),
        "joined": joined / classes,
    }, found


def constants(costs: list[Cost], exchanged: dict[str, float]) -> Constants:
    """The constants of the model: those of the largest game, and what many partitions cost."""
    last = costs[-1]
    cpu, written = sum(last.cpu.values()) / last.classes, sum(last.written.values()) / last.classes
    sent = (last.written["forward"] + last.written["backward"] - last.kept) / last.classes
    return Constants(cpu, written, sent, last.most / last.classes, **exchanged)


def page(costs: list[Cost], exchanges: list[Exchange], measured: Constants) -> Iterator[str]:
    """The section of the page."""
    yield "## Cost"
    yield ""
    yield (
        f"Measured by `python bench/disk_cost.py --record` with {WORKERS} workers on {WORKERS} cores (Neoverse N1), "
        "for layered games. Times are CPU microseconds per canonical position. Bytes are written bytes per canonical "
        "position; each is also read once. `kept B` is on disk at the end, `peak B` at most."
    )
    yield ""
    yield (
        "| game | canonical positions | forward µs | backward µs | writing µs | forward B | backward B | writing B | "
        "kept B | peak B | steps | seconds | MB per worker |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for cost in costs:
        each = [f"{1e6 * cost.cpu[phase] / cost.classes:.2f}" for phase in PHASES]
        each += [f"{cost.written[phase] / cost.classes:.1f}" for phase in PHASES]
        each += [f"{cost.kept / cost.classes:.1f}", f"{cost.most / cost.classes:.1f}"]
        each += [f"{cost.steps}", f"{cost.seconds:.1f}", f"{cost.memory / 1e6:.0f}"]
        yield f"| `{cost.game}` | {cost.classes:,} | {' | '.join(each)} |"
    yield ""
    yield (
        f"What an exchange among many partitions costs, measured in one forward step of `{SHORT}`, which has few "
        "positions, so that nearly all of the time is opening files and reading their indexes:"
    )
    yield ""
    yield "| partitions | files | opened per step | CPU s | index bytes per receiver |"
    yield "|---|---|---|---|---|"
    for found in exchanges:
        how = "combined" if found.combined else "direct"
        yield f"| {found.partitions} | {how} | {found.opened:,} | {found.cpu:.2f} | {found.index:,} |"
    yield ""
    yield from text(measured)


def main() -> None:
    """Prints the section, or the hours for 7x6 on 100 machines as JSON, and with --record writes it to the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--exchange", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    recorded = json.loads(RESULTS.read_text(encoding="utf-8"))["costs"] if options.exchange else []
    costs = [Cost(**cost) for cost in recorded] or [cost_of(name) for name in GAMES]
    exchanged, exchanges = exchange_constants()
    measured = constants(costs, exchanged)
    if options.json:
        hours = {machines: estimate(*LARGE["7x6"], machines, measured).total() / 3600 for machines in (10, 100)}
        print(json.dumps({"hours": hours, "exchanges": [found._asdict() for found in exchanges], **measured._asdict()}))
    else:
        print("\n".join(page(costs, exchanges, measured)))
    if options.record:
        kept = {"costs": [cost._asdict() for cost in costs], "exchange": exchanged}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        section = "\n".join(page(costs, exchanges, measured))
        DOCS.write_text(f"{before}{BEGIN}\n{section}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
