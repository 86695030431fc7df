"""How long a search may take: its limits, and a number that it looks at, which a timer sets or whoever stops it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock, Timer

NODES, LIMIT, STOP = range(3)
"""Places among the numbers of a clock: nodes so far, how many there may be, and whether to stop at once."""
ENDLESS = 1 << 60
SLICE = 1 << 18
"""Nodes of a thread between two checks of the clock: a few hundredths of a second."""
MARGIN = 0.01
"""Seconds kept back for what happens around a search."""


class Limits:
    """How long a search may take, and on how many threads; without a limit it runs until it is done or stopped."""

    def __init__(self, seconds: float | None = None, nodes: int | None = None, threads: int = 1) -> None:
        self.seconds, self.nodes, self.threads = seconds, nodes, threads
        self.begin = time.monotonic()
        self.stopped = False

    def stop(self) -> None:
        """Ends the search at the next check, whatever the limits are."""
        self.stopped = True

    def budget(self) -> int:
        """The nodes to search before the next check; 0 if the limit is reached."""
        if self.stopped or (self.seconds is not None and time.monotonic() - self.begin >= self.seconds):
            return 0
        most = SLICE * self.threads
        return most if self.nodes is None else max(0, min(most, self.nodes))

    def spend(self, nodes: int) -> None:
        """Deducts nodes from the limit."""
        if self.nodes is not None:
            self.nodes -= nodes

    @property
    def set(self) -> bool:
        """Whether there is a limit."""
        return self.seconds is not None or self.nodes is not None


class StopSignal:
    """Stops running searches from another thread; while it is set, those that begin stop at once."""

    def __init__(self) -> None:
        self.is_set, self.turn = False, Lock()
        self.rings: list[Callable[[], None]] = []

    def set(self) -> None:
        """Stops the searches."""
        with self.turn:
            self.is_set = True
            for ring in self.rings:
                ring()

    def clear(self) -> None:
        """Lets searches run again."""
        self.is_set = False

    @contextmanager
    def stopping(self, ring: Callable[[], None]) -> Iterator[None]:
        """Calls the function when the signal is set meanwhile, or at once if it is set already."""
        with self.turn:
            self.rings.append(ring)
            if self.is_set:
                ring()
        try:
            yield
        finally:
            with self.turn:
                self.rings.remove(ring)


@contextmanager
def alarm_after(seconds: float | None, ring: Callable[[], None], stop: StopSignal | None = None) -> Iterator[None]:
    """Calls a function just before the seconds are over, or when the signal is set, unless this is done by then."""
    with nullcontext() if stop is None else stop.stopping(ring), timed_alarm(seconds, ring):
        yield


@contextmanager
def timed_alarm(seconds: float | None, ring: Callable[[], None]) -> Iterator[None]:
    """Calls a function just before the seconds are over, from another thread, unless this is done by then."""
    if seconds is None:
        yield
        return
    waited_for, turn = [True], Lock()

    def ring_if_waited_for() -> None:
        with turn:  # never late, when the next search has begun already
            if waited_for:
                ring()

    timer = Timer(max(0.0, seconds - MARGIN), ring_if_waited_for)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with turn:
            waited_for.clear()


class Clock:
    """The numbers, and a timer that writes into them; a signal stops its searches as well."""

    def __init__(self, signal: StopSignal | None = None) -> None:
        import numpy as np  # only when it is wanted

        self.work, self.signal = np.array([0, ENDLESS, 0]), signal
        self.before = 0
        """The nodes of earlier searches for the same move."""

    @contextmanager
    def running(self, seconds: float | None) -> Iterator[None]:
        """Limits searches to `seconds`; None sets no limit."""
        self.work[STOP] = 0
        self.allow(ENDLESS)
        self.before = 0
        with alarm_after(seconds, self.stop, self.signal):
            yield

    def allow(self, nodes: int) -> None:
        """Limits the nodes of the next search."""
        self.before += int(self.work[NODES])
        self.work[NODES], self.work[LIMIT] = 0, nodes

    def stop(self) -> None:
        """Ends the running search, from any thread."""
        self.work[STOP] = 1

    @property
    def nodes(self) -> int:
        """The nodes of all searches since the time began to run."""
        return self.before + int(self.work[NODES])

    @property
    def stopped(self) -> bool:
        """Whether the time is up."""
        return bool(self.work[STOP])

    @property
    def spent(self) -> bool:
        """Whether the last search had to end before it was done."""
        return self.stopped or bool(self.work[NODES] > self.work[LIMIT])
