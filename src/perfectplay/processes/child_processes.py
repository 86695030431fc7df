"""Child processes: each leads a process group of its own, and the whole group ends with its parent."""

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import NoReturn

TICK = 500
"""Milliseconds between a watcher's checks that its group's leader still runs."""


def python_command(module: str) -> list[str]:
    """The command that runs `main` of a module in another Python with the same module path."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; from {module} import main; main()"]


def end_with_parent(pipe: int, grace: float = 0.0) -> None:
    """Makes this process the leader of a group that is killed `grace` seconds after the pipe's other end is closed.

    The parent holds the other end, so it closes however the parent ends, kill -9 included. A separate process
    watches: whatever this one does cannot delay it, and children of this one are killed, too.
    Call it before starting any thread.
    """
    if not hasattr(os, "fork"):  # then the reader of the pipe must end the group
        return
    with suppress(PermissionError):  # it already leads a group
        os.setsid()
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    try:
        if os.fork() == 0:  # a grandchild, so that no wait() collects it
            watch(pipe, grace)
    finally:
        os._exit(0)


def watch(pipe: int, grace: float) -> NoReturn:
    """Waits until the pipe's other end closes or the group's leader ends, then kills the group and itself."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.dup2(pipe, 0)
    os.closerange(1, os.sysconf("SC_OPEN_MAX"))  # readers of the group's output must see its end
    poll = select.poll()
    poll.register(0, 0)  # reports only a hang-up
    leader = os.getpgid(0)  # the id is not reused while the group exists
    with suppress(ProcessLookupError):
        while not poll.poll(TICK):
            os.kill(leader, 0)
        time.sleep(grace)
    os.killpg(0, signal.SIGKILL)
    os._exit(0)


def kill_group(process: "subprocess.Popen[bytes]") -> int:
    """Kills a process that was started in a session of its own, with its group; returns its exit status."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def status_text(status: int) -> str:
    """How a process ended, in words: `ended with exit code 3`, `was ended by SIGSEGV`."""
    if status >= 0:
        return f"ended with exit code {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


def begin_in_pool() -> None:
    """Prepares a process that works for another: it ends when that one does, and leaves interrupts to it."""
    from multiprocessing import parent_process  # slow to import, and rarely wanted

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None
    end_with_parent(parent.sentinel)
