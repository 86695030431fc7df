"""Progress of a long solve on disk: arrays, each written whole, and a manifest that says which of them count."""

import json
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from perfectplay.table.table import replacing

if TYPE_CHECKING:  # small games are solved without numpy
    from numpy.typing import NDArray

MANIFEST = "manifest.json"


def is_saved(folder: Path) -> bool:
    """Whether there is progress in the folder to go on from."""
    return (folder / MANIFEST).exists()


class Saved:
    """A folder for the progress of one solve; nothing is written before `after` seconds have passed."""

    def __init__(self, folder: Path, rules: str, after: float) -> None:
        self.folder = folder
        self.rules = rules
        self.due = time.monotonic() + after
        self.arrays: dict[str, NDArray[Any]] = {}
        self.there: dict[str, int] = {}
        """The arrays that are there, each with its check."""

    def load(self) -> dict[str, Any]:
        """What the manifest of an earlier solve of the same rules says; nothing if there is none."""
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
        """Writes those arrays that are not there yet, then a manifest that counts on just these; if it is time."""
        if time.monotonic() < self.due:
            return
        try:
            self.write(arrays, facts)
        except BaseException:
            if not is_saved(self.folder):  # arrays alone are of no use
                self.forget()
            raise

    def write(self, arrays: dict[str, "NDArray[Any]"], facts: dict[str, Any]) -> None:
        """Writes the arrays that are new, the manifest, and removes the arrays that are not counted on any more."""
        import numpy as np

        before = self.there
        for name in arrays.keys() - before.keys():
            with replacing(self.folder / f"{name}.npy") as sink:
                np.save(sink, arrays[name])
        self.there = {name: before[name] if name in before else crc32(array.data) for name, array in arrays.items()}
        with replacing(self.folder / MANIFEST) as sink:
            sink.write(json.dumps({"rules": self.rules, "arrays": self.there, **facts}).encode())
        for name in before.keys() - arrays.keys():
            (self.folder / f"{name}.npy").unlink(missing_ok=True)

    def forget(self) -> None:
        """Removes the progress: the table is there, or it starts anew."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.there = {}
