"""The complete solution of a game, by the engine that suits it."""

import os
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from perfectplay.game import Game
from perfectplay.places import data_folder
from perfectplay.solve.forecast import free_memory
from perfectplay.solve.plain import solved_if_small, solved_positions
from perfectplay.solve.steps import Step, Steps
from perfectplay.source import fingerprint
from perfectplay.table.file import Reader
from perfectplay.table.shelf import ENDING, file_name
from perfectplay.table.table import Table, header_for, opened, replacing, tabulate
from perfectplay.words import BadGame

ENGINES = ("auto", "plain", "compiled")
SHARE = 0.8
"""How much of the free memory a solve may take."""


class Options(NamedTuple):
    """How to solve: by which engine, to which file or to memory, with how much memory and how many threads.

    After `saved_after` seconds a solve begins to save its progress, and with `resume` it goes on from there.
    """

    engine: str = "auto"
    path: Path | None = None
    memory: int | None = None
    threads: int | None = None
    resume: bool = False
    saved_after: float = 60.0


def solving(game: Game, options: Options) -> Steps[Table]:
    """The table of the game, in steps; raises TooBig if it will not fit."""
    if options.engine not in ENGINES:
        raise BadGame(f"no engine is called {options.engine!r}; there are {', '.join(ENGINES)}")
    if options.path is None:
        sink = BytesIO()
        engine = yield from write_table(game, options, sink)
        return Table(game, Reader(sink.getvalue(), f"the table of {game.name}"), engine)
    with replacing(options.path) as file:
        engine = yield from write_table(game, options, file)
    table = opened(options.path, game)
    table.engine = engine
    return table


def write_table(game: Game, options: Options, sink: BinaryIO) -> Steps[str]:
    """Solves the game and writes its table; the engine that did it."""
    if options.engine != "compiled":
        yield Step("solving", 0)
        always = options.engine == "plain" or game.key is None
        entries = solved_positions(game) if always else solved_if_small(game)
        if entries is not None:
            tabulate(game, entries, sink)
            return "plain"
    from perfectplay.engines.compiled import load_kernels  # numba takes half a second to import: only when wanted
    from perfectplay.solve.crew import Crew
    from perfectplay.solve.packing import write_solution
    from perfectplay.solve.retrograde import Work, retrograde
    from perfectplay.solve.saved import Saved

    saved = Saved(progress_folder(game), fingerprint(game), options.saved_after)
    allowed = options.memory or int(SHARE * free_memory())
    yield Step("compiling", 0)
    work = Work(game, load_kernels(game), Crew(options.threads or cores()), allowed, saved)
    solved = yield from retrograde(work, options.resume)
    classes = sum(run.keys.size for run in solved.runs)
    greatest = max(int(run.keys[-1]) for run in solved.runs)
    header = header_for(game, solved.start, solved.counts, classes, greatest)
    yield from write_solution(work.crew, solved, header, sink)
    saved.forget()
    return "compiled"


def progress_folder(game: Game) -> Path:
    """Where the progress of a long solve of this game is saved."""
    return data_folder() / "progress" / file_name(game).removesuffix(ENDING)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
