"""Progress of a long solve on disk: arrays, each written whole, and a manifest that says which of them count."""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from zlib import crc32

from perfectplay.loading import absolute_name, split_path
from perfectplay.solve.out_of_core.workdir import LOCK, locked_file
from perfectplay.solve.steps import Steps
from perfectplay.table.table import replacing

if TYPE_CHECKING:  # small games are solved without numpy
    from numpy.typing import NDArray

T = TypeVar("T")
MANIFEST = "manifest.json"


def is_saved(folder: Path) -> bool:
    """Whether there is progress in the folder to go on from."""
    return (folder / MANIFEST).exists()


class Checkpoint(NamedTuple):
    """A folder with the progress of a solve, and what its manifest says of that."""

    folder: Path
    game: str
    rules: str

    def remove(self) -> None:
        """Removes the progress; raises BadWork if a solve over files is at work there."""
        lock = self.folder / LOCK
        with locked_file(lock, "another process", str(self.folder)) if lock.exists() else nullcontext():
            shutil.rmtree(self.folder, ignore_errors=True)


def checkpoints_in(folder: Path) -> Iterator[Checkpoint]:
    """The progress that is saved in folders of that folder, whole or not."""
    for path in sorted(path for path in folder.glob("*-*") if path.is_dir()):
        try:
            text = (path / MANIFEST).read_text(encoding="utf-8")
            facts = json.loads(text[text.index("{") :])  # over files, a check stands before it
            known = facts.get("plan", facts)
            yield Checkpoint(path, str(known["game"]), str(known["rules"]))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):  # not whole, or of an earlier version
            yield Checkpoint(path, "", "")


class Saved:
    """A folder for the progress of one solve; nothing is written before `after` seconds have passed."""

    def __init__(self, folder: Path, game: str, rules: str, after: float) -> None:
        self.folder = folder
        self.game = absolute_name(game)
        self.rules = rules
        self.due = time.monotonic() + after
        self.fault: OSError | None = None
        """Why progress could not be saved; then no more is."""
        self.arrays: dict[str, NDArray[Any]] = {}
        self.there: dict[str, int] = {}
        """The arrays that are there, each with its check."""

    def load(self) -> dict[str, Any]:
        """What the manifest of an earlier solve of the same rules says; nothing if there is none."""
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
            self.arrays = {name: np.load(self.folder / f"{name}.npy") for name in facts["arrays"]}
        except (OSError, ValueError, EOFError):
            return {}
        self.there = {name: crc32(array.data) for name, array in self.arrays.items()}
        return facts if self.there == facts["arrays"] else {}

    def array(self, name: str) -> "NDArray[Any]":
        """The array of that name that was loaded."""
        return self.arrays.pop(name)

    def keep(self, arrays: dict[str, "NDArray[Any]"], facts: dict[str, Any]) -> None:
        """Saves these arrays and facts in place of those before, if it is time."""
        if time.monotonic() >= self.due:
            self.keep_now(arrays, facts)

    def keep_now(self, arrays: dict[str, "NDArray[Any]"], facts: dict[str, Any]) -> None:
        """The same at once; rules without a fingerprint have no progress to go on from."""
        if self.fault is not None or not self.rules:
            return
        try:
            self.write(arrays, facts)
        except BaseException as fault:
            if not is_saved(self.folder):  # arrays alone are of no use
                self.forget()
            if not isinstance(fault, OSError):
                raise
            self.fault = fault  # what was saved before is still there, and the solve goes on

    def write(self, arrays: dict[str, "NDArray[Any]"], facts: dict[str, Any]) -> None:
        """Writes those arrays that are not there yet, then a manifest that counts on just these."""
        import numpy as np

        before = self.there
        if not before:
            self.forget_outdated()
        for name in arrays.keys() - before.keys():
            with replacing(self.folder / f"{name}.npy") as sink:
                np.save(sink, arrays[name])
        there = {name: before[name] if name in before else crc32(array.data) for name, array in arrays.items()}
        with replacing(self.folder / MANIFEST) as sink:
            known = {"game": self.game, "rules": self.rules, "arrays": there}
            sink.write(json.dumps({**known, **facts}).encode())
        self.there = there
        for name in before.keys() - arrays.keys():
            (self.folder / f"{name}.npy").unlink(missing_ok=True)

    def telling(self, steps: Steps[T]) -> Steps[T]:
        """The same steps; one of them tells if progress can no longer be saved."""
        told = False
        with closing(steps):
            while True:
                try:
                    step = next(steps)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                if self.fault is not None and not told:
                    told, why = True, self.fault.strerror or self.fault
                    step = replace(step, note=f"progress cannot be saved: {why}")
                yield step

    def forget_outdated(self) -> None:
        """Removes the progress with earlier rules of the same user's file."""
        if split_path(self.game)[0] is None:
            return
        for found in checkpoints_in(self.folder.parent):
            if found.game == self.game and found.rules[:64] != self.rules[:64]:
                shutil.rmtree(found.folder, ignore_errors=True)

    def forget(self) -> None:
        """Removes the progress: the table is there, or it starts anew."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.there = {}
