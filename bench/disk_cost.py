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


def model(costs: list[Cost]) -> Iterator[str]:
    """The model, as a section of a page."""
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
    last = costs[-1]
    cpu, written = sum(last.cpu.values()) / last.classes, sum(last.written.values()) / last.classes
    yield ""
    yield (
        f"With long keys, a position takes {1e6 * cpu:.2f} µs of one core, writes {written:.0f} bytes in total and "
        f"occupies at most {last.most / last.classes:.1f} bytes of disk. With a shared work directory all of that "
        f"crosses the network. Each step waits for its slowest task, {BARRIER} s on a cluster, and each layer has "
        f"three steps. For machines with {CORES} such cores, {DISK / 1e9:.0f} GB/s of disk and {NETWORK / 1e9:.0f} "
        "GB/s of network bandwidth, this gives the following estimates; computing and I/O overlap, so the total is the "
        "larger of the two plus the waiting:"
    )
    yield ""
    yield "| connect four | canonical positions | machines | computing | I/O | waiting | total | disk per machine |"
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
        "None of these runs has been made. The bottleneck on many machines is opening files: every task opens a file "
        "of every partition, so a step opens as many files as the square of the number of partitions, of which there "
        f"are two per core. A shared file system that opens {OPENS:,} files per second spends most of the waiting time "
        "on that with 100 machines; use fewer partitions with more memory each. The 7x6 board also needs `--memory` of "
        "about 3 GiB per worker, because small chunks would have more segments than keys, and each segment takes 20 "
        "bytes in an index. Keys of larger boards lie farther apart than the measured ones, so expect about one byte "
        "more per key."
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
