"""Progress with time left, on standard error, only where a person can see it."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

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
