"""Rows of the page of limits: the tests."""

import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from limit_rows.row import Found, Row, run_program

ROOT = Path(__file__).parents[2]


class Run(NamedTuple):
    """One `make test`: minutes of everything, minutes of CPU time of pytest, and what was seen."""

    minutes: float
    cpu_minutes: float
    note: str


@cache
def runs() -> tuple[Run, Run]:
    """The first `make test` in a fresh clone, and the second one, where all is installed and compiled."""
    with tempfile.TemporaryDirectory(prefix="perfectplay-tests-") as folder:
        clone = Path(folder) / "perfectplay"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        return make_test(clone), make_test(clone)


def make_test(clone: Path) -> Run:
    """`make test` in two parts, so that the CPU time of pytest is known."""
    checks = run_program(["make", "-s", "checks"], clone, {})
    tests = run_program(["make", "-s", "pytest"], clone, {})
    passed = re.search(r"(\d+) passed", tests.output)
    busy = tests.cpu / tests.seconds / (os.cpu_count() or 1)
    number = passed[1] if passed else "?"
    note = f"{number} tests in {tests.seconds / 60:.1f} minutes, cores busy {busy:.0%} of the time"
    return Run((checks.seconds + tests.seconds) / 60, tests.cpu / 60, note)


def minutes(run: int) -> Callable[[Path], Found]:
    """Measures the minutes of everything, in the first run or in the second."""
    return lambda _: Found(runs()[run].minutes, note=runs()[run].note)


def cpu_minutes(run: int) -> Callable[[Path], Found]:
    """Measures the minutes of CPU time that pytest and its children take, in the first run or in the second."""
    return lambda _: Found(runs()[run].cpu_minutes)


ROWS = [
    Row("19a", "`make test` in a fresh clone", "minutes", 22.5, 10, minutes(0)),
    Row("19b", "`make test` again", "minutes", 17.3, 6, minutes(1)),
    Row("19c", "its pytest in a fresh clone", "CPU minutes", 33, 12, cpu_minutes(0)),
    Row("19d", "its pytest, compiled code kept", "CPU minutes", 31.2, 9, cpu_minutes(1)),
]
