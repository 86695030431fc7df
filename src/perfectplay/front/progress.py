"""Progress with time left, on standard error, only where a person can see it."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from perfectplay.solve.steps import Steps, finished

T = TypeVar("T")


def one(item: object) -> int:
    """What an item moves the bar on by, if nothing else is said."""
    return 1


def track(items: Iterable[T], total: int, what: str, worth: Callable[[T], int] = one) -> Iterator[T]:
    """The items, each of which moves the bar on by its worth."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            yield item
            progress.advance(task, worth(item))


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Shows what is being waited for, where nothing can be said about how long."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def resumable(progress: Path, what: str, resume: bool, again: str) -> Iterator[None]:
    """Says so if there is nothing to resume, and how to go on if the work is broken off."""
    if resume and not progress.exists():
        print(f"perfectplay: no progress of {what} was saved; starts anew", file=sys.stderr)
    try:
        yield
    except KeyboardInterrupt:
        if progress.exists():
            print(f"\nperfectplay: broken off; {again} --resume goes on", file=sys.stderr)
        raise


def watch(steps: Steps[T], what: str = "positions") -> T:
    """The result of the work, its steps shown as a bar: phase, positions, positions a second, time left."""
    if not sys.stderr.isatty():
        return finished(steps)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(f"{{task.completed:,.0f}} {what}"),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
    )
    with closing(steps), Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None, speed="")
        phase, begin = "", time.monotonic()
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if step.note:
                progress.console.print(step.note, highlight=False)
            if step.phase != phase:
                phase, begin = step.phase, time.monotonic()
                progress.reset(task, description=phase, total=step.total)
            rate = step.done / max(1e-3, time.monotonic() - begin)
            progress.update(task, completed=step.done, total=step.total, speed=f"{rate:,.0f}/s" if step.done else "")
