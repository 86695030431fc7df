"""Long work as a generator: it yields a Step now and then, for whoever shows progress, and returns its result."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import NamedTuple, TypeVar

T = TypeVar("T")


ASIDE = ("compiling", "starting", "dealing", "sharing", "writing", "joining")
"""Phases that are not solving."""


class Step(NamedTuple):
    """How far the work has come: what it does now, how many positions are done, and of how many if that is known.

    `ahead` is the number of children that the next step will write down, `note` something to tell a person once, and
    `detail` what to show beside the bar.
    """

    phase: str
    done: int
    total: int | None = None
    ahead: int = 0
    note: str = ""
    detail: str = ""


Steps = Generator[Step, None, T]


def finished(steps: Steps[T], look: Callable[[Step], object] | None = None) -> T:
    """The result of the work, its steps unseen or shown to whoever looks."""
    with closing(steps):  # whatever happens, the work puts away what it has begun
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if look is not None:
                look(step)


class Clock:
    """Measures how long each phase takes; a step counts as the end of what it tells about."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def timed(self, steps: Steps[T]) -> Steps[T]:
        """The same steps."""
        with closing(steps):
            while True:
                begin = time.perf_counter()
                try:
                    step = next(steps)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                self.seconds[step.phase] = self.seconds.get(step.phase, 0.0) + time.perf_counter() - begin
                yield step

    def solving(self) -> float:
        """The seconds of all phases but compiling and writing."""
        return sum(seconds for phase, seconds in self.seconds.items() if phase not in ASIDE)
