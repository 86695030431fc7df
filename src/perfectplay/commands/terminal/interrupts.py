"""Ctrl-C ends the program, also while compiled code runs.

Python handles a signal between two of its own instructions, so compiled code that never returns blocks it. The
number of the signal is written to a pipe at once, and another thread reads it there. An interrupt that was raised where
Python ignores exceptions, as when an object is deleted, is repeated.
"""

import os
import signal
import sys
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread, current_thread, main_thread

from perfectplay.commands.terminal.signals import ENDING, GRACE, Ended, Ending

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
