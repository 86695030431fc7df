"""Signals that ask the program to end: it ends where it is, so that nothing half-made stays."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GRACE = 2.0
"""Seconds in which further signals mean the same: a hasty person, a closed terminal and a shutdown send several."""
TO_EXIT = 5.0
"""Seconds that exit functions have once the program was interrupted."""

MISUSED = 2
"""The exit code for input that cannot be used."""


class Ended(KeyboardInterrupt):
    """The program was asked to end by a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def exit_code(end: KeyboardInterrupt) -> int:
    """The exit code that a shell expects of a program that ended so."""
    return 128 + (end.number if isinstance(end, Ended) else signal.SIGINT)


class Ending:
    """A signal handler that raises Ended where the program is, once for signals that follow each other soon."""

    def __init__(self) -> None:
        self.asked = -GRACE
        self.terminals = [stream for stream in (1, 2) if os.isatty(stream)]

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Takes a signal."""
        if number == signal.SIGHUP:
            abandon(self.terminals)
        if time.monotonic() - self.asked >= GRACE:
            self.asked = time.monotonic()
            raise Ended(number)


@contextmanager
def ending_by_signals() -> Iterator[None]:
    """Raises Ended where the program is when it is asked to end; signals that are ignored, as by nohup, stay so."""
    if threading.current_thread() is not threading.main_thread():  # no other hears signals
        yield
        return
    end = Ending()
    before = {number: signal.getsignal(number) for number in ENDING}
    before = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def exit_interrupted(code: int) -> None:
    """Exits without waiting for threads that may never end; further signals change nothing any more."""
    import atexit

    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    late = threading.Timer(TO_EXIT, os._exit, [code])
    late.daemon = True
    late.start()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # closed, or not there at all
            stream.flush()
    os._exit(code)


def abandon(streams: list[int]) -> None:
    """Lets what is still printed there go nowhere: the terminal is closed, and printing would fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream)
    os.close(nowhere)
