"""Ends a rule function of a user's own file that does not return, and says which, and in which position.

The system's timer interrupts Python once a second, so rules run at full speed. Compiled rules cannot be interrupted.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

from perfectplay.commands.terminal.signals import MISUSED
from perfectplay.rules.loading import NeverReturns, split_game
from perfectplay.rules.rule_faults import arguments, call_texts, callers

TO_RETURN = 5.0
"""Seconds that a rule call may take: most take a millionth of that."""
LOOK = 1.0
"""Seconds between two looks."""
FACTORY = "game"
"""The function of a file that makes the game; its arguments are sizes."""


class RuleLimit:
    """The time limit of the rules in one file.

    A call that exceeds it is ended by NeverReturns. If that is caught and the call still does not return, `say` gets
    the line, and the program is left.
    """

    def __init__(self, file: Path, say: Callable[[str], object], leave: Callable[[int], object] = os._exit) -> None:
        self.file, self.say, self.leave = str(file.resolve()), say, leave
        self.call: FrameType | None = None
        """The rule call that ran at the last look."""
        self.since = 0.0
        self.exceeded = False
        """Whether a call has been ended."""

    def look(self, now: float, frame: FrameType | None) -> None:
        """Compares what runs with what ran before; raises NeverReturns."""
        stack = [step for step in callers(frame) if step.f_code.co_filename == self.file] if frame else []
        if not stack:
            self.call = None
        elif self.call is not stack[-1]:
            self.call, self.since = stack[-1], now
        elif now - self.since >= 2 * TO_RETURN and self.exceeded:
            self.say(self.line(stack))
            self.leave(MISUSED)
        elif now - self.since >= TO_RETURN and not self.exceeded:
            self.exceeded = True
            raise NeverReturns(self.line(stack))

    def line(self, stack: list[FrameType]) -> str:
        """The call as people read it: `outcome(3, 4) in nim.py, line 12, at X:XX./OO. ...`."""
        code = stack[-1].f_code
        text, where, place = "", "", f"in {Path(self.file).name}, line {stack[0].f_lineno},"
        if code.co_name == "<module>":
            text = "the code outside functions"
        elif code.co_name == FACTORY:
            text = f"{FACTORY}({', '.join(map(repr, arguments(stack[-1]).values()))})"
        else:
            text, where = call_texts(stack[-1])
        ends = f"has not returned for {TO_RETURN:g} s; look for a loop that does not end"
        return f"{text} {place}{where and f' {where}'} {ends}"


def complain(text: str) -> None:
    """Prints the line."""
    print(f"perfectplay: {text}", file=sys.stderr, flush=True)


@contextmanager
def rule_limit(name: str, say: Callable[[str], object] = complain) -> Iterator[RuleLimit | None]:
    """Limits the rules of that game if they are a user's own; signals reach the main thread only."""
    path = split_game(name)[0]
    if path is None or current_thread() is not main_thread():
        yield None
        return
    limit = RuleLimit(path, say)
    before = signal.signal(signal.SIGALRM, lambda number, frame: limit.look(time.monotonic(), frame))
    signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
    try:
        yield limit
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
