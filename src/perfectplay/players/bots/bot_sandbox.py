"""The sandbox that bots can be put into on this machine: no network, and read-only files; or why there is none."""

import shutil
import sys
import time
from functools import lru_cache
from typing import NamedTuple

from perfectplay.processes.process_sandbox import SCRATCH
from perfectplay.processes.running_program import Program, ProgramFault
from perfectplay.processes.supervised_processes import supervisor

MEMORY = 256
"""The memory in MiB of the command that tries a sandbox."""
TO_TRY = 10.0
"""Seconds that this command has."""
BUBBLEWRAP = (
    *("bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    *("--cap-drop", "ALL", "--tmpfs", SCRATCH, "--setenv", "TMPDIR", SCRATCH, "--"),
)
"""The same sandbox made by bubblewrap, which may be allowed what other programs are not."""


class Sandbox(NamedTuple):
    """A way to run a command in a sandbox: words before it, or namespaces of the supervisor's making; or why not."""

    before: tuple[str, ...] = ()
    namespaces: bool = False
    fault: str = ""


@lru_cache(maxsize=1)
def usual_sandbox() -> Sandbox:
    """The first of the ways that works here."""
    if not sys.platform.startswith("linux"):
        return Sandbox(fault="it needs Linux")
    ways = [Sandbox(namespaces=True)] + ([Sandbox(BUBBLEWRAP)] if shutil.which("bwrap") else [])
    faults = [fault_of(way) for way in ways]
    for way, fault in zip(ways, faults, strict=True):
        if not fault:
            return way
    wrapped = f"bubblewrap {faults[1]}" if len(faults) > 1 else "there is no bubblewrap (bwrap)"
    return Sandbox(fault=f"user namespaces are not allowed here ({faults[0]}), and {wrapped}")


def sandbox_fault() -> str:
    """Why there is no sandbox on this machine; empty if there is one."""
    return usual_sandbox().fault


def fault_of(way: Sandbox) -> str:
    """What goes wrong in a sandbox made this way; empty if nothing does."""
    program = Program(supervisor(), [*way.before, "sh", "-c", "echo ready"], MEMORY, way.namespaces)
    try:
        return "" if program.line(time.monotonic() + TO_TRY) == b"ready" else "does not work"
    except TimeoutError:
        return "hangs"
    except ProgramFault as fault:
        said = program.printed().strip().splitlines()
        return said[-1] if said else str(fault).removeprefix("does not start: ")
    finally:
        program.kill()
