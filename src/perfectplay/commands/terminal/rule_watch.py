"""Reports which rule function of a user's own file does not return, and in which position.

A thread samples the stacks of all threads, so rules run at full speed. Compiled rules have no stack to see; while they
do not return, the same rules are tried interpreted.
"""

import concurrent.futures.thread
import ctypes
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from threading import Event, Thread, get_ident, main_thread
from types import FrameType
from typing import Any

import perfectplay
from perfectplay.commands.terminal.signals import MISUSED
from perfectplay.compiler.checks.sample_positions import random_positions
from perfectplay.game import Game, canonical, legal_moves, levels
from perfectplay.rules.loading import load_game, split_path
from perfectplay.rules.rule_faults import arguments, call_texts, callers
from perfectplay.rules.rule_results import NeverReturns
from perfectplay.rules.source import hint_functions
from perfectplay.words import Position

TO_RETURN = 5.0
"""Seconds after which a rule call is reported: most take a millionth of that."""
SLOW = 60.0
"""Seconds after which running compiled code is reported if nothing wrong was found."""
LOOK = 1.0
"""Seconds between two looks."""
TRIED = 300_000
"""Positions of each kind in which rules are tried interpreted while compiled code runs."""
FACTORY = "game"
"""The function of a file that makes the game; its arguments are sizes."""
POOL = concurrent.futures.thread.__file__
PACKAGE = str(Path(perfectplay.__file__).parent)


class RuleWatch:
    """Watches whether the rules of a game's file return; `say` gets a line if they do not.

    With `stop` the call is ended by a BadGame that says the same, or, where that does not help, the program is.
    """

    def __init__(
        self,
        name: str,
        say: Callable[[str], None],
        stop: bool = False,
        leave: Callable[[int], object] = os._exit,
    ) -> None:
        self.name, self.say, self.stop, self.leave = name, say, stop, leave
        path = split_path(name)[0]
        self.file = None if path is None else str(path.resolve())
        self.calls: dict[int, tuple[FrameType, float]] = {}
        """The rule call that each thread is in, and since when."""
        self.places: dict[int, tuple[FrameType, int, float]] = {}
        """Where in the package each thread is, and since when."""
        self.told: set[str] = set()
        self.ended = False
        """Whether a call has been ended."""
        self.trial: Thread | None = None

    def look(self, now: float) -> None:
        """Looks at all threads."""
        for thread, frame in sys._current_frames().items():
            if thread != get_ident():
                self.look_at_rules(thread, frame, now)
                self.look_at_package(thread, frame, now)

    def look_at_rules(self, thread: int, frame: FrameType, now: float) -> None:
        """Tells about a rule function that has been called before and is still the same call."""
        stack = [step for step in callers(frame) if step.f_code.co_filename == self.file]
        if not stack:
            self.calls.pop(thread, None)
            return
        call, since = self.calls.get(thread, (None, now))
        if call is not stack[-1]:
            self.calls[thread] = (stack[-1], now)
        elif now - since >= TO_RETURN:
            text = f"{described(stack[-1], stack[0].f_lineno)} has not returned for {TO_RETURN:g} s"
            if self.stop and now - since < 2 * TO_RETURN:
                self.ended = True
                raise_in(thread, f"{text}; look for a loop that does not end")
            else:
                self.tell(text)
                if self.stop:
                    self.leave(MISUSED)

    def look_at_package(self, thread: int, frame: FrameType, now: float) -> None:
        """Tries the rules interpreted when the package has been calling compiled code for a while."""
        if self.stop or not is_at_work(thread, frame):
            self.places.pop(thread, None)
            return
        before, at, since = self.places.get(thread, (None, 0, now))
        if before is not frame or at != frame.f_lasti:
            self.places[thread] = (frame, frame.f_lasti, now)
            return
        if now - since >= TO_RETURN and self.trial is None:
            self.trial = Thread(target=self.try_rules, args=(keys_at_work(frame),), daemon=True)
            self.trial.start()
        if now - since >= SLOW and not self.told:
            self.tell(f"compiled rules have been at work for {SLOW:g} s without a break; interpreted, all returned")

    def tell(self, text: str) -> None:
        """Tells it, once."""
        if text not in self.told:
            self.told.add(text)
            self.say(text)

    def try_rules(self, keys: Any) -> None:
        """Calls all rule functions in many positions, first those at work; one that does not return is told about."""
        with suppress(Exception):  # whatever is wrong with the rules, whoever needs them says so
            game = load_game(self.name)
            at_work = (game.unkey(int(key)) for key in keys) if game.unkey is not None else ()
            try_in(game, at_work)
            try_in(game, (met.position for met in random_positions(game, walks=200, seed=1)))
            try_in(game, (position for level in levels(game) for position in level))


def keys_at_work(frame: FrameType) -> Any:
    """The keys of the positions that a kernel was given, if it was given some: the solvers all call them so."""
    for step in islice(callers(frame), 2):  # what calls the kernel, and who asked for that
        there = step.f_locals
        arrays = [there.get("keys"), *(getattr(value, "keys", None) for value in there.values())]
        keys: Any = next((array for array in arrays if hasattr(array, "dtype")), None)
        if keys is not None:
            part = there.get("part")
            return keys[part] if isinstance(part, slice) else keys
    return ()


def try_in(game: Game, positions: Iterable[Position]) -> None:
    """Calls all rule functions and hints in these positions, but not in too many."""
    hints, key, smallest = hint_functions(game), game.key, canonical(game)
    for position in islice(positions, TRIED):
        moves = legal_moves(game, position)
        smallest(*position)
        if key is not None:
            key(*position)
        for move in moves:  # none when the game is over: then no search asks for hints
            game.play(*position, move)
            for name, hint in hints.items():
                if hint is not None:
                    hint(*position, *((move,) if name == "order" else ()))


def is_at_work(thread: int, frame: FrameType) -> bool:
    """Whether code of the package waits for what it has called, in the main thread or in one of a pool."""
    if not frame.f_code.co_filename.startswith(PACKAGE):
        return False
    return thread == main_thread().ident or any(step.f_code.co_filename == POOL for step in callers(frame))


def described(call: FrameType, line: int) -> str:
    """The call as people read it: `outcome(3, 4) in nim.py, line 12, at X:XX./OO.`."""
    code = call.f_code
    place = f"in {Path(code.co_filename).name}, line {line},"
    if code.co_name == "<module>":
        return f"the code outside functions {place}"
    if code.co_name == FACTORY:
        return f"{FACTORY}({', '.join(map(repr, arguments(call).values()))}) {place}"
    text, where = call_texts(call)
    return f"{text} {place}{where and f' {where}'}"


def raise_in(thread: int, text: str) -> None:
    """Raises NeverReturns with the text in another thread, as soon as it runs Python code."""

    class Hangs(NeverReturns):
        """A rule function does not return."""

        def __init__(self) -> None:
            super().__init__(text)

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Hangs))


def say_how_to_end(text: str) -> None:
    """Prints the line, and what can be done."""
    print(f"perfectplay: {text}; Ctrl-C ends the program", file=sys.stderr, flush=True)


@contextmanager
def watched_rules(name: str, stop: bool, say: Callable[[str], None] = say_how_to_end) -> Iterator[RuleWatch]:
    """Watches the rules of that game if they are a user's own."""
    watch, done = RuleWatch(name, say, stop), Event()
    if watch.file is None:
        yield watch
        return

    def look() -> None:
        while not done.wait(LOOK):
            watch.look(time.monotonic())

    Thread(target=look, daemon=True).start()
    try:
        yield watch
    finally:
        done.set()
