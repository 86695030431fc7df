"""Where packed tables go when the GPU is full: host memory, then files on disk."""

import glob
import os
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.processes.folders import is_running
from perfectplay.solvers.forecast import in_bytes
from perfectplay.words import TooBig

FOLDER = "gpu-"
"""The prefix of folders for tables that do not fit in memory."""
SPARED = 1 << 30
"""Bytes of the disk that stay free."""
TOUCHED = 32 << 20
"""Bytes of new memory that a thread touches at once."""


class Overflow:
    """Arrays beside the GPU, in host memory up to a limit, then in files of a folder of their own."""

    def __init__(self, name: str, memory: int, parent: Path) -> None:
        self.name, self.left, self.least_left, self.parent = name, memory, memory, parent
        self.folder: TemporaryDirectory[str] | None = None
        self.numbers = count()
        self.remove_leftovers()

    def capacity(self) -> int:
        """The bytes that fit in host memory and on disk."""
        existing = next(place for place in (self.parent, *self.parent.parents) if place.exists())
        return self.left + shutil.disk_usage(existing).free

    def take(self, size: int, kind: Any) -> NDArray[Any]:
        """A new array in host memory or, when that is full, in a file; raises TooBig."""
        needed = size * np.dtype(kind).itemsize
        if needed <= self.left:
            self.left -= needed
            self.least_left = min(self.least_left, self.left)
            return host_array(size, kind)
        if self.folder is None:
            self.parent.mkdir(parents=True, exist_ok=True)
            self.folder = TemporaryDirectory(dir=self.parent, prefix=f"{FOLDER}{socket.gethostname()}-{os.getpid()}-")
        free = shutil.disk_usage(self.folder.name).free
        if needed > free - SPARED:
            raise TooBig(
                f"{self.name} will not fit: the memory of the GPU and the memory allowed are full, and only "
                f"{in_bytes(free)} are left on disk; try a smaller size, or raise memory=..."
            )
        return np.memmap(Path(self.folder.name) / str(next(self.numbers)), kind, "w+", shape=(size,))

    def give(self, array: NDArray[Any]) -> None:
        """Frees the array's memory, or removes its file."""
        if isinstance(array, np.memmap):
            Path(str(array.filename)).unlink()
        else:
            self.left += array.nbytes

    def remove_leftovers(self) -> None:
        """Removes the files of killed processes of this machine."""
        for folder in self.parent.glob(f"{FOLDER}{glob.escape(socket.gethostname())}-*"):
            process = folder.name.split("-")[-2]
            if process.isdecimal() and not is_running(int(process)):
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Removes what was written to disk."""
        if self.folder is not None:
            self.folder.cleanup()
            with suppress(OSError):  # checkpoints may be there, too
                self.parent.rmdir()


def host_array(size: int, kind: Any) -> NDArray[Any]:
    """A new array of zeros, touched by all cores: one core takes longer for that than a GPU to copy into it."""
    array: NDArray[Any] = np.empty(size, kind)
    step = max(1, TOUCHED // array.itemsize)

    def fill(begin: int) -> None:
        array[begin : begin + step] = 0

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(fill, range(0, size, step)))
    return array
