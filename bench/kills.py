"""Kills workers and drivers of a solve on disk at random moments, and checks what is left.

python bench/kills.py [--record] [--kills 20] [--seed 1] [--partitions N] [GAME]

Half of the solves use processes, half Dask; of each, half lose a worker and half their driver, which is then
restarted. Every table must equal the compiled engine's byte for byte, no step may run twice except the interrupted
one, and no process may be left. Only processes started here are killed, by their id.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from perfectplay.rules.loading import load_game
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.out_of_core.driver import Driver
from perfectplay.solvers.steps import finished

WORKERS = 2
PATIENCE = 10.0
"""Seconds after which no process may be left."""


def drive(game: str, engine: str, folder: Path, resume: bool, partitions: int | None) -> None:
    """Solves the game, and prints every step that it runs."""
    run = Driver.run

    def noted(self: Driver, act: str, number: int, tasks: list[object]) -> object:
        print(f"{self.kind} {act} {number}", flush=True)
        return run(self, act, number, tasks)  # type: ignore[arg-type]

    Driver.run = noted  # type: ignore[assignment, method-assign]
    options = Options(engine, folder / "table", resume=resume, workdir=str(folder / "work"), workers=WORKERS)
    finished(solving(load_game(game), options._replace(partitions=partitions)))


def started(game: str, engine: str, folder: Path, resume: bool, partitions: int | None = None) -> subprocess.Popen[str]:
    """The same, in a separate process."""
    command = [sys.executable, __file__, game, "--drive", engine, str(folder), str(int(resume))]
    command += [] if partitions is None else ["--partitions", str(partitions)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def children(process: int) -> Iterator[int]:
    """The descendants of this process."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == process:
                yield int(stat.parent.name)
                yield from children(int(stat.parent.name))
        except (OSError, ValueError):
            continue


def is_worker(process: int) -> bool:
    """Whether the process runs tasks."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return False
    return "task_worker" in command or "spawn_main" in command


def left_after(processes: list[int]) -> float:
    """The seconds until none of the processes is left."""
    begin = time.monotonic()
    while any(Path(f"/proc/{process}").exists() for process in processes):
        if time.monotonic() - begin > PATIENCE:
            raise SystemExit(f"processes are left after {PATIENCE:.0f} s: {processes}")
        time.sleep(0.02)
    return time.monotonic() - begin


def broken(game: str, engine: str, victim: str, delay: float, rng: Random, partitions: int | None) -> tuple[bytes, str]:
    """The table of a solve in which a process is killed after a delay, and what happened."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        process = started(game, engine, folder, False, partitions)
        time.sleep(delay)
        below = list(children(process.pid))
        workers = [child for child in below if is_worker(child)]
        if victim == "driver" or not workers:
            process.kill()
            first = process.communicate()[0].splitlines()
            gone = left_after(below)
            if (folder / "table").exists():  # it was finished, and nothing was killed
                return broken(game, engine, victim, delay / 2, rng, partitions)
            again = started(game, engine, folder, True, partitions)
            second = again.communicate()[0].splitlines()
            redone = set(first) & set(second)
            if len(redone) > 1 or again.returncode:
                raise SystemExit(f"steps were done twice: {sorted(redone)}, {again.returncode}")
            where = first[-1] if first else "starting"
            told = f"driver in `{where}`, gone after {gone:.1f} s, {len(redone)} step done again"
        else:
            os.kill(rng.choice(workers), signal.SIGKILL)
            first = process.communicate()[0].splitlines()
            if process.returncode or len(set(first)) != len(first):
                raise SystemExit(f"a worker's end was not survived: {process.returncode}")
            told = f"worker after {delay:.1f} s, gone after {left_after(below):.1f} s"
        return (folder / "table").read_bytes(), told


def main() -> None:
    """Kills, and prints what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="drop:5,4,4")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--partitions", type=int)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--drive", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.drive:
        engine, folder, resume = options.drive
        drive(options.game, engine, Path(folder), bool(int(resume)), options.partitions)
        return
    rng = Random(options.seed)
    lines = []
    with TemporaryDirectory() as name:
        path = Path(name) / "table"
        finished(solving(load_game(options.game), Options("numba", path)))
        right = path.read_bytes()
    seconds = {}
    for engine in ("disk", "cluster"):
        with TemporaryDirectory() as name:
            begin = time.monotonic()
            started(options.game, engine, Path(name), False, options.partitions).communicate()
            seconds[engine] = time.monotonic() - begin
    for number in range(options.kills):
        engine, victim = ("disk", "cluster")[number % 2], ("worker", "driver")[number // 2 % 2]
        delay = rng.uniform(0.1, 0.95) * seconds[engine]
        table, told = broken(options.game, engine, victim, delay, rng, options.partitions)
        if table != right:
            raise SystemExit(f"{engine}, {told}: the table is another")
        lines.append(f"| {number + 1} | {engine} | {told} |")
        print(lines[-1], flush=True)
    if options.record:
        head = (
            f"# Kills\n\nMeasured by `python bench/kills.py --record --seed {options.seed}` on `{options.game}`, "
            f"{WORKERS} workers, {options.partitions or 2 * WORKERS} partitions: "
            f"{options.kills} of {options.kills} tables have the bytes of the compiled engine's.\n\n"
            "| | engine | killed |\n|---|---|---|\n"
        )
        (Path(__file__).parent / "results" / "kills.md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
