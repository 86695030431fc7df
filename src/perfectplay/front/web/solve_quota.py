"""Limits on solving from the page: disk space, and solves per client and hour."""

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from perfectplay.folders import data_folder, free_at
from perfectplay.notation import number_of
from perfectplay.solvers.forecast import in_bytes, in_time

HOUR = 3600.0
RESERVE = 512 << 20
"""Bytes of disk that stay free."""


class SolveLimits(NamedTuple):
    """Bytes of tables solved from the page, and solves that a client may start in an hour."""

    disk: int = 4 << 30
    solves: int = 60


class NoRoom(Exception):
    """There is no room for another table."""


class TooSoon(Exception):
    """A client has started as many solves as it may; the next may start in so many `seconds`."""

    def __init__(self, solves: int, seconds: float) -> None:
        super().__init__(f"at most {number_of(solves, 'solve')} an hour; the next may start in {in_time(seconds)}")
        self.seconds = seconds


class Quota:
    """What was solved from the page since the server started."""

    def __init__(self, limits: SolveLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits, self.clock = limits, clock
        self.begun: dict[str, deque[float]] = {}
        """When each client started its solves of the last hour."""
        self.kept: set[Path] = set()
        """Files and folders that solves have written."""

    def begin(self, client: str) -> int:
        """Counts a solve of a client and returns the bytes that it may write; raises TooSoon or NoRoom."""
        room = self.room()
        now = self.clock()
        self.begun = {one: times for one, times in self.begun.items() if times[-1] > now - HOUR}
        times = self.begun.setdefault(client, deque(maxlen=self.limits.solves))
        if len(times) == self.limits.solves and times[0] > now - HOUR:
            raise TooSoon(self.limits.solves, times[0] + HOUR - now)
        times.append(now)
        return room

    def room(self) -> int:
        """The bytes that may still be written; raises NoRoom if there are none."""
        left = self.limits.disk - sum(map(size_of, self.kept))
        if left <= 0:
            most = in_bytes(self.limits.disk)
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
