"""Hash tables of positions on a GPU: their sizes, and their move to host memory or disk when space runs out."""

import glob
import os
import shutil
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines.cuda import (
    GRAIN,
    DeviceArray,
    Gpu,
    Memory,
    from_gpu,
    least_slots,
    new_array,
    rest_needed,
    settle,
    shape_of,
    to_gpu,
)
from perfectplay.folders import is_running
from perfectplay.game import Game
from perfectplay.solvers.expansion import ASTRAY, NO_GAME, TOO_WIDE
from perfectplay.solvers.forecast import in_bytes, longest_game
from perfectplay.words import BadGame, TooBig

LOAD = 0.7
"""The intended load factor of a table.

At 0.74 one position in 5 billion finds no free slot among those probed, by simulation, and a table of that size is then
built a second time; at 0.7 it is one in 150 billion.
"""
AT_ONCE = 1 << 23
"""Slots packed or unloaded at once."""
FOLDER = "gpu-"
"""The prefix of folders for tables that do not fit in memory."""
STEP_BITS = 8
"""The bits of the remainder that give the probing step from bucket to bucket."""


@dataclass(eq=False)
class Tabled:
    """A table of positions: on the GPU, or packed in host memory or in a file while it is not needed."""

    slots: int
    shape: int
    table: DeviceArray | None = None
    count: int = 0
    packed: list[NDArray[np.uint32]] = field(default_factory=list)


class TooLong(Exception):
    """The game has more plies, or more points, than the grades in an entry can express."""


class Room:
    """The memory for tables: the GPU's, then the host's, then disk."""

    def __init__(self, game: Game, gpu: Gpu, kernels: Any, memory: int, folder: Path) -> None:
        self.game, self.gpu, self.kernels = game, gpu, kernels
        self.memory = Memory(gpu.memory)
        self.host_left = self.least_left = memory
        self.plies = longest_game(game)
        self.parent = folder
        self.folder: TemporaryDirectory[str] | None = None
        self.remove_leftovers()
        self.tables: list[Tabled] = []
        self.tallied = np.zeros(kernels.TALLIES, np.int64)
        self.tallies = to_gpu(self.tallied)
        self.kept = False  # whether the slots of all children are stored
        self.width = np.dtype(kernels.ENTRY).itemsize

    def capacity(self) -> int:
        """The total bytes of tables that fit in all of this memory."""
        packed = STEP_BITS + self.kernels.TRY_BITS  # at least, for each entry
        beside = self.host_left + shutil.disk_usage(existing(self.parent)).free
        return int(self.memory.limit + beside * 8 * self.width // packed)

    def slots_for(self, positions: float) -> int:
        """The number of slots of a table for about this many positions, in whole buckets."""
        least = least_slots(self.kernels.KEY_BITS, self.kernels.REST_BITS)
        return max(least, even(positions / LOAD, up=True))

    def new(self, slots: int, keep: tuple[Tabled, ...] = ()) -> Tabled:
        """An empty table; tables in `keep` stay on the GPU, others move out if necessary; raises TooBig."""
        if slots // self.gpu.blocks * self.kernels.IMAGES >= 1 << 31:
            raise TooBig(f"{self.game.name} has more images of positions than the GPU solver can count")
        self.make_room(slots * self.width, keep)
        shape = shape_of(self.kernels.KEY_BITS, slots).number
        table = Tabled(slots, shape, self.memory.take(slots, self.kernels.ENTRY))
        self.gpu.run(self.kernels.fill, table.table, 0)
        self.tables.append(table)
        return table

    def fresh(self, size: int, kind: Any) -> DeviceArray:
        """A new array; tables move out if necessary; raises TooBig."""
        self.make_room(size * np.dtype(kind).itemsize)
        return self.memory.take(size, kind)

    def make_room(self, size: int, keep: tuple[Tabled, ...] = ()) -> None:
        """Moves the oldest tables out until `size` bytes are free; raises TooBig if that is not enough."""
        for table in list(self.tables):
            if self.memory.left >= size:
                return
            if table.table is not None and table not in keep:
                self.move_out(table)
        if self.memory.left < size:
            held = sum(table.slots * self.width for table in keep)
            raise TooBig(
                f"{self.game.name} will not fit the GPU: {in_bytes(size)} are needed beside {in_bytes(held)} in use, "
                f"and {self.gpu.name} has {in_bytes(self.memory.limit)}; "
                'try a smaller size, or engine="numba"'
            )

    def move_out(self, table: Tabled) -> None:
        """Packs a table into host memory, or into files when that is full."""
        rest_bits = max(STEP_BITS, rest_needed(self.kernels.KEY_BITS, table.slots))
        width = rest_bits + self.kernels.TRY_BITS
        for begin in range(0, table.slots, AT_ONCE):
            groups = -(-min(AT_ONCE, table.slots - begin) // self.kernels.GROUP)
            words = new_array(groups * width, np.uint32)  # outside the limit, which leaves some memory
            self.gpu.run(self.kernels.pack, table.table, begin, rest_bits, words)
            table.packed.append(from_gpu(words, self.place_for(table, groups * width)))
        self.let_go(table)

    def place_for(self, table: Tabled, words: int) -> NDArray[np.uint32]:
        """An array in host memory or, when that is full, in a file."""
        if 4 * words <= self.host_left:
            self.host_left -= 4 * words
            self.least_left = min(self.least_left, self.host_left)
            return np.empty(words, np.uint32)
        if self.folder is None:
            self.parent.mkdir(parents=True, exist_ok=True)
            self.folder = TemporaryDirectory(dir=self.parent, prefix=f"{FOLDER}{socket.gethostname()}-{os.getpid()}-")
        free = shutil.disk_usage(self.folder.name).free
        if 4 * words > free - (1 << 30):
            raise TooBig(
                f"{self.game.name} will not fit: {in_bytes(self.memory.limit)} of {self.gpu.name} and the memory "
                f"allowed are full, and only {in_bytes(free)} are left on disk; try a smaller size, or raise memory=..."
            )
        path = Path(self.folder.name) / f"{self.tables.index(table)}-{len(table.packed)}"
        return np.memmap(path, np.uint32, "w+", shape=(words,))

    def bring_back(self, table: Tabled, keep: tuple[Tabled, ...] = ()) -> DeviceArray:
        """The table, back on the GPU; tables in `keep` stay there."""
        if table.table is None:
            self.make_room(table.slots * self.width, keep)
            table.table = self.memory.take(table.slots, self.kernels.ENTRY)
            rest_bits = max(STEP_BITS, rest_needed(self.kernels.KEY_BITS, table.slots))
            for begin, words in zip(range(0, table.slots, AT_ONCE), table.packed, strict=True):
                self.gpu.run(self.kernels.unpack, to_gpu(words), rest_bits, table.table, begin, table.shape)
            self.throw_away(table)
        return table.table

    def throw_away(self, table: Tabled) -> None:
        """Frees the host memory and removes the files of a packed table."""
        for words in table.packed:
            if isinstance(words, np.memmap):
                Path(str(words.filename)).unlink()
            else:
                self.host_left += 4 * words.size
        table.packed.clear()

    def let_go(self, table: Tabled) -> None:
        """Frees the table's GPU memory."""
        if table.table is not None:
            self.memory.give(table.table)
            table.table = None
            settle()

    def drop(self, table: Tabled) -> None:
        """Frees the table wherever it is."""
        self.let_go(table)
        self.throw_away(table)
        self.tables.remove(table)

    def tally(self) -> NDArray[np.int64]:
        """The counts since the last call; raises BadGame if the rules broke the contract."""
        kernels, before = self.kernels, self.tallied
        self.tallied = from_gpu(self.tallies)
        tallies = self.tallied - before
        if tallies[kernels.BROKEN]:
            raise BadGame(NO_GAME)
        if tallies[kernels.EXCESS]:
            raise BadGame(TOO_WIDE)
        if tallies[kernels.LONG]:
            limit = (
                f"not below keys = {self.game.keys:,}"
                if self.game.keys
                else f"wider than key_bits = {kernels.KEY_BITS} bits"
            )
            raise BadGame(f"a key of {self.game.name} is {limit}")
        if tallies[kernels.ASTRAY]:
            raise BadGame(ASTRAY)
        if tallies[kernels.FAR]:
            raise TooLong
        if tallies[kernels.FULL]:
            self.reset(before)
        return tallies

    def check_all(self, counted: int, there: int) -> None:
        """Raises BadGame if the counts differ: a thread stops where the rules fail."""
        if counted != there:
            raise BadGame(
                f"the rules of {self.game.name} failed on the GPU at some position: {counted:,} of {there:,} were "
                'counted; run perfectplay check for details, or try engine="numba"'
            )

    def reset(self, tallied: NDArray[np.int64] | None = None) -> None:
        """Resets the counts to these, or to 0."""
        self.tallied = np.zeros(self.kernels.TALLIES, np.int64) if tallied is None else tallied
        self.tallies.copy_to_device(self.tallied)

    def unloaded(self, table: Tabled, values: DeviceArray, kind: type) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The keys and grades of the table's positions; grades come from the entries, or from `values` by slot."""
        keys = np.empty(table.count, np.int64)
        grades: NDArray[Any] = np.empty(table.count, kind)
        done, most = 0, min(AT_ONCE, table.slots)
        some_keys, some_grades = new_array(most, np.int64), new_array(most, kind)
        for begin in range(0, table.slots, AT_ONCE):
            count = to_gpu(np.zeros(1, np.int64))
            arguments = (table.table, table.shape, values, begin, begin + most, some_keys, some_grades, count)
            self.gpu.run(self.kernels.unload, *arguments)
            many = int(from_gpu(count)[0])
            self.check_all(max(done + many, table.count), table.count)
            keys[done : done + many] = from_gpu(some_keys[:many]) if many else 0
            grades[done : done + many] = from_gpu(some_grades[:many]) if many else 0
            done += many
        self.check_all(done, table.count)
        return keys, grades

    def value_of(self, table: Tabled, values: DeviceArray, key: int) -> int:
        """The grade of the position with that key, from its entry or from `values` by slot."""
        out = to_gpu(np.zeros(1, np.int64))
        self.gpu.run(self.kernels.look_up, table.table, table.shape, values, to_gpu(np.array([key])), out)
        return int(from_gpu(out)[0])

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


def even(slots: float, up: bool = False) -> int:
    """The number of slots rounded to whole buckets and, where it is large, to parts of equal size."""
    grain = GRAIN if slots > GRAIN << 8 else 64
    return (int(slots) // grain + up) * grain


def existing(folder: Path) -> Path:
    """The folder, or its nearest parent that exists."""
    return next(place for place in (folder, *folder.parents) if place.exists())
