"""A worker process: reads tasks from standard input and writes answers to standard output, a JSON object a line.

It ends with its input, whatever it is doing: then the server is gone.
"""

import errno
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from shutil import rmtree
from typing import Any

from perfectplay.exports.page.game_data import Fields
from perfectplay.game import Game
from perfectplay.processes.folders import data_folder, free_at
from perfectplay.processes.json_processes import JsonParent
from perfectplay.rules.loading import NeverReturns
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import RequestHandler, export, get_ready
from perfectplay.server.api_tasks import TASKS
from perfectplay.server.catalogue import check, limited
from perfectplay.server.game_faults import fault_line
from perfectplay.server.parameters import BadRequest, Values
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.oracle import Oracle, SearchOracle, table_oracle
from perfectplay.solvers.table.table_folder import book_of
from perfectplay.words import PerfectplayError, TooBig

SAVED_AFTER = 30.0
"""Seconds after which a solve starts to write checkpoints."""
LAST_SECONDS = 2.0
"""Seconds to exit when the server is gone."""
BETWEEN = 0.1
"""Seconds between two progress messages."""


def main() -> None:
    """Answers tasks until the server is gone."""
    parent = JsonParent(at_end=terminate, grace=2 * LAST_SECONDS)
    signal.signal(signal.SIGTERM, leave)
    handler = RequestHandler(AllowedNames(**parent.receive()), oracle_here)
    while True:
        task = parent.receive()
        parent.send(done(handler, parent, task["task"], task["values"]))


def oracle_here(game: Game) -> Oracle:
    """What is known of a game by its table, which is made of a small one, else by its book and by search."""
    return table_oracle(game, worth_keeping=0) or SearchOracle(game, book=kept_book(game))


kept_book = lru_cache(maxsize=8)(book_of)
"""The book of a game, kept open."""


def leave(*_: object) -> None:
    """Exits so that nothing half-written stays, and without a word on what was interrupted."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.exit()


def terminate() -> None:
    """Makes the main thread leave, and gives it some time to do so."""
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_SECONDS)


def done(handler: RequestHandler, parent: JsonParent, task: str, values: Values) -> Fields:
    """The answer, or an error: for the client if the request is wrong, else for the server's terminal."""
    hangs = NeverReturns.__name__
    with limited(
        handler.allowed, values.get("game", ""), lambda text: parent.send({"error": hangs, "text": text})
    ) as limit:
        try:
            return {"answer": answer_to(handler, parent, task, values)}
        except (PerfectplayError, BadRequest) as fault:
            if fault.__cause__ is not None:  # details of a user's file are shown where the server runs
                return {"broken": str(fault), "line": str(fault)}
            return {"error": (NeverReturns if limit and limit.exceeded else type(fault)).__name__, "text": str(fault)}
        except OSError as fault:
            return {"error": "CannotKeep", "text": f"the server's disk cannot keep this: {fault.strerror}"}
        except Exception as fault:
            return {"broken": traceback.format_exc(), "line": fault_line(fault, handler.allowed)}


def answer_to(handler: RequestHandler, parent: JsonParent, task: str, values: Values) -> Fields:
    """The answer to a task."""
    if task == "solve":
        return solve(handler, parent, values)
    if task == "ready":
        return get_ready(handler, values)
    if task == "export":
        return export(handler, values)
    if task == "check":
        return check(handler, values, parent.send)
    return TASKS[task].answer(handler, values)


def solve(handler: RequestHandler, parent: JsonParent, values: Values) -> Fields:
    """Solves a game and keeps its table; sends what it writes, and its progress."""
    from perfectplay.solvers.complete import solving_to_folder
    from perfectplay.solvers.engine import Options, cores
    from perfectplay.solvers.table.table_folder import checkpoint_of, table_path

    game, room = handler.allowed.game(values["game"]), int(values["room"])
    place, progress = table_path(game), checkpoint_of(game)
    parent.send({"writes": [str(place), str(progress)]})
    threads = max(1, cores() - 1)  # one is left for players
    options = Options(threads=threads, resume=True, save_after=SAVED_AFTER)
    said = 0.0
    try:
        with no_file_larger(room), closing(solving_to_folder(game, options)) as steps:
            while True:
                try:
                    step = next(steps)
                except StopIteration as end:
                    written: Any = end.value
                    if written.fault is not None:  # the page answers from the table
                        raise written.fault from None
                    header = written.solution.header
                    return {"game": values["game"], "positions": header.positions, "classes": header.classes}
                if time.monotonic() - said < BETWEEN:
                    continue
                said = time.monotonic()
                if size_of(progress) > room:
                    raise OSError(errno.EFBIG, "the progress of the solve")
                parent.send({"step": {"phase": step.phase, "done": step.done, "total": step.total}})
    except TooBig as fault:
        needs = f"Too big to solve here: it would need about {fault.needs} of memory."
        raise TooBig(needs if fault.needs else str(fault).partition("; ")[0]) from None
    except OSError as fault:
        if fault.errno != errno.EFBIG:
            raise
        rmtree(progress, ignore_errors=True)
        raise TooBig(f"{values['game']} takes more room on the server's disk than the page may use") from None


@contextmanager
def no_file_larger(size: int) -> Iterator[None]:
    """Limits the size of files that this process writes."""
    before, most = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, (before, most))


# The disk space that solves from the page may take.


DISK = 4 << 30
"""Bytes of tables solved from the page, at most."""
RESERVE = 512 << 20
"""Bytes of disk that stay free."""


class NoRoom(Exception):
    """There is no room for another table."""


class Quota:
    """What was solved from the page since the server started, and the bytes that it may take."""

    def __init__(self, disk: int = DISK) -> None:
        self.disk = disk
        self.kept: set[Path] = set()
        """Files and folders that solves have written."""

    def room(self) -> int:
        """The bytes that may still be written; raises NoRoom if there are none."""
        left = self.disk - sum(map(size_of, self.kept))
        if left <= 0:
            most = in_bytes(self.disk)
            raise NoRoom(f"what is solved from the page may take {most} of disk, and it does")
        free = free_at(data_folder()) - RESERVE
        if free <= 0:
            raise NoRoom("the server's disk is nearly full")
        return min(left, free)


def size_of(path: Path) -> int:
    """The bytes of a file, or of all files below a folder; 0 if it is not there."""
    try:
        if path.is_dir():
            return sum(size_of(inside) for inside in path.iterdir())
        return path.stat().st_size
    except OSError:  # gone meanwhile
        return 0
