"""Hash tables of positions on a GPU: their sizes, and how they are packed when space runs out."""

import glob
import os
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import (
    GRAIN,
    DeviceArray,
    Gpu,
    Memory,
    array_bytes,
    from_gpu,
    least_slots,
    new_array,
    rest_width,
    settle,
    shape_of,
    to_gpu,
)
from perfectplay.game import Game, start_is_symmetric
from perfectplay.processes.folders import is_running
from perfectplay.solvers.forecast import in_bytes, longest_game, most_positions
from perfectplay.solvers.memory.expansion import ASTRAY, NO_GAME, TOO_WIDE
from perfectplay.words import BadGame, TooBig

LOAD = 0.7
"""The intended load factor of a table.

At 0.74 one position in 5 billion finds no free slot among those probed, by simulation, and a table of that size is then
built a second time; at 0.7 it is one in 150 billion.
"""
AT_ONCE = 1 << 23
"""Slots unloaded at once, and the fewest that are packed at once."""
PARTS = 16
"""A large table is packed in this many parts, whose memory is taken and freed as a whole."""
STEP_BITS = 8
"""The bits of the remainder that give the probing step from bucket to bucket."""


class Packed(NamedTuple):
    """Some slots of a table, packed as compiler/gpu/packed_slots.py says, on the GPU or beside it."""

    sizes: Any
    """The number of words of each group of slots."""
    places: Any
    """The first word of each tile of groups."""
    words: Any

    @property
    def on_gpu(self) -> bool:
        """Whether it is on the GPU."""
        return not isinstance(self.words, np.ndarray)


@dataclass(eq=False)
class Tabled:
    """A table of positions: on the GPU, or packed while it is not needed."""

    slots: int
    shape: int
    table: DeviceArray | None = None
    count: int = 0
    packed: list[Packed] = field(default_factory=list)


class TooLong(Exception):
    """The game has more plies, or more points, than the grades in an entry can express."""


class Room:
    """The memory for tables: the GPU's, where the oldest are packed first, then the host's, then disk."""

    def __init__(self, game: Game, gpu: Gpu, kernels: Any, memory: int, folder: Path) -> None:
        self.game, self.gpu, self.kernels = game, gpu, kernels
        self.memory = Memory(gpu.memory)
        self.overflow = Overflow(game.name, memory, folder)
        self.plies = longest_game(game)
        self.most = most_positions(game, start_is_symmetric(game))
        self.tables: list[Tabled] = []
        self.tallied = np.zeros(kernels.TALLIES, np.int64)
        self.tallies = to_gpu(self.tallied)
        self.kept = False  # whether the slots of all children are stored
        self.width = np.dtype(kernels.ENTRY).itemsize

    def capacity(self) -> int:
        """The total bytes of tables that fit in all of this memory."""
        packed = STEP_BITS  # for each slot, at least
        return int((self.memory.limit + self.overflow.capacity()) * 8 * self.width // packed)

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
        """Packs the oldest tables, then moves packed ones out, until `size` bytes are free; raises TooBig."""
        unpacked = [table for table in self.tables if table.table is not None]
        spare = (
            max([size, *(table.slots * self.width for table in unpacked)]) // 2
        )  # what the next to be packed may need
        for table in unpacked:
            if self.memory.left >= size + spare:
                return
            if table not in keep:
                self.pack(table)
        for table in list(self.tables):
            if self.memory.left >= size:
                return
            self.move_out(table)
        if self.memory.left < size:
            held = sum(table.slots * self.width for table in keep)
            raise TooBig(
                f"{self.game.name} will not fit the GPU: {in_bytes(size)} are needed beside {in_bytes(held)} in use, "
                f"and {self.gpu.name} has {in_bytes(self.memory.limit)}; "
                'try a smaller size, or engine="numba"'
            )

    def rest_bits(self, table: Tabled) -> int:
        """The bits of the rest that a packed entry keeps."""
        return max(STEP_BITS, rest_width(self.kernels.KEY_BITS, table.slots))

    def pack(self, table: Tabled) -> None:
        """Packs a table on the GPU; parts for which there is no room beside it move out at once."""
        rest_bits = self.rest_bits(table)
        for part in parts_of(table.slots):
            packed = self.packed_part(table, part, rest_bits)
            if sum(map(array_bytes, packed)) <= self.memory.left:
                self.memory.hold(*packed)
            else:
                packed = self.outside(packed)
            table.packed.append(packed)
        self.let_go(table)

    def packed_part(self, table: Tabled, part: range, rest_bits: int) -> Packed:
        """Some slots, packed; the arrays are outside the limit of the memory, which leaves some."""
        group, slots = self.kernels.GROUP, (table.table, part.start, part.stop, rest_bits)
        groups = -(-len(part) // group**2) * group
        sizes, sums = new_array(groups, np.uint8), to_gpu(np.zeros(-(-groups // self.gpu.threads), np.int64))
        self.gpu.run(self.kernels.measure, *slots, sizes, sums)
        counts = from_gpu(sums)
        places, words = to_gpu(np.cumsum(counts) - counts), new_array(int(counts.sum()), np.uint32)
        self.gpu.run(self.kernels.pack, *slots, sizes, places, words)
        return Packed(sizes, places, words)

    def outside(self, part: Packed) -> Packed:
        """A copy of the part beside the GPU."""
        return Packed(*(from_gpu(array, self.overflow.take(array.size, array.dtype)) for array in part))

    def move_out(self, table: Tabled) -> None:
        """Moves a packed table to host memory, or into files when that is full."""
        for i in range(len(table.packed)):
            if table.packed[i].on_gpu:
                self.give(table.packed[i])
                table.packed[i] = self.outside(table.packed[i])
        settle()

    def give(self, part: Packed) -> None:
        """Counts a packed part as freed."""
        for array in part:
            (self.memory if part.on_gpu else self.overflow).give(array)

    def bring_back(self, table: Tabled, keep: tuple[Tabled, ...] = ()) -> DeviceArray:
        """The table, unpacked; tables in `keep` stay so."""
        if table.table is None:
            self.make_room(table.slots * self.width, keep)
            table.table = self.memory.take(table.slots, self.kernels.ENTRY)
            rest_bits = self.rest_bits(table)
            for part, packed in zip(parts_of(table.slots), table.packed, strict=True):
                arrays = packed if packed.on_gpu else map(to_gpu, packed)
                slots = (rest_bits, table.table, part.start, part.stop, table.shape)
                self.gpu.run(self.kernels.unpack, *arrays, *slots)
            self.throw_away(table)
        return table.table

    def throw_away(self, table: Tabled) -> None:
        """Frees a packed table."""
        while table.packed:
            self.give(table.packed.pop())
        settle()

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


def parts_of(slots: int) -> list[range]:
    """The slots of a table in the parts in which it is packed."""
    size = max(AT_ONCE, even(slots / PARTS, up=True))
    return [range(begin, min(begin + size, slots)) for begin in range(0, slots, size)]


def even(slots: float, up: bool = False) -> int:
    """The number of slots rounded to whole buckets and, where it is large, to parts of equal size."""
    grain = GRAIN if slots > GRAIN << 8 else 64
    return (int(slots) // grain + up) * grain


# Where packed tables go when the GPU is full: host memory, then files on disk.


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
