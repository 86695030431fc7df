"""Long work as a generator: it yields a Step now and then, to show progress, and returns its result."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from perfectplay.words import Brief

if TYPE_CHECKING:
    from perfectplay.solvers.table.summary import TierCount
    from perfectplay.solvers.worth import Study

T = TypeVar("T")


ASIDE = ("compiling", "starting", "dealing", "sharing", "writing", "joining", "reading", "checking")
"""Phases that do not count as solving."""


@dataclass(frozen=True)
class Step(metaclass=Brief):
    """The progress of the work: its phase, the positions done, and their total if known.

    `ahead` is the number of children that the next step holds at once, `note` a message to show once, and `detail` a
    text to show beside the progress bar. `tier` counts the positions of a tier that is finished. `study` is what a
    search has proven so far. Where games are played, `result()` is the result of those that have ended.
    """

    phase: str
    done: int
    total: int | None = None
    ahead: int = 0
    note: str = ""
    detail: str = ""
    tier: "TierCount | None" = None
    study: "Study | None" = None
    result: Callable[[], Any] | None = field(default=None, repr=False, compare=False)


Steps = Generator[Step, None, T]


def finished(steps: Steps[T], look: Callable[[Step], object] | None = None) -> T:
    """The result of the work; `look` sees each step."""
    with closing(steps):  # the work cleans up, whatever happens
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if look is not None:
                look(step)


class Clock:
    """Measures the time of each phase; a step marks the end of the work it reports."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.tiers: list[TierCount] = []

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
                if step.tier is not None:
                    self.tiers.append(step.tier)
                yield step

    def solving(self) -> float:
        """The seconds of all phases but compiling and writing."""
        return sum(seconds for phase, seconds in self.seconds.items() if phase not in ASIDE)
