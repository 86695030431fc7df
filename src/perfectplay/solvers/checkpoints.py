"""Checkpoints of a long solve: arrays, each written atomically, and a manifest that lists the valid ones."""

import fcntl
import json
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from zlib import crc32

from perfectplay.processes.folders import replacing
from perfectplay.rules.loading import absolute_name
from perfectplay.solvers.steps import Steps
from perfectplay.words import BadWork

if TYPE_CHECKING:  # small games are solved without numpy
    from numpy.typing import NDArray

T = TypeVar("T")
MANIFEST = "manifest.json"


def is_saved(folder: Path) -> bool:
    """Whether the folder holds a checkpoint to resume from."""
    return (folder / MANIFEST).exists()


class Checkpoint(NamedTuple):
    """A folder with a solve's checkpoint, and the game and rules that its manifest names."""

    folder: Path
    game: str
    rules: str

    def remove(self) -> None:
        """Removes the checkpoint; raises BadWork if a solve on disk is running there."""
        lock = self.folder / LOCK
        with locked_file(lock, "another process", str(self.folder)) if lock.exists() else nullcontext():
            shutil.rmtree(self.folder, ignore_errors=True)


def checkpoints_in(folder: Path) -> Iterator[Checkpoint]:
    """The checkpoints in subfolders of that folder, complete or not."""
    for path in sorted(path for path in folder.glob("*-*") if path.is_dir()):
        try:
            text = (path / MANIFEST).read_text(encoding="utf-8")
            facts = json.loads(text[text.index("{") :])  # on disk, a checksum precedes it
            plan = facts.get("plan", facts)
            yield Checkpoint(path, str(plan["game"]), str(plan["rules"]))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):  # incomplete, or of an earlier version
            yield Checkpoint(path, "", "")


class CheckpointFolder:
    """A folder for the checkpoints of one solve; nothing is written in the first `after` seconds."""

    def __init__(self, folder: Path, game: str, rules: str, after: float) -> None:
        self.folder = folder
        self.game = absolute_name(game)
        self.rules = rules
        self.due = time.monotonic() + after
        self.fault: OSError | None = None
        """Why a checkpoint could not be written; none is written after that."""
        self.arrays: dict[str, NDArray[Any]] = {}
        self.there: dict[str, int] = {}
        """The arrays on disk, each with its checksum."""

    def load(self) -> dict[str, Any]:
        """The manifest of an earlier solve of the same rules; empty if there is none."""
        if not self.rules:
            return {}
        try:
            facts = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(facts, dict) or facts.get("rules") != self.rules:
            return {}
        import numpy as np

        try:
            self.arrays = {name: np.load(self.folder / f"{name}.npy", mmap_mode="r") for name in facts["arrays"]}
        except (OSError, ValueError, EOFError):
            return {}
        self.there = {name: crc32(array.data) for name, array in self.arrays.items()}
        return facts if self.there == facts["arrays"] else {}

    def array(self, name: str) -> "NDArray[Any]":
        """The array of that name in the checkpoint, in memory."""
        import numpy as np

        return np.array(self.arrays.pop(name))

    def memory_map(self, name: str) -> "NDArray[Any]":
        """The array of that name on disk, memory-mapped."""
        import numpy as np

        array: NDArray[Any] = np.load(self.folder / f"{name}.npy", mmap_mode="r")
        return array

    def keep(self, arrays: dict[str, "NDArray[Any]"], facts: dict[str, Any]) -> None:
        """Replaces the checkpoint by these arrays and facts, if one is due."""
        if self.is_due():
            self.keep_now(arrays, facts)

    def is_due(self) -> bool:
        """Whether it is time for a checkpoint."""
        return time.monotonic() >= self.due

    def keep_now(self, arrays: dict[str, "NDArray[Any]"], facts: dict[str, Any]) -> None:
        """Replaces the checkpoint now; does nothing for rules without a fingerprint, which cannot be resumed."""
        if self.fault is not None or not self.rules:
            return
        try:
            self.write(arrays, facts)
        except BaseException as fault:
            if not is_saved(self.folder):  # arrays without a manifest are useless
                self.forget()
            if not isinstance(fault, OSError):
                raise
            self.fault = fault  # the earlier checkpoint is intact, and the solve continues

    def write(self, arrays: dict[str, "NDArray[Any]"], facts: dict[str, Any]) -> None:
        """Writes the arrays that are not on disk yet, then a manifest that lists exactly these."""
        import numpy as np

        before = self.there
        if not before:
            self.forget_outdated()
        for name in arrays.keys() - before.keys():
            with replacing(self.folder / f"{name}.npy") as sink:
                np.save(sink, arrays[name])
        there = {name: before[name] if name in before else crc32(array.data) for name, array in arrays.items()}
        with replacing(self.folder / MANIFEST) as sink:
            head = {"game": self.game, "rules": self.rules, "arrays": there}
            sink.write(json.dumps({**head, **facts}).encode())
        self.there = there
        for name in before.keys() - arrays.keys():
            (self.folder / f"{name}.npy").unlink(missing_ok=True)

    def noting_faults(self, steps: Steps[T]) -> Steps[T]:
        """The same steps; one of them carries a note if checkpoints can no longer be written."""
        reported = False
        with closing(steps):
            while True:
                try:
                    step = next(steps)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                if self.fault is not None and not reported:
                    reported, why = True, self.fault.strerror or self.fault
                    step = replace(step, note=f"checkpoints cannot be written: {why}")
                yield step

    def forget_outdated(self) -> None:
        """Removes the checkpoints of the same game with earlier rules."""
        for checkpoint in checkpoints_in(self.folder.parent):
            if checkpoint.game == self.game and checkpoint.rules[:64] != self.rules[:64]:
                with suppress(BadWork):  # another solve is at work there
                    checkpoint.remove()

    def forget(self) -> None:
        """Removes the checkpoint: the table is written, or the solve starts from scratch."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.there = {}


# A lock on a folder that one process at a time works in.


LOCK = "lock"
"""The name of the file that is locked."""


@contextmanager
def locked_file(path: Path, who: str, where: str) -> Iterator[None]:
    """Holds a lock that the system takes back when this process ends, however it does."""
    try:
        file = path.open("a+")
    except OSError as fault:
        raise BadWork(f"{where!r} cannot be written to: {fault.strerror}; make it writable, or take another") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            other = file.read() or "another process"
            raise BadWork(f"{other} works in {where!r} already; wait for it, or choose another workdir=...") from None
        file.truncate(0)
        file.write(who)
        file.flush()
        yield
