"""Processes that exchange JSON, a value a line: a child as its parent sees it, and the parent as the child sees it."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

from perfectplay.processes.child_processes import end_with_parent, kill_group, python_command, status_text

POLL = 0.1
"""Seconds between two looks whether the child is still there."""
TO_EXIT = 2.0
"""Seconds that a child has to exit once it has closed its output."""


class ChildEnded(Exception):
    """The child sends nothing more; the message says how it ended."""


class LineTooLong(ValueError):
    """The child has sent a longer line than it may."""


class JsonChild:
    """A Python process that runs `main` of a module, in a process group of its own."""

    def __init__(self, module: str, longest: int, environment: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            python_command(module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env=environment,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.sink, self.source, self.longest = self.process.stdin, self.process.stdout, longest
        self.pid = self.process.pid
        self.buffer = b""

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self.process.poll() is not None

    def send(self, value: object) -> None:
        """Sends a value; if the child has ended, `receive` will tell."""
        with suppress(BrokenPipeError):
            self.sink.write((json.dumps(value) + "\n").encode())
            self.sink.flush()

    def receive(self, seconds: float | None = None) -> Any:
        """The next value; raises TimeoutError, ChildEnded, LineTooLong, or ValueError for what is no JSON."""
        deadline = None if seconds is None else time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.source, select.POLLIN)
        while not self.has_line:
            remaining = POLL if deadline is None else min(POLL, deadline - time.monotonic())
            if remaining <= 0:
                raise TimeoutError
            ended = self.ended
            if not poll.poll(0 if ended else 1_000 * remaining):
                if not ended:
                    continue  # else its output is held open by something that it has started
                raise ChildEnded(self.end_text())
            if not self.read():
                raise ChildEnded(self.end_text())
        return self.next_value()

    @property
    def has_line(self) -> bool:
        """Whether a value has been read and not been taken yet."""
        return b"\n" in self.buffer

    def next_value(self) -> Any:
        """Takes the next value that has been read."""
        line, _, self.buffer = self.buffer.partition(b"\n")
        return json.loads(line)

    def read(self) -> bool:
        """Reads some of what the child has sent, waiting if there is nothing; whether there may be more."""
        more = os.read(self.source.fileno(), 1 << 16)
        self.buffer += more
        if len(self.buffer) > self.longest:
            raise LineTooLong
        return bool(more)

    def end_text(self) -> str:
        """How the process ended, in words."""
        try:
            return status_text(self.process.wait(TO_EXIT))
        except subprocess.TimeoutExpired:
            return "closed its files"

    def terminate(self) -> None:
        """Asks the process to end."""
        self.process.terminate()

    def kill(self) -> None:
        """Kills the process and its group."""
        kill_group(self.process)

    def end(self, grace: float = 0.0) -> None:
        """Waits so many seconds for the process to end, kills its group and closes the pipes."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(grace)
        self.kill()
        for pipe in (self.sink, self.source):
            with suppress(OSError):
                pipe.close()


class JsonParent:
    """The process that started this one: values come on standard input, and answers go to what was standard output.

    Whatever else prints goes to standard error. When the input ends, whatever this process is doing, `at_end` is called
    and the process exits; its whole group is killed `grace` seconds later at the latest.
    """

    def __init__(self, at_end: Callable[[], object] = lambda: None, grace: float = 0.0) -> None:
        end_with_parent(0, grace)
        self.out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self.lines: SimpleQueue[str] = SimpleQueue()
        Thread(target=self.listen, args=(at_end,), daemon=True).start()

    def listen(self, at_end: Callable[[], object]) -> None:
        """Queues the lines of the input."""
        for line in sys.stdin:
            self.lines.put(line)
        at_end()
        os._exit(0)

    def receive(self) -> Any:
        """The next value."""
        return json.loads(self.lines.get())

    def send(self, value: object) -> None:
        """Sends a value; exits if nobody reads it."""
        try:
            self.out.write(json.dumps(value) + "\n")
            self.out.flush()
        except OSError:
            os._exit(0)
