"""Processes that a test started and that are still there, found by a mark in their environment."""

import os
import signal
import time
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from uuid import uuid4

MARK = "PERFECTPLAY_TEST"
PROCESSES = Path("/proc")
SECONDS = 10.0
"""How long processes that were told to end may take; only a bound for a test that has failed."""


@contextmanager
def processes_marked():
    """Marks the processes that are started meanwhile; gives a function that finds those that are still there."""
    mark = uuid4().hex
    before, os.environ[MARK] = os.environ.get(MARK), mark
    try:
        yield lambda: marked(mark)
    finally:
        if before is None:
            del os.environ[MARK]
        else:
            os.environ[MARK] = before


def marked(mark):
    """The processes that carry the mark, with the commands that started them; nothing where there is no /proc."""
    field, tracker = f"{MARK}={mark}".encode(), resource_tracker._resource_tracker._pid  # Python's own stays
    found = {}
    for folder in PROCESSES.glob("[0-9]*"):
        try:
            if field in (folder / "environ").read_bytes().split(b"\0") and int(folder.name) != tracker:
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
        except OSError:  # somebody else's, or just ended
            continue
    return found


def after_a_while(find):
    """What is found, once it is nothing or has had its time to end."""
    end = time.monotonic() + SECONDS
    while (found := find()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


@contextmanager
def nobody_left(what):
    """Fails if a process that was started meanwhile stays, and ends it, so that nobody else suffers from it."""
    with processes_marked() as find:
        yield
        left = after_a_while(find)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert not left, f"{what} left processes behind: {left}"
