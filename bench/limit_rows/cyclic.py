"""Rows of the page of limits: games with cycles, solved by all cores, and what is said of them beforehand."""

import time
from pathlib import Path

from limit_rows.row import Found, Row, run

from perfectplay import load
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options

DODGEM_5 = 120_004_786
"""The positions of dodgem:5."""


def solved(name: str, home: Path) -> Found:
    """The wall seconds of a solve by the numba engine in a new process, and how many cores it kept busy."""
    ran = run(["solve", name, "--engine", "numba", "--no-table"], home)
    return Found(ran.seconds, ran.memory, note=f"{ran.cpu / ran.seconds:.1f} cores busy, {ran.cpu:.0f} s of CPU time")


def solved_again(name: str, home: Path) -> Found:
    """The same with the compiled rules kept from a first run."""
    solved(name, home)
    return solved(name, home)


def forecast(_: Path) -> Found:
    """How far the first estimate of the positions of dodgem:5 is off, as a factor, and when it is made."""
    begin, steps = time.perf_counter(), solving(load("dodgem:5"), Options("numba"))
    step = next(step for step in steps if step.note.startswith("about"))
    took = time.perf_counter() - begin
    steps.close()
    assert step.total is not None
    ratio = step.total / DODGEM_5
    return Found(max(ratio, 1 / ratio), note=f"after {took:.0f} s, at {step.done:,} positions: {step.note}")


def refused(home: Path) -> Found:
    """The seconds after which a game of some 5.5 billion classes is refused."""
    begin = time.perf_counter()
    try:
        run(["solve", "fading:5,4", "--engine", "numba", "--no-table", "--memory", "4G"], home)
    except RuntimeError as fault:
        return Found(time.perf_counter() - begin, note=str(fault).strip().splitlines()[-1])
    raise AssertionError("fading:5,4 was not refused")


ROWS: list[Row] = [
    Row("5", "dodgem 5x5, 120 million positions with cycles", "s", 540, 90, lambda home: solved("dodgem:5", home)),
    Row("5a", "the first estimate of its size, off by a factor of", "", None, 2, forecast),
    Row("5b", "a game with cycles that will not fit, until it is refused", "s", None, 20, refused),
    Row("6", "`fading:5,3`, 16.4 million classes", "s", 31, 8, lambda home: solved_again("fading:5,3", home)),
]
