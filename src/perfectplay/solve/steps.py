"""Long work as a generator: it yields a Step now and then, for whoever shows progress, and returns its result."""

from collections.abc import Generator
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Step(NamedTuple):
    """How far the work has come: what it does now, how many positions are done, and of how many if that is known.

    `ahead` is the number of children that the next step will write down, and `note` something to tell a person.
    """

    phase: str
    done: int
    total: int | None = None
    ahead: int = 0
    note: str = ""


Steps = Generator[Step, None, T]


def finished(steps: Steps[T]) -> T:
    """The result of the work, its steps unseen."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
