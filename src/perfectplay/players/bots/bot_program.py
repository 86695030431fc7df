"""The program of a bot, started again when it has ended; one that fails to start three times in a row is out."""

import shutil
import sys
import time
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, Protocol, TypeVar

from perfectplay.players.bots.bot_fault import as_written
from perfectplay.players.seat import BotLimits, Seat
from perfectplay.processes.process_sandbox import SCRATCH
from perfectplay.processes.running_program import KEPT, Program, ProgramFault
from perfectplay.processes.supervised_processes import Supervisor, supervisor
from perfectplay.words import BadPlayer, Cause, Player

MOST_STARTS = 3
"""A bot that fails to start so often in a row is not started again."""


class ProgramBot(Protocol):
    """A bot that is a program and plays one game, on either side."""

    program: "BotProgram"

    def new_game(self, seed: int | None) -> None:
        """Makes the program ready for a new game; what goes wrong is told at the first move."""

    def close(self) -> None:
        """Ends the program."""


B = TypeVar("B", bound=ProgramBot)


class ProgramMaker(Generic[B]):
    """Makes the players of one name, which are programs: one for all seats that are of a kind.

    `into` takes what they have written to standard error, at the end; None if it is shown instead.
    """

    def __init__(self, name: str, into: list[str] | None = None) -> None:
        self.name, self.into = name, into
        self.bots: dict[Hashable, B] = {}

    def __call__(self, seat: Seat) -> Player:
        """The player in that seat."""
        raise NotImplementedError

    def new_game(self, seed: int | None = None) -> None:
        """Makes the programs ready for a new game; what goes wrong is told when they are to move.

        A program that offers an option Seed is told the seed, so that its games can be repeated.
        """
        for bot in self.bots.values():
            bot.new_game(seed)

    def printed(self) -> str:
        """The beginning of what the programs have written to standard error since the last call."""
        return "".join(bot.program.printed() for bot in self.bots.values())

    def close(self) -> None:
        """Ends the programs, and adds what they wrote to the list; one that is asked for a move is started again."""
        for bot in self.bots.values():
            bot.close()
        if self.into is not None:
            self.into.append(self.printed()[: max(0, KEPT - sum(map(len, self.into)))])


class BotProgram:
    """A program that is there when it is wanted; what it writes to standard error is kept if `capture` is set.

    Raises BadPlayer if it is to run in a sandbox and there is none here.
    """

    def __init__(self, command: Sequence[str], limits: BotLimits, capture: bool = False) -> None:
        box = usual_sandbox() if limits.sandbox else Sandbox()
        if box.fault:
            raise BadPlayer(f"there is no sandbox on this machine: {box.fault}")
        self.command, self.namespaces = [*box.before, *command], box.namespaces
        self.limits, self.capture = limits, capture
        self.by: Supervisor | None = None
        self.running: Program | None = None
        self.failed = 0
        """How many starts in a row have failed."""
        self.last_failure = ""
        self.kept = ""

    def started(self, greet: Callable[[Program], None]) -> Program:
        """The program, started and greeted if it was not there; raises ProgramFault with Cause.START."""
        if self.running is not None and not self.running.ended:
            return self.running
        if self.failed >= MOST_STARTS:
            raise ProgramFault(Cause.START, f"is out after {MOST_STARTS} failed starts, the last: {self.last_failure}")
        self.end()
        self.by = supervisor()
        self.running = Program(self.by, self.command, self.limits.memory, self.namespaces, self.capture)
        try:
            greet(self.running)
        except BaseException as fault:
            self.failed += 1
            self.end()
            self.by = None
            self.last_failure = self.told(fault) if isinstance(fault, ProgramFault) else str(fault)
            if not isinstance(fault, ProgramFault):
                raise
            raise ProgramFault(Cause.START, f"{self.last_failure} before the game began") from None
        self.failed = 0
        return self.running

    def told(self, fault: ProgramFault) -> str:
        """What is said of the fault, with the last line that the program wrote to standard error."""
        lines = self.kept.strip().splitlines()
        wrote = lines and fault.cause in (Cause.CRASH, Cause.MEMORY, Cause.EXIT, Cause.PIPE)
        return f"{fault} ({as_written(lines[-1].strip())})" if wrote else str(fault)

    def end(self, farewell: bytes | None = None, grace: float = 0.0) -> None:
        """Ends the program, if it is there, at once or after a farewell; what it wrote is kept."""
        if self.running is not None:
            if farewell is None:
                self.running.kill()
            else:
                self.running.leave(farewell, grace)
            self.keep(self.running.printed())
            self.running = None

    def close(self, farewell: bytes, grace: float) -> None:
        """Ends the program and needs no supervisor any more; it can be started again."""
        self.end(farewell, grace)
        self.by = None

    def keep(self, text: str) -> None:
        """Keeps what the program wrote, as far as there is room."""
        self.kept += text[: KEPT - len(self.kept)]

    def printed(self) -> str:
        """The beginning of what the program has written to standard error since the last call."""
        if self.running is not None:
            self.keep(self.running.printed())
        text, self.kept = self.kept, ""
        return text


# The sandbox that bots can be put into on this machine: no network, and read-only files; or why there is none.


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
