"""A row of the page of limits: what people wait for, what it took before, the goal, and how to measure it."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Found:
    """One measurement: a figure in the row's unit, and what else was seen."""

    value: float
    memory: int | None = None
    peer: tuple[str, float] | None = None
    note: str = ""


@dataclass(frozen=True)
class Row:
    """One thing that is measured: `measure` gets an empty folder and gives a figure in `unit`."""

    number: str
    what: str
    unit: str
    before: float | None
    goal: float
    measure: Callable[[Path], Found]
    more_is_better: bool = False

    def reached(self, value: float) -> bool:
        """Whether a figure is at least as good as the goal."""
        return value >= self.goal if self.more_is_better else value <= self.goal


@dataclass(frozen=True)
class Ran:
    """A finished command: wall seconds, CPU seconds and peak memory in bytes of it and its children, and its output."""

    seconds: float
    cpu: float
    memory: int
    output: str


def run(words: Sequence[str], home: Path, folder: Path | None = None, env: Mapping[str, str] | None = None) -> Ran:
    """Runs a command of perfectplay in a new process with its own home, as a user would, and measures it."""
    command = [sys.executable, "-m", "perfectplay", *words]
    return run_program(command, folder or home, {"PERFECTPLAY_HOME": str(home), **(env or {})})


def run_program(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> Ran:
    """Runs a program to its end and measures it; raises if it fails."""
    with tempfile.TemporaryFile() as out:
        begin = time.perf_counter()
        process = subprocess.Popen(
            list(command), cwd=folder, env={**os.environ, **env}, stdout=out, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read().decode(errors="replace")
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit {process.returncode}\n{output[-2000:]}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Ran(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * unit, output)


def least(measure: Callable[[], float], runs: int = 3) -> float:
    """The least of several figures: what a shared machine disturbs least."""
    return min(measure() for _ in range(runs))
