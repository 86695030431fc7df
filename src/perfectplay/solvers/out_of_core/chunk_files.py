"""A chunk file: segments, then a table with the length, the count of numbers and the checksum of each.

segment | segment | ... | table | number of segments, checksum of the table, magic
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import IO, Any, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines import key_coding
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.sorted_keys import Keys
from perfectplay.words import BadWork

TAIL = struct.Struct("<QI8s")
MARK = b"parcel 1"
ROW = np.dtype([("length", "<u8"), ("count", "<u8"), ("check", "<u4")])
AS_ROW = struct.Struct("<QQI")


class Packer:
    """Writes segment after segment."""

    def __init__(self, sink: IO[bytes]) -> None:
        self.sink = sink
        self.table = bytearray()
        self.bytes = 0

    def add(self, data: Any, count: int) -> None:
        """Writes a segment that encodes `count` numbers."""
        self.sink.write(data)
        self.table += AS_ROW.pack(len(data), count, crc32(data))
        self.bytes += len(data)

    def add_array(self, numbers: NDArray[Any]) -> None:
        """Writes a segment of numbers, uncompressed."""
        self.add(np.ascontiguousarray(numbers).view(np.uint8).data, numbers.size)

    def add_numbers(self, numbers: NDArray[Any], cuts: NDArray[np.int64], shift: int = 0) -> None:
        """Writes numbers as varint deltas, a segment from each cut to the next; segment c starts at c << shift."""
        longest = (
            max(int(numbers.max(initial=0)), (cuts.size - 2) << shift).bit_length() + 1
        )  # of a delta, with its sign
        out = np.empty(numbers.size * -(-longest // 7), np.uint8)
        stops = np.empty(cuts.size - 1, np.int64)
        key_coding.encode(numbers, cuts, shift, out, stops)
        begin = 0
        for stop, count in zip(stops.tolist(), np.diff(cuts).tolist(), strict=True):
            self.add(out[begin:stop].data, count)
            begin = stop

    def finish(self) -> None:
        """Writes the table and the trailer."""
        self.sink.write(self.table)
        self.sink.write(TAIL.pack(len(self.table) // AS_ROW.size, crc32(self.table), MARK))
        self.bytes += len(self.table) + TAIL.size


@contextmanager
def packing(workdir: Workdir, name: str) -> Iterator[Packer]:
    """A chunk file to write; it appears when it is complete."""
    with workdir.writing(name) as sink:
        packer = Packer(sink)
        yield packer
        packer.finish()


class ChunkFile:
    """Reads segments and verifies their checksums."""

    def __init__(self, workdir: Workdir, name: str) -> None:
        self.name = workdir.path(name)
        self.source = workdir.reading(name)
        try:
            rows = self.read_table()
        except BaseException:
            self.source.close()
            raise
        self.counts, self.checks = rows["count"].astype(np.int64), rows["check"]
        self.places = np.zeros(rows.size + 1, np.int64)
        np.cumsum(rows["length"], out=self.places[1:])

    def read_table(self) -> NDArray[Any]:
        """The table of segments, verified."""
        size = self.source.seek(0, 2)
        if size < TAIL.size:
            raise self.damaged()
        segments, check, mark = TAIL.unpack(self.read(size - TAIL.size, TAIL.size))
        begin = size - TAIL.size - segments * ROW.itemsize
        if mark != MARK or begin < 0:
            raise self.damaged()
        table = self.read(begin, segments * ROW.itemsize)
        rows = np.frombuffer(table, ROW)
        if crc32(table) != check or int(rows["length"].sum()) != begin:
            raise self.damaged()
        return rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.source.close()

    def damaged(self) -> BadWork:
        """The error for this file."""
        return BadWork(f"{self.name} is damaged, so the solve cannot resume; start it in an empty folder")

    def read(self, begin: int, length: int) -> bytes:
        """`length` bytes from `begin` on."""
        self.source.seek(begin)
        parts = []
        while length > 0:
            part = self.source.read(length)
            if not part:
                raise self.damaged()
            parts.append(part)
            length -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def segment(self, number: int) -> bytes:
        """The bytes of the segment, verified."""
        data = self.read(int(self.places[number]), int(self.places[number + 1] - self.places[number]))
        if crc32(data) != self.checks[number]:
            raise self.damaged()
        return data

    def array(self, number: int, kind: Any) -> NDArray[Any]:
        """The numbers of an uncompressed segment."""
        return np.frombuffer(self.segment(number), kind)

    def numbers(self, number: int, kind: Any, base: int = 0) -> Keys:
        """The numbers of a segment of deltas, starting at the base."""
        found = np.empty(int(self.counts[number]), kind)
        if found.size and key_coding.decode(np.frombuffer(self.segment(number), np.uint8), base, found) < 0:
            raise self.damaged()
        return found
