"""A program in a process of its own, as its manager sees it: lines to it, lines from it, and how it ended.

It is started within milliseconds, and nothing is left of it however this process ends: see `process_supervisor`.
"""

import json
import os
import select
import signal
import socket
import time
import weakref
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from perfectplay.processes.child_processes import status_text
from perfectplay.processes.process_keeper import KILL, LOOK
from perfectplay.processes.supervised_processes import Supervisor
from perfectplay.words import Cause

LONGEST_LINE = 1 << 20
"""The most bytes of a line."""
MOST_OUTPUT = 8 << 20
"""The most bytes that a program may write between two lines that are sent to it, and as many to standard error."""
MOST_LINES = 100_000
"""The most lines in the same time."""
LOOK_AFTER = 0.1
"""Seconds of waiting for a program after which its memory is looked at."""
TO_EXIT = 0.2
"""Seconds that a program has to exit once it has closed a file."""
KEPT = 2_000
"""The characters that are kept of what a program writes to standard error."""
MEMORY_WORDS = (b"MemoryError", b"bad_alloc", b"ut of memory", b"OutOfMemory", b"annot allocate memory")
"""What programs print when they get no more memory."""
TO_KILL = 10.0
"""Seconds that the kernel has to end what was killed."""


class ProgramFault(Exception):
    """A program does not do what it should; the message says what it did, after its name: `ended with exit code 3`."""

    def __init__(self, cause: Cause, text: str) -> None:
        super().__init__(text)
        self.cause = cause


class End(NamedTuple):
    """How a program ended: exit code or minus the signal, the most memory it had in KiB, and if it was too much."""

    status: int = -9
    peak: int = 0
    memory: bool = False
    killed: bool = False
    """Whether the keeper has killed it."""


class Program:
    """A running program and the lines to and from it; what it writes to standard error is captured if that is wanted.

    `memory` is in MiB. ProgramFault is raised wherever the program is found not to do its part.
    """

    def __init__(
        self,
        by: Supervisor,
        command: Sequence[str],
        memory: int,
        sandbox: bool = False,
        capture: bool = True,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.by: Supervisor | None = by
        self.memory = memory
        (stdin, self.sink), (self.source, stdout) = os.pipe(), os.pipe()
        self.errors, stderr = os.pipe() if capture else (-1, os.dup(2))
        self.control, control = socket.socketpair()
        mine = [file for file in (self.sink, self.source, self.errors) if file >= 0]
        for file in mine:
            os.set_blocking(file, False)
        self.forget = weakref.finalize(self, close_all, mine, self.control)
        request = {
            "command": list(command),
            "environment": dict(os.environ if environment is None else environment),
            "folder": os.getcwd(),
            "memory": memory,
            "sandbox": sandbox,
        }
        try:
            by.start(request, [stdin, stdout, stderr, control.fileno()])
        finally:
            for file in (stdin, stdout, stderr):
                os.close(file)
            control.close()
        self.poll = select.poll()
        for file in (*mine[1:], self.control.fileno()):
            self.poll.register(file, select.POLLIN)
        self.lines: deque[bytes] = deque()
        self.rest, self.error_text = b"", b""
        self.written, self.came = {self.source: 0, self.errors: 0}, 0
        """The bytes and lines that were read since something was last sent."""
        self.open = True
        """Whether there may be more output."""
        self.report = b""
        """The report of the keeper, as far as it has come, from the control socket."""
        self.error = ""
        self.end: End | None = None

    @property
    def ended(self) -> bool:
        """Whether the program is known to have ended."""
        return self.end is not None

    def send(self, text: bytes, deadline: float) -> None:
        """Writes to the program; its output is counted from here."""
        self.written, self.came = dict.fromkeys(self.written, 0), 0
        while text:
            try:
                text = text[os.write(self.sink, text) :]
            except BlockingIOError:  # it does not read: perhaps it waits until its own output is read
                self.pump(deadline, 0.01)
            except BrokenPipeError:
                raise self.fault_at_end("standard input") from None

    def line(self, deadline: float) -> bytes:
        """The next line that the program has written, without its end; raises TimeoutError at the deadline."""
        while not self.lines:
            if self.ended or not self.open:
                raise self.fault_at_end("standard output")
            self.pump(deadline)
        return self.lines.popleft()

    def pump(self, deadline: float, longest: float = LOOK_AFTER) -> None:
        """Takes in what the program has written, waiting for it for a while; raises TimeoutError at the deadline."""
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        ready = [file for file, _ in self.poll.poll(1_000 * min(remaining, longest))]
        if not ready:
            self.tell_keeper(LOOK)
        if self.control.fileno() in ready:
            self.hear_keeper()
            ready = [file for file in (self.source, self.errors) if file >= 0]  # it can write no more: take all
        for file in ready:
            while self.take(file) and self.ended:
                pass

    def take(self, file: int) -> bool:
        """Takes in some of what the program has written to this file; whether there may be more now."""
        try:
            more = os.read(file, 1 << 16)
        except BlockingIOError:
            return False
        if not more:
            with suppress(KeyError):
                self.poll.unregister(file)
            self.open = self.open and file != self.source
            return False
        self.written[file] += len(more)
        where, longest = "standard error", 0
        if file == self.errors:
            self.error_text += more[: max(0, 4 * KEPT - len(self.error_text))]
        else:
            *lines, self.rest = (self.rest + more).split(b"\n")
            self.lines.extend(lines)
            self.came += len(lines)
            where, longest = "standard output", max(map(len, (self.rest, *lines)))
        if longest > LONGEST_LINE:
            raise ProgramFault(Cause.FLOOD, f"wrote a line of more than {LONGEST_LINE >> 20} MiB")
        if self.came > MOST_LINES:
            raise ProgramFault(Cause.FLOOD, f"wrote more than {MOST_LINES:,} lines to {where}")
        if self.written[file] > MOST_OUTPUT:
            raise ProgramFault(Cause.FLOOD, f"wrote more than {MOST_OUTPUT >> 20} MiB to {where}")
        return True

    def tell_keeper(self, what: bytes) -> None:
        """Tells the keeper something; if it is gone, nobody minds."""
        with suppress(OSError):
            self.control.send(what)

    def hear_keeper(self) -> None:
        """Learns how the program has ended."""
        with suppress(OSError):
            self.report += self.control.recv(1 << 16)
        self.poll.unregister(self.control.fileno())
        facts = json.loads(self.report or "{}")
        self.error = facts.pop("error", "")
        self.end = End(**facts)

    def fault_at_end(self, closed: str) -> ProgramFault:
        """Why the program does not go on: how it ended, or if it has not, which of its files it has closed."""
        deadline = time.monotonic() + TO_EXIT
        with suppress(TimeoutError):
            while not self.ended:
                self.pump(deadline)
        if self.end is None:  # one that is exiting ends as it would have
            self.tell_keeper(KILL)
            self.wait_for_keeper()
        status, peak, too_much, killed = self.end or End(killed=True)
        if self.error:
            return ProgramFault(Cause.START, f"does not start: {self.error}")
        if too_much:
            return ProgramFault(Cause.MEMORY, f"took more than {self.memory:,} MiB of memory")
        if killed and status == -signal.SIGKILL:
            return ProgramFault(Cause.PIPE, f"closed its {closed}")
        text = status_text(status)
        if status and (peak > 900 * self.memory or says_memory(self.error_text)):
            return ProgramFault(Cause.MEMORY, f"ran out of memory and {text}")
        return ProgramFault(Cause.CRASH if status else Cause.EXIT, text)

    def printed(self) -> str:
        """The beginning of what the program has written to standard error since the last call."""
        if self.errors >= 0 and self.forget.alive:
            with suppress(ProgramFault):
                while self.take(self.errors):
                    pass
        text, self.error_text = self.error_text.decode(errors="replace")[:KEPT], b""
        return text

    def leave(self, farewell: bytes, grace: float) -> None:
        """Says farewell to the program and ends it if it has not ended so many seconds later."""
        deadline = time.monotonic() + grace
        with suppress(ProgramFault, TimeoutError):
            if not self.ended:
                self.send(farewell, deadline)
            while not self.ended:
                self.pump(deadline)
        self.kill()

    def kill(self) -> None:
        """Kills the program and all that it has started, waits until they have ended, and closes the files."""
        if self.forget.alive:
            if not self.ended:
                self.tell_keeper(KILL)
                self.wait_for_keeper()
            self.error_text = self.printed().encode()
            self.forget()
            self.by = None

    def wait_for_keeper(self) -> None:
        """Waits until the keeper has told that all has ended."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        if poll.poll(1_000 * TO_KILL):
            self.hear_keeper()


def close_all(files: Iterable[int], control: socket.socket) -> None:
    """Closes the files; when the control socket is closed, the program is killed."""
    for file in files:
        os.close(file)
    control.close()


def says_memory(text: bytes) -> bool:
    """Whether a program has complained about memory."""
    return any(word in text for word in MEMORY_WORDS)
