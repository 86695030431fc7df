"""Measures the cost per position of solving a layered game on disk, and extrapolates to larger games.

python bench/disk_cost.py [--record]

Solves games with worker processes on this machine, adds up the reports of tasks, writes the model to
docs/how-to/solve-on-a-cluster.md.
"""

import argparse
import resource
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from perfectplay.loading import load_game
from perfectplay.solvers.engine import Options
from perfectplay.solvers.forecast import in_bytes, in_time
from perfectplay.solvers.out_of_core.disk_engine import plan_for
from perfectplay.solvers.out_of_core.disk_solution import LAYERED, bound, graded
from perfectplay.solvers.out_of_core.driver import Driver
from perfectplay.solvers.out_of_core.executors import Processes
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.steps import finished

GAMES = ("drop:5,5,4", "drop:6,4,4", "drop:4,7,4", "drop:6,5,4")
"""From small to large. The last has keys of more than 31 bits and is partitioned in two steps, like large games."""
WORKERS = 2
PHASES = {
    "forward": ("begin", "grow"),
    "backward": ("settle", "answer"),
    "writing": ("survey", "deal", "share", "bind"),
}
DOCS = Path(__file__).parent.parent / "docs" / "how-to" / "solve-on-a-cluster.md"
BEGIN, END = "<!-- cost -->", "<!-- end of cost -->"
LARGE = {"6 by 6": (34_586_522_319, 36), "7 by 6": (2_265_994_000_000, 42)}
"""Classes, the second about half of 4,531,985,219,092 positions, and layers."""
CORES, DISK, NETWORK, BARRIER = 16, 1.0e9, 3.0e9, 0.5
"""A machine: cores like these, bytes per second to disk and network; seconds that a step waits for all workers."""
OPENS = 20_000
"""Files that a shared file system opens per second."""


class Cost(NamedTuple):
    """The cost of a game: classes, CPU seconds and bytes per phase, steps, total seconds, bytes kept, most on disk.

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


def model(costs: list[Cost]) -> Iterator[str]:
    """The model, as a section of a page."""
    yield "## What it costs"
    yield ""
    yield (
        f"Measured by `python bench/disk_cost.py --record`, {WORKERS} workers on {WORKERS} cores (Neoverse N1), "
        "layered games; for each class the CPU microseconds and the bytes written, which are read once each as well."
    )
    yield ""
    yield (
        "| game | classes | forward µs | backward µs | writing µs | forward B | backward B | writing B | "
        "kept B | most on disk B | steps | seconds | MB a worker |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for cost in costs:
        each = [f"{1e6 * cost.cpu[phase] / cost.classes:.2f}" for phase in PHASES]
        each += [f"{cost.written[phase] / cost.classes:.1f}" for phase in PHASES]
        each += [f"{cost.kept / cost.classes:.1f}", f"{cost.most / cost.classes:.1f}"]
        each += [f"{cost.steps}", f"{cost.seconds:.1f}", f"{cost.memory / 1e6:.0f}"]
        yield f"| `{cost.game}` | {cost.classes:,} | {' | '.join(each)} |"
    last = costs[-1]
    cpu, written = sum(last.cpu.values()) / last.classes, sum(last.written.values()) / last.classes
    yield ""
    yield (
        f"So with long keys a class takes {1e6 * cpu:.2f} µs of a core, writes {written:.0f} bytes in all and occupies "
        f"{last.most / last.classes:.1f} at most; on a shared work directory all of that crosses the network. A step "
        f"waits for its slowest task, {BARRIER} s on a cluster, and there are three for each level. On n machines with "
        f"{CORES} such cores, {DISK / 1e9:.0f} GB/s to disk and {NETWORK / 1e9:.0f} GB/s of network each, the larger "
        "of computing and moving, which overlap, and the waiting add up to"
    )
    yield ""
    yield "| connect four | classes | machines | computing | moving | waiting | in all | disk on each |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, (classes, levels) in LARGE.items():
        for machines in (1, 10, 100):
            computing = classes * cpu / CORES / machines
            moving = classes * written * (1 / DISK + (1 / NETWORK if machines > 1 else 1 / DISK)) / machines
            partitions = 2 * CORES * machines
            opens = partitions**2 / OPENS if machines > 1 else 0.0
            waiting = 3 * levels * (BARRIER + opens)
            cells = (
                name,
                f"{classes:,}",
                str(machines),
                in_time(computing),
                in_time(moving),
                in_time(waiting),
                in_time(max(computing, moving) + waiting),
                in_bytes(classes * last.most / last.classes / machines),
            )
            yield f"| {' | '.join(cells)} |"
    yield ""
    yield (
        "None of these was run. Where it breaks: every task opens a file of every partition, so a step opens as many "
        f"files as the square of the partitions, two for each core; at {OPENS:,} opens a second of a shared file "
        "system that is most of the waiting on 100 machines. Take fewer partitions and more memory for each then. The "
        "7 by 6 board also needs `--memory` of some 3 GiB for each worker: chunks as small as usual would make more "
        "segments, each with 20 bytes in a table, than keys. Keys of larger boards lie farther apart than those "
        "measured, so a byte more for each is likely."
    )


def main() -> None:
    """Prints the model, and with --record writes it to the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    text = "\n".join(model([cost_of(name) for name in GAMES]))
    print(text)
    if options.record:
        before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        DOCS.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
