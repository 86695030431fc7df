"""Signals that ask the program to end: it ends as by Ctrl-C, so that nothing half-made stays."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = ("SIGTERM", "SIGHUP")
GRACE = 2.0
"""Seconds in which further signals mean the same: a closed terminal and a shutdown send several at once."""


class Ended(KeyboardInterrupt):
    """The program was asked to end by a signal; what ends by Ctrl-C ends by this as well."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def exit_code(end: KeyboardInterrupt) -> int:
    """The exit code that a shell expects of a program that ended so."""
    return 128 + (end.number if isinstance(end, Ended) else signal.SIGINT)


@contextmanager
def ending_by_signals() -> Iterator[None]:
    """Raises Ended where the program is when it is asked to end; signals that are ignored, as by nohup, stay so."""
    if threading.current_thread() is not threading.main_thread():  # no other hears signals
        yield
        return
    asked = -GRACE
    terminals = [stream for stream in (1, 2) if os.isatty(stream)]

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if time.monotonic() - asked < GRACE:
            return
        asked = time.monotonic()
        if number == signal.SIGHUP:
            abandon(terminals)
        raise Ended(number)

    before = {number: signal.getsignal(number) for number in map(signal.Signals.__getitem__, ENDING)}
    before = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def abandon(streams: list[int]) -> None:
    """Lets what is still printed there go nowhere: the terminal is closed, and printing would fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream)
    os.close(nowhere)
