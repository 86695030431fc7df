"""Measures solving on disk, with local processes and with Dask, compared with the engine that works in memory.

python bench/out_of_core.py [--record] [--rounds 2] [GAME ...]

Each solve runs in a separate process, the engines in turn, and the minimum of each counts. CPU time is that of all
processes, including the scheduler; memory is the peak of one worker, or of the compiled engine's process.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perfectplay.rules.loading import load_game
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.engine_table import engine_by_name
from perfectplay.solvers.steps import Clock, finished

GAMES = ("drop:5,4,4", "drop:5,5,4", "drop:6,4,4", "fading:5,3")
ENGINES = ("numba", "disk", "cluster")
WORKERS = 2
FORWARD = ("forward", "gathering", "folding")
WRITING = ("dealing", "sharing", "writing", "joining")


def solve_once(game: str, engine: str, folder: Path) -> dict[str, Any]:
    """Solves the game; returns the time of each phase and the cost."""
    clock, table = Clock(), folder / "table"
    options = Options(engine, table, threads=WORKERS)
    if engine_by_name(engine).out_of_core:
        options = options._replace(workdir=str(folder / "work"), workers=WORKERS)
    begin, wrote = time.perf_counter(), []

    def watched(steps: Any) -> Any:
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value
            wrote.append(step.detail)
            yield step

    found = finished(watched(clock.timed(solving(load_game(game), options))))
    seconds = time.perf_counter() - begin
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "classes": found.header.classes,
        "phases": clock.seconds,
        "seconds": seconds,
        "cpu": own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime,
        "memory": (others if engine_by_name(engine).out_of_core else own).ru_maxrss << 10,
        "written": next((detail for detail in reversed(wrote) if detail), ""),
        "hash": sha256(table.read_bytes()).hexdigest(),
    }


def in_a_process(game: str, engine: str) -> dict[str, Any]:
    """The same, in a separate process."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, __file__, "--once", engine, folder, game], check=True, stdout=subprocess.PIPE, text=True
        )
    return dict(json.loads(done.stdout))


def rows(games: list[str], rounds: int) -> list[str]:
    """One line per game and engine."""
    lines = [
        "| game | classes | engine | forward s | 10^6 classes/s | backward s | writing s | CPU s | to disk | MB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for game in games:
        found: dict[str, list[dict[str, Any]]] = {engine: [] for engine in ENGINES}
        for _ in range(rounds):
            for engine in ENGINES:
                found[engine].append(in_a_process(game, engine))
        if len({one["hash"] for each in found.values() for one in each}) != 1:
            raise SystemExit(f"{game}: tables differ")
        disk = min(one["cpu"] for one in found["disk"])
        for engine, each in found.items():
            best = min(each, key=lambda one: one["seconds"])
            phases, cpu = best["phases"], min(one["cpu"] for one in each)
            forward = sum(phases.get(phase, 0.0) for phase in FORWARD)
            backward = phases.get("backward", 0.0) + phases.get("linking", 0.0) + phases.get("counting", 0.0)
            cells = (
                f"`{game}`",
                f"{best['classes']:,}",
                engine,
                f"{forward:.2f}",
                f"{best['classes'] / forward / 1e6:.2f}",
                f"{backward:.2f}",
                f"{sum(phases.get(phase, 0.0) for phase in WRITING):.2f}",
                f"{cpu:.1f}",
                f"{cpu / disk:.2f}",
                f"{max(one['memory'] for one in each) / 1e6:.0f}",
            )
            lines.append(f"| {' | '.join(cells)} |")
            print(lines[-1], " ", best["written"], flush=True)
    return lines


def main() -> None:
    """Prints the table, and with --record writes it to its file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--once", nargs=2, metavar=("ENGINE", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        engine, folder = options.once
        print(json.dumps(solve_once(options.games[0], engine, Path(folder))))
        return
    lines = rows(options.games, options.rounds)
    if options.record:
        head = (
            "# On disk\n\nMeasured by `python bench/out_of_core.py --record`, "
            f"{WORKERS} workers on {WORKERS} cores; `to disk` is the CPU time against that of the engine `disk`. "
            "All tables of a game have the same bytes.\n\n"
        )
        (Path(__file__).parent / "results" / "spread.md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
