"""The supervisor as the process sees it for which it starts programs; see `process_supervisor` for its own part."""

import json
import os
import socket
import subprocess
import sys
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

from perfectplay.words import WrongSystem

START = (
    "import sys, types; package = types.ModuleType('perfectplay'); package.__path__ = [sys.argv.pop()]; "
    "sys.modules['perfectplay'] = package; from perfectplay.processes.process_supervisor import main; main()"
)
"""Runs the supervisor without what `import perfectplay` would load."""


class Supervisor:
    """The process that starts programs for this one; it ends when this object is forgotten, or this process ends."""

    alive: "weakref.ref[Supervisor] | None" = None

    def __init__(self) -> None:
        here, there = socket.socketpair()
        with there:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", START, str(there.fileno()), str(Path(__file__).parents[1])],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[there.fileno()],
                start_new_session=True,
            )
        self.socket, self.lock, self.owner = here, Lock(), os.getpid()
        self.close = weakref.finalize(self, end_supervisor, here, self.process, self.owner)

    def start(self, request: Mapping[str, object], files: Sequence[int]) -> None:
        """Starts a program; its end is reported on the control socket, the last of the files."""
        data = json.dumps(request).encode()
        data = len(data).to_bytes(4, "big") + data
        with self.lock:
            sent = socket.send_fds(self.socket, [data], files)
            self.socket.sendall(data[sent:])


def end_supervisor(to_it: socket.socket, process: "subprocess.Popen[bytes]", owner: int) -> None:
    """Ends the supervisor after all that it has started; a fork of its owner only forgets it."""
    to_it.close()
    if os.getpid() == owner:
        process.wait()


STARTING = Lock()


def supervisor() -> Supervisor:
    """The supervisor of this process, which is started if nobody has it; keep it as long as programs may be wanted.

    Raises WrongSystem where there can be none.
    """
    if not hasattr(os, "fork"):
        raise WrongSystem("bots in processes of their own need Linux or macOS")
    with STARTING:
        there = None if Supervisor.alive is None else Supervisor.alive()
        if there is None or there.owner != os.getpid() or not there.close.alive or there.process.poll() is not None:
            there = Supervisor()
            Supervisor.alive = weakref.ref(there)
        return there
