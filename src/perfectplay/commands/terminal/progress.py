"""Progress with time left, on standard error, only where a person can see it."""

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from perfectplay.solvers.steps import Step

EVERY = 60.0
"""Seconds from line to line in a log."""


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
def overdue(hint: str, seconds: float) -> Iterator[Callable[[], None]]:
    """What to call whenever something comes in; the hint is printed once if nothing does for so many seconds."""
    news, ended = Event(), Event()

    def watch() -> None:
        while news.wait(seconds):
            news.clear()
            if ended.is_set():
                return
        print(f"perfectplay: {hint}", file=sys.stderr, flush=True)

    Thread(target=watch, daemon=True).start()
    try:
        yield news.set
    finally:
        ended.set()
        news.set()


def resumable(options: Namespace, saved: Callable[[], bool], what: str, again: str) -> None:
    """Says so if there is nothing to resume; if the work is interrupted, its last line will say how to resume."""
    if options.resume and not saved():
        print(f"perfectplay: no saved progress for {what}; starting from the beginning", file=sys.stderr)
    options.kept = lambda: f"progress is saved; resume with: {again} --resume" if saved() else "nothing is kept"


@contextmanager
def shown_progress(
    what: str = "positions", logged: bool = False, timed: bool = True
) -> Iterator[Callable[[Step], None] | None]:
    """What to tell of each step, shown as a bar: phase, positions, positions a second, time left.

    Where nobody sees a bar, what is `logged` gets a line now and then. Steps that are not `timed` say the time left.
    """
    if not sys.stderr.isatty():
        yield Log(what).tell if logged else None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    bar = [] if logged and console.width < 100 else [BarColumn(10 if logged else 40)]  # there is more to tell
    columns = (
        TextColumn("{task.description}"),
        *bar,
        TextColumn(f"{{task.completed:,.0f}} {what}"),
        *([TextColumn("{task.fields[speed]}"), TimeRemainingColumn()] if timed else []),
        TextColumn("{task.fields[detail]}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None, speed="", detail="")
        phase, begin = "", time.monotonic()

        def show(step: Step) -> None:
            nonlocal phase, begin
            if step.note:
                progress.console.print(step.note, highlight=False)
            if step.phase != phase:
                phase, begin = step.phase, time.monotonic()
                progress.reset(task, description=phase, total=step.total)
            rate = step.done / max(1e-3, time.monotonic() - begin)
            speed = f"{rate:,.0f}/s" if step.done else ""
            progress.update(task, completed=step.done, total=step.total, speed=speed, detail=step.detail)

        yield show


class Log:
    """Tells about steps in lines: notes at once, the rest every minute."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.last = time.monotonic()

    def tell(self, step: Step) -> None:
        """Prints what there is to tell."""
        if step.note:
            print(f"perfectplay: {step.note}", file=sys.stderr, flush=True)
        if time.monotonic() - self.last >= EVERY:
            self.last = time.monotonic()
            of = f" of {step.total:,}" if step.total else ""
            told = f"{step.phase}, {step.done:,}{of} {self.what}, {step.detail}"
            print(f"perfectplay: {told}", file=sys.stderr, flush=True)
