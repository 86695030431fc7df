"""The time limit of a compiled search: it looks at a number that a timer sets."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer

NODES, LIMIT, STOP = range(3)
"""Places among the numbers of a clock: nodes so far, how many there may be, and whether to stop at once."""
ENDLESS = 1 << 60
MARGIN = 0.01
"""Seconds kept back for what happens around a search."""


@contextmanager
def alarm_after(seconds: float | None, ring: Callable[[], None]) -> Iterator[None]:
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
    """The numbers, and a timer that writes into them."""

    def __init__(self) -> None:
        import numpy as np  # only when it is wanted

        self.work = np.array([0, ENDLESS, 0])
        self.before = 0
        """The nodes of earlier searches for the same move."""

    @contextmanager
    def running(self, seconds: float | None) -> Iterator[None]:
        """Limits searches to `seconds`; None sets no limit."""
        self.work[STOP] = 0
        self.allow(ENDLESS)
        self.before = 0
        with alarm_after(seconds, self.stop):
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
