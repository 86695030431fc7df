"""A keeper: a small process that starts one program, watches its memory and kills all that it leaves behind.

The control socket takes `m` (look at the memory now) and `k` (kill); when its other end closes, however that process
ended, the keeper kills as well, and on SIGTERM. It gives one JSON line: {"error": TEXT} if the program did not start,
else how it ended: {"status": EXIT CODE OR MINUS SIGNAL, "peak": KIB, "memory": WHETHER IT HAD TOO MUCH, "killed":
WHETHER THE KEEPER DID IT}.
"""

import json
import os
import select
import signal
import socket
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any, NoReturn

from perfectplay.processes.linux_calls import LINUX, adopt_orphans, end_after_parent
from perfectplay.processes.process_sandbox import SCRATCH, close_files, drop_powers, enter_namespaces

TICK = 1.0
"""Seconds between two looks at the memory that nobody asked for."""
MORE_PROCESSES = 1_000
"""How many processes and threads more than now the user may have, as far as the program can start them."""
LOOK, KILL = b"m", b"k"
"""What the control socket takes."""
MEBIBYTE = 1 << 20

Request = dict[str, Any]
"""command, environment, folder, memory in MiB, sandbox."""


def run_keeper(request: Request, files: list[int]) -> NoReturn:
    """Runs the program until it ends; the files are its standard input, output and error, and the control socket."""
    control = socket.socket(fileno=files.pop())
    try:
        adopt_orphans()
        if request["sandbox"]:
            go_into_sandbox()
        bell = new_bell()
        program = start_program(request, files)
        for file in files:
            os.close(file)
        answer = Keeper(program, control, bell, request).watch()
    except OSError as fault:
        answer = {"error": fault.strerror or str(fault)}
    with suppress(OSError):
        control.sendall(json.dumps(answer).encode() + b"\n")
    os._exit(0)


def go_into_sandbox() -> None:
    """Goes on as the first process of a sandbox, with whose end all in it ends; what remains outside waits for it."""
    enter_namespaces()
    first = os.fork()
    if first:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # then the first process is killed, and with it all
        os.closerange(0, 1 << 16)
        os.waitpid(first, 0)
        os._exit(0)
    end_after_parent(signal.SIGKILL)
    close_files()


def new_bell() -> int:
    """A file that the number of a signal can be read from when a child has ended, or this process is to end."""
    heard, rung = os.pipe()
    for end in (heard, rung):
        os.set_blocking(end, False)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(rung, warn_on_full_buffer=False)
    return heard


def start_program(request: Request, files: list[int]) -> int:
    """The process of the program; raises OSError if it cannot be run."""
    said, tells = os.pipe()
    program = os.fork()
    if program == 0:
        try:
            become(request, files)
        except BaseException as fault:
            os.write(tells, (getattr(fault, "strerror", None) or str(fault) or type(fault).__name__).encode())
        os._exit(127)
    os.close(tells)
    with open(said, "rb") as source:
        failure = source.read().decode()  # ends when the program runs
    if failure:
        os.waitpid(program, 0)
        raise OSError(failure)
    return program


def become(request: Request, files: list[int]) -> None:
    """Becomes the program, in a session of its own."""
    os.setsid()
    end_after_parent(signal.SIGKILL)
    for number, file in enumerate(files):
        os.dup2(file, number)
    environment = request["environment"]
    os.chdir(request["folder"])
    limit(request["memory"])
    if request["sandbox"]:
        drop_powers()
        environment = {**environment, "TMPDIR": SCRATCH}
    signal.set_wakeup_fd(-1)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGCHLD", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execvpe(request["command"][0], request["command"], environment)


def limit(memory: int) -> None:
    """Limits what the program can do to the machine, as far as the system knows such limits."""
    import resource  # not on every system

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):
        bound = 2 * memory * MEBIBYTE  # the first resort is to look at what is used; this stops a single leap
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (bound if hard < 0 else min(bound, hard), hard))
    with suppress(OSError, ValueError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("900")  # when memory runs out, this is what goes
    with suppress(OSError, ValueError):
        with open("/proc/loadavg") as file:
            there = int(file.read().split()[3].partition("/")[2])
        soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        bound = there + MORE_PROCESSES
        resource.setrlimit(resource.RLIMIT_NPROC, (bound if soft < 0 else min(bound, soft), hard))


class Keeper:
    """The keeper of a running program."""

    def __init__(self, program: int, control: socket.socket, bell: int, request: Request) -> None:
        self.program, self.control, self.bell = program, control, bell
        self.memory: int = request["memory"] * MEBIBYTE
        self.too_much = False
        self.looked = time.monotonic()
        self.ended: tuple[int, int] | None = None
        """The status and the peak memory in KiB, once the program has ended."""

    def watch(self) -> dict[str, object]:
        """How the program ended; all that it had started has ended, too."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(self.bell, select.POLLIN)
        while not self.childless() and self.ended is None:
            ready = dict(poll.poll(1_000 * TICK))
            if self.bell in ready:
                if signal.SIGTERM in os.read(self.bell, 1024):
                    break
            elif ready and self.told_to_kill():
                break
            elif self.exceeds():
                self.too_much = True
                break
        killed = self.ended is None
        self.kill_all()
        status, peak = self.ended or (-signal.SIGKILL, 0)
        return {"status": status, "peak": peak, "memory": self.too_much, "killed": killed}

    def told_to_kill(self) -> bool:
        """Whether the program is not wanted any more."""
        with suppress(ConnectionError):
            data = self.control.recv(1024)
            return not data or KILL in data
        return True

    def childless(self) -> bool:
        """Takes note of all processes that have ended; whether none is left."""
        try:
            while (end := os.wait4(-1, os.WNOHANG))[0]:
                process, status, usage = end
                if process == self.program:
                    peak = usage.ru_maxrss if LINUX else usage.ru_maxrss >> 10
                    self.ended = os.waitstatus_to_exitcode(status), peak
        except ChildProcessError:
            return True
        return False

    def exceeds(self) -> bool:
        """Whether the program has too much memory; with all that it has started, once in a while."""
        if not LINUX:
            return False
        now, processes = time.monotonic(), [self.program]
        if now - self.looked >= TICK:
            self.looked, processes = now, list(descendants(os.getpid()))
        resident = sum(map(resident_bytes, processes))
        return resident > self.memory and sum(map(own_bytes, processes)) > self.memory

    def kill_all(self) -> None:
        """Kills the program's group and all that has left it, and waits until they have ended."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.program, signal.SIGKILL)
        wait = 0.001
        while not self.childless():
            if os.getpid() == 1:  # the first process of a sandbox, and of no other
                with suppress(ProcessLookupError):
                    os.kill(-1, signal.SIGKILL)  # all but this process, and none outside
            kill(descendants(os.getpid()))
            time.sleep(wait)
            wait = min(2 * wait, 0.1)


def kill(processes: Iterable[int]) -> None:
    """Kills the processes that are still there."""
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)


def descendants(ancestor: int, spared: Collection[int] = ()) -> list[int]:
    """The processes that descend from one, but for the spared ones and theirs; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if LINUX else ():
        if name.isdecimal():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                children.setdefault(int(file.read().rpartition(b")")[2].split()[1]), []).append(int(name))
    processes = [child for child in children.get(ancestor, ()) if child not in spared]
    for process in processes:
        processes += children.get(process, ())
    return processes


def resident_bytes(process: int) -> int:
    """The memory that the process has, what it shares with others included; 0 if it is gone."""
    with suppress(OSError, IndexError), open(f"/proc/{process}/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def own_bytes(process: int) -> int:
    """The memory of the process with its part of what it shares; the whole of it where that is not known."""
    with suppress(OSError), open(f"/proc/{process}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return resident_bytes(process)
