"""Gets engines ready in the background, so that a notebook does not wait for a compiler."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from time import monotonic

from perfectplay.words import PerfectplayError

PATIENCE = 1.0
"""Seconds that answers wait for an engine after it was started: code that is on disk is loaded in about that time."""


class WarmEngine:
    """Something that gets ready in a thread of its own; `done` is called there in the end."""

    def __init__(self, work: Callable[[], object], done: Callable[[], object] = lambda: None) -> None:
        self.work, self.done, self.ready = work, done, Event()
        self.until = monotonic() + PATIENCE
        Thread(target=self.run, daemon=True, name="perfectplay engine").start()

    def run(self) -> None:
        """Does the work; what it cannot do is told when an answer is asked for."""
        with suppress(PerfectplayError):
            self.work()
        self.ready.set()
        self.done()

    def is_ready(self) -> bool:
        """Whether it is ready, or soon is."""
        return self.ready.wait(max(0.0, self.until - monotonic()))
