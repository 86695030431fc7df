"""A worker process: takes a task a line on standard input, and answers in lines on standard output, all JSON.

It ends when its input does, whatever it is busy with: then the server is gone.
"""

import errno
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager
from queue import SimpleQueue
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from shutil import rmtree
from threading import Thread
from typing import Any, TextIO

from perfectplay.child_processes import end_with_parent
from perfectplay.front.web.allowed_names import Menu
from perfectplay.front.web.api_answers import BadRequest, Fields, RequestHandler
from perfectplay.front.web.api_tasks import TASKS
from perfectplay.front.web.downloads import export
from perfectplay.front.web.known_tables import full_truth
from perfectplay.front.web.solve_quota import size_of
from perfectplay.words import PerfectplayError, TooBig

SAVED_AFTER = 30.0
"""Seconds after which a solve begins to save its progress."""
LAST_SECONDS = 2.0
"""Seconds that are left when the server is gone."""
BETWEEN = 0.1
"""Seconds between two words on how far it has come."""


def main() -> None:
    """Answers until there is nobody to answer to."""
    end_with_parent(0, 2 * LAST_SECONDS)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a user's rules print goes to the server's terminal
    signal.signal(signal.SIGTERM, leave)
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=listen, args=(sys.stdin, lines), daemon=True).start()
    handler = RequestHandler(Menu(**json.loads(lines.get())), full_truth, at_once=False)
    while True:
        task = json.loads(lines.get())
        say(out, done(handler, out, task["task"], task["values"]))


def leave(*_: object) -> None:
    """Ends the process so that nothing half-written stays, and without a word on what was broken off."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.exit()


def listen(source: TextIO, lines: "SimpleQueue[str]") -> None:
    """Passes lines on; at their end the process ends."""
    for line in source:
        lines.put(line)
    os.kill(os.getpid(), signal.SIGTERM)  # puts away what is half-written
    time.sleep(LAST_SECONDS)
    os._exit(0)


def say(out: TextIO, fields: Fields) -> None:
    """Writes one line to the server."""
    try:
        out.write(json.dumps(fields) + "\n")
        out.flush()
    except OSError:
        os._exit(0)


def done(handler: RequestHandler, out: TextIO, task: str, values: dict[str, str]) -> Fields:
    """The answer, or what was wrong: for the client where it was the request, else for the server's terminal."""
    try:
        if task == "solve":
            return {"answer": solve(handler, out, values)}
        if task == "export":
            return {"answer": export(handler, values)}
        return {"answer": TASKS[task](handler, values)}
    except (PerfectplayError, BadRequest) as fault:
        if fault.__cause__ is not None:  # what a user's file did is told where the server runs
            return {"broken": str(fault)}
        return {"error": type(fault).__name__, "text": str(fault)}
    except OSError as fault:
        return {"error": "CannotKeep", "text": f"this cannot be kept on the server's disk: {fault.strerror}"}
    except Exception:
        return {"broken": traceback.format_exc()}


def solve(handler: RequestHandler, out: TextIO, values: dict[str, str]) -> Fields:
    """Solves a game and keeps its table; tells what it writes, and now and then how far it has come."""
    from perfectplay.solve.complete import keeping
    from perfectplay.solve.engine import Options, cores
    from perfectplay.table.table_folder import checkpoint_of, place_of

    game, room = handler.menu.game(values["game"]), int(values["room"])
    place, progress = place_of(game), checkpoint_of(game)
    say(out, {"writes": [str(place), str(progress)]})
    threads = max(1, cores() - 1)  # one is left for whoever plays meanwhile
    options = Options(threads=threads, resume=True, saved_after=SAVED_AFTER)
    said = 0.0
    try:
        with no_file_larger(room), closing(keeping(game, options)) as steps:
            while True:
                try:
                    step = next(steps)
                except StopIteration as end:
                    written: Any = end.value
                    if written.fault is not None:  # the page looks the answers up in the table
                        raise written.fault from None
                    header = written.solution.header
                    return {"game": values["game"], "positions": header.positions, "classes": header.classes}
                if time.monotonic() - said < BETWEEN:
                    continue
                said = time.monotonic()
                if size_of(progress) > room:
                    raise OSError(errno.EFBIG, "the progress of the solve")
                say(out, {"step": {"phase": step.phase, "done": step.done, "total": step.total}})
    except TooBig as fault:
        raise TooBig(str(fault).replace(", or --memory if there is more", "")) from None
    except OSError as fault:
        if fault.errno != errno.EFBIG:
            raise
        rmtree(progress, ignore_errors=True)
        raise TooBig(f"{values['game']} takes more room on the server's disk than the page may use") from None


@contextmanager
def no_file_larger(size: int) -> Iterator[None]:
    """Lets this process write no file of more bytes."""
    before, most = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, (before, most))


if __name__ == "__main__":
    main()
