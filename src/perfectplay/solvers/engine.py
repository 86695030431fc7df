"""The type of an engine: one way to solve a game completely, as a value; `engine_table.py` lists them."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.solvers.forecast import free_memory
from perfectplay.solvers.memory.interpreted import Reached
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.table_file import Header, Sink
from perfectplay.words import Entry, PerfectplayError

AUTO = "auto"
"""In place of an engine's name: the first engine that suits the game."""
MEMORY_USED = 0.8
"""The fraction of the free memory that a solve may use."""


class Options(NamedTuple):
    """How to solve: the engine, the file (None: in memory), the bytes of memory and the number of threads.

    After `save_after` seconds a solve begins to write checkpoints; with `resume` it continues from the last one.
    The last four are for engines that work out of core: the folder to work in, how many worker processes and
    partitions, and the address of a Dask scheduler.
    """

    engine: str = AUTO
    path: Path | None = None
    memory: int | None = None
    threads: int | None = None
    resume: bool = False
    save_after: float = 60.0
    workdir: str | None = None
    workers: int | None = None
    partitions: int | None = None
    scheduler: str | None = None

    @property
    def allowed_memory(self) -> int:
        """The bytes of memory that the solve may use."""
        return self.memory or int(MEMORY_USED * free_memory())

    @property
    def used_threads(self) -> int:
        """The number of threads that the solve runs."""
        return self.threads or cores()


class Unsuited(Exception):
    """An engine that was not named declines the game and leaves it to the next; `fault` is the reason."""

    def __init__(self, fault: PerfectplayError) -> None:
        super().__init__(str(fault))
        self.fault = fault


class EngineResult(NamedTuple):
    """The result of an engine beside the table: its header, and the number of positions with each entry.

    An engine that interprets the rules adds all positions with their entries, and the keys of their classes in the
    table.
    """

    header: Header
    counts: Counter[Entry]
    graph: Reached | None = None
    keys: Sequence[int] = ()


class Solution(NamedTuple):
    """The result of a solve beside the table: its header, the number of positions with each entry, the engine."""

    header: Header
    counts: Counter[Entry]
    engine: str


@dataclass(frozen=True)
class Engine:
    """A way to solve a game completely and to write its table."""

    name: str
    about: str
    solve: Callable[[Game, Sink | None, Options], Steps[EngineResult]]
    """Writes the table if there is a sink; raises Unsuited only if the engine was not named."""
    has_checkpoint: Callable[[Game, Options], bool]
    """Whether there is an interrupted solve to resume."""
    check: Callable[[Options], None] = lambda options: None
    """Raises the error for what is missing: a GPU, a package, a folder."""
    suits: Callable[[Game, Options], bool] = lambda game, options: False
    """Whether `auto` tries this engine for the game."""
    compiles: bool = True
    """Whether it runs compiled rules, not interpreted ones."""
    out_of_core: bool = False
    """Whether it works on disk, with workdir, workers, partitions."""


def cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS has no such call
        return os.cpu_count() or 1
