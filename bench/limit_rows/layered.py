"""Rows of the page of limits: layered games, solved in memory."""

import json
import sys
from pathlib import Path

from limit_rows.row import Found, Row, run, run_program

WARM = """
import sys, tempfile, time
from pathlib import Path
from perfectplay import load
from perfectplay.compiler.compiled import load_kernels
from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.engine import cores
from perfectplay.solvers.retrograde import retrograde
from perfectplay.solvers.steps import finished
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.memory.work import Work

game = load(sys.argv[1])
checkpoints = CheckpointFolder(Path(tempfile.mkdtemp()) / "no", "", "", 1e9)
work = Work(game, load_kernels(game), ThreadPool(cores()), 1 << 60, checkpoints)
times = []
for _ in range(6):
    begin = time.perf_counter()
    solved = finished(retrograde(work, resume=False))
    times.append(time.perf_counter() - begin)
print(sum(run.keys.size for run in solved.runs) / min(times) / 1e6)
"""
"""Solves a game again and again in one process, and prints the millions of classes a second of the fastest time."""


def boards(home: Path) -> Found:
    """Five by four squares in a new installation, compilation and the final check included."""
    ran = run(["solve", "lines:5,4,4", "--engine", "numba", "--no-table", "--json"], home)
    solved = json.loads(ran.output.splitlines()[-1])
    rate = solved["classes"] / ran.seconds / 1e6
    return Found(ran.seconds, ran.memory, note=f"{rate:.1f} M classes/s, {ran.cpu:.0f} s of CPU time, all included")


def warm(home: Path) -> Found:
    """The fastest of some solves in one process."""
    command = [sys.executable, "-c", WARM, "drop:5,5,4"]
    ran = run_program(command, home, {"PERFECTPLAY_HOME": str(home)})
    return Found(float(ran.output.splitlines()[-1]), ran.memory)


ROWS: list[Row] = [
    Row("7", "`solve lines:5,4,4 --engine numba --no-table`, new installation", "s", 217, 30, boards),
    Row("8", "`drop:5,5,4`, numba engine, warm", "M classes/s", 13.8, 20, warm, more_is_better=True),
]
