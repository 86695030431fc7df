"""The complete solution of a game, by the engine that suits it."""

import os
import time
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from perfectplay.game import Game
from perfectplay.places import data_folder
from perfectplay.solve.forecast import Forecast, free_memory, refuse
from perfectplay.solve.plain import LOOKED_AT, Reached, solved, solved_if_small
from perfectplay.solve.sound import check_sound
from perfectplay.solve.steps import Step, Steps
from perfectplay.table.file import Reader
from perfectplay.table.shelf import ENDING, file_name
from perfectplay.table.table import Table, opened, replacing, tabulate
from perfectplay.words import BadGame, Entry, Position

ENGINES = ("auto", "plain", "compiled")
SHARE = 0.8
"""How much of the free memory a solve may take."""
PLAIN_BYTES = 900
"""What plain Python takes for a position, its children and its entry."""


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
    check_sound(game, compiled=options.engine == "compiled")
    allowed = options.memory or int(SHARE * free_memory())
    if options.engine == "plain" or (options.engine == "auto" and game.key is None):
        entries = yield from solved_plainly(game, allowed)
        tabulate(game, entries, sink)
        return "plain"
    small = solved_if_small(game) if options.engine == "auto" else None
    if small is not None:
        yield Step("solving", len(small), len(small))
        tabulate(game, small, sink)
        return "plain"
    if options.engine == "auto":
        check_sound(game, compiled=True)
    from perfectplay.solve.by_kernels import write_by_kernels  # numba takes half a second to import: only when wanted

    threads, folder = options.threads or cores(), progress_folder(game)
    yield from write_by_kernels(game, sink, allowed, threads, folder, options.resume, options.saved_after)
    return "compiled"


def solved_plainly(game: Game, allowed: int) -> Steps[dict[Position, Entry]]:
    """The entry of every reachable position, by plain Python; raises TooBig if they will not fit."""
    reached = Reached(game)
    begin = time.monotonic()
    while reached.next_ply():
        expected, count = reached.expected(), len(reached.positions)
        seconds = (time.monotonic() - begin) * 2 * expected / count
        forecast = Forecast(expected, expected * PLAIN_BYTES, seconds, least=expected == count)
        if count > LOOKED_AT and forecast.memory > allowed:
            raise refuse(game, forecast, allowed)
        yield Step("forward", count, expected if expected > count else None)
    entries = solved(reached)
    yield Step("backward", len(entries), len(entries))
    return entries


def progress_folder(game: Game) -> Path:
    """Where the progress of a long solve of this game is saved."""
    return data_folder() / "progress" / file_name(game).removesuffix(ENDING)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
