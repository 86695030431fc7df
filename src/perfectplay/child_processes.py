"""Processes that this one starts: each leads a group of its own, and the whole group ends when its parent does."""

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import NoReturn

TICK = 500
"""Milliseconds after which a watcher looks whether the leader of its group is still there."""


def python_command(module: str) -> list[str]:
    """The command that runs `main` of a module in another Python, which finds the same modules as this one."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; from {module} import main; main()"]


def end_with_parent(pipe: int, grace: float = 0.0) -> None:
    """Makes this process the leader of a group that is killed so many seconds after the pipe's other end is closed.

    The parent holds the other end, so it is closed however the parent ends, kill -9 included. A process of its own
    watches: whatever this one is busy with cannot hold it up, and what this one has started is killed, too.
    To be called before any thread is started.
    """
    if not hasattr(os, "fork"):  # then the group is left to whoever reads the pipe
        return
    with suppress(PermissionError):  # it leads a group already
        os.setsid()
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    try:
        if os.fork() == 0:  # a grandchild: nobody waits for it by mistake
            watch(pipe, grace)
    finally:
        os._exit(0)


def watch(pipe: int, grace: float) -> NoReturn:
    """Waits for the pipe's other end to be closed or for the group's leader to end, then kills the group and itself."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.dup2(pipe, 0)
    os.closerange(1, os.sysconf("SC_OPEN_MAX"))  # whoever reads what the group writes must see its end
    poll = select.poll()
    poll.register(0, 0)  # only that it is hung up
    leader = os.getpgid(0)  # no other process gets that number as long as there is the group
    with suppress(ProcessLookupError):
        while not poll.poll(TICK):
            os.kill(leader, 0)
        time.sleep(grace)
    os.killpg(0, signal.SIGKILL)
    os._exit(0)


def kill_group(process: "subprocess.Popen[bytes]") -> int:
    """Kills a process that was started in a session of its own, with its group; its exit status."""
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
