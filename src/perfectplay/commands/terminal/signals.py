"""Signals that ask the program to end: it ends where it is, so that nothing half-made stays."""

import os
import signal
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread, current_thread, main_thread
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GRACE = 2.0
"""Seconds in which further signals mean the same: a hasty person, a closed terminal and a shutdown send several."""
TO_EXIT = 5.0
"""Seconds that exit functions have once the program was interrupted."""

MISUSED = 2
"""The exit code for input that cannot be used."""


class Ended(KeyboardInterrupt):
    """The program was asked to end by a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def exit_code(end: KeyboardInterrupt) -> int:
    """The exit code that a shell expects of a program that ended so."""
    return 128 + (end.number if isinstance(end, Ended) else signal.SIGINT)


class Ending:
    """A signal handler that raises Ended where the program is, once for signals that follow each other soon."""

    def __init__(self) -> None:
        self.asked = -GRACE
        self.terminals = [stream for stream in (1, 2) if os.isatty(stream)]

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Takes a signal."""
        if number == signal.SIGHUP:
            abandon(self.terminals)
        if time.monotonic() - self.asked >= GRACE:
            self.asked = time.monotonic()
            raise Ended(number)


@contextmanager
def ending_by_signals() -> Iterator[None]:
    """Raises Ended where the program is when it is asked to end; signals that are ignored, as by nohup, stay so."""
    if threading.current_thread() is not threading.main_thread():  # no other hears signals
        yield
        return
    end = Ending()
    before = {number: signal.getsignal(number) for number in ENDING}
    before = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def exit_interrupted(code: int) -> None:
    """Exits without waiting for threads that may never end; further signals change nothing any more."""
    import atexit

    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    late = threading.Timer(TO_EXIT, os._exit, [code])
    late.daemon = True
    late.start()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # closed, or not there at all
            stream.flush()
    os._exit(code)


def abandon(streams: list[int]) -> None:
    """Lets what is still printed there go nowhere: the terminal is closed, and printing would fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream)
    os.close(nowhere)


# Ctrl-C ends the program, also while compiled code runs.
#
# Python handles a signal between two of its own instructions, so compiled code that never returns blocks it. The number
# of the signal is written to a pipe at once, and another thread reads it there. An interrupt that was raised where
# Python ignores exceptions, as when an object is deleted, is repeated.


TO_RETURN = 3.0
"""Seconds that compiled code has to return after Ctrl-C, so that temporary files are removed."""
SOON = 0.02
"""Seconds after which a lost interrupt is repeated."""
AGAIN = 128
"""Added to the number of a signal whose interrupt was lost."""


@contextmanager
def prompt_interrupts(
    kept: Callable[[], str],
    answers: Callable[[], bool] | None = None,
    leave: Callable[[int], object] = os._exit,
) -> Iterator[None]:
    """Leaves the program after a signal that asks it to end if the main thread does not answer it."""
    if current_thread() is not main_thread():  # only the main thread gets signals
        yield
        return
    receive, send = os.pipe()
    os.set_blocking(send, False)
    before = signal.set_wakeup_fd(send, warn_on_full_buffer=False)
    Thread(target=listen, args=(receive, kept, answers or main_thread_answers, leave), daemon=True).start()
    usual = sys.unraisablehook

    def repeat(lost: "sys.UnraisableHookArgs") -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            number = lost.exc_value.number if isinstance(lost.exc_value, Ended) else signal.SIGINT
            handler = signal.getsignal(number)
            if isinstance(handler, Ending):
                handler.asked = -GRACE
            os.write(send, bytes([AGAIN + number]))
        else:
            usual(lost)

    sys.unraisablehook = repeat
    try:
        yield
    finally:
        sys.unraisablehook = usual
        signal.set_wakeup_fd(before)
        os.close(send)


def listen(receive: int, kept: Callable[[], str], answers: Callable[[], bool], leave: Callable[[int], object]) -> None:
    """Reads signals until there can be no more."""
    while numbers := os.read(receive, 1):
        if numbers[0] > AGAIN:
            time.sleep(SOON)
            interrupt_main(signal.Signals(numbers[0] - AGAIN))
        elif numbers[0] in ENDING and not answers():
            print_interrupted(f"compiled code did not return; {text_in_time(kept)}")
            leave(128 + numbers[0])
    os.close(receive)


def text_in_time(kept: Callable[[], str]) -> str:
    """What is kept; to find it out may run rules, which may fail or not return either."""
    texts: list[str] = []

    def ask() -> None:
        with suppress(Exception):
            texts.append(kept())

    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(TO_RETURN)
    return texts[0] if texts else "what is kept is not known"


def print_interrupted(kept: str) -> None:
    """Prints the one line of an interrupted command, below the ^C of a terminal."""
    with suppress(AttributeError, OSError, ValueError):  # closed, or nobody reads it
        print("\n" * sys.stderr.isatty() + f"perfectplay: interrupted; {kept}", file=sys.stderr, flush=True)


def main_thread_answers(patience: float = TO_RETURN) -> bool:
    """Whether the main thread still runs Python code, or does so after so many seconds."""
    import ctypes  # only when it is wanted

    answered = Event()

    def answer(_: object) -> int:
        answered.set()
        return 0

    called = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(answer)
    while ctypes.pythonapi.Py_AddPendingCall(called, None) != 0 and not answered.wait(patience / 30):
        pass  # others are waiting to be called
    return answered.wait(patience)
