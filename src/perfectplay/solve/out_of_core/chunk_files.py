"""A chunk file: many segments, each with its length, its count of numbers and its checksum in a table at the end.

segment | segment | ... | table | number of segments, check of the table, mark
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
from perfectplay.solve.out_of_core.workdir import Workdir
from perfectplay.solve.sorted_keys import Keys
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
        """Writes a segment that stands for so many numbers."""
        self.sink.write(data)
        self.table += AS_ROW.pack(len(data), count, crc32(data))
        self.bytes += len(data)

    def add_array(self, numbers: NDArray[Any]) -> None:
        """Writes a segment of numbers as they are."""
        self.add(np.ascontiguousarray(numbers).view(np.uint8).data, numbers.size)

    def add_numbers(self, numbers: NDArray[Any], cuts: NDArray[np.int64], shift: int = 0) -> None:
        """Writes numbers as short steps, a segment from each cut to the next; segment c counts from c << shift on."""
        longest = (
            max(int(numbers.max(initial=0)), (cuts.size - 2) << shift).bit_length() + 1
        )  # of a step, with its sign
        out = np.empty(numbers.size * -(-longest // 7), np.uint8)
        stops = np.empty(cuts.size - 1, np.int64)
        key_coding.encode(numbers, cuts, shift, out, stops)
        begin = 0
        for stop, count in zip(stops.tolist(), np.diff(cuts).tolist(), strict=True):
            self.add(out[begin:stop].data, count)
            begin = stop

    def finish(self) -> None:
        """Writes the table and the end."""
        self.sink.write(self.table)
        self.sink.write(TAIL.pack(len(self.table) // AS_ROW.size, crc32(self.table), MARK))
        self.bytes += len(self.table) + TAIL.size


@contextmanager
def packing(workdir: Workdir, name: str) -> Iterator[Packer]:
    """A chunk file to write; it is there when all is written."""
    with workdir.writing(name) as sink:
        packer = Packer(sink)
        yield packer
        packer.finish()


class ChunkFile:
    """Reads segments, each checked."""

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
        """The table of segments, checked."""
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
        return BadWork(f"{self.name} is damaged: the solve cannot go on; start it in an empty folder")

    def read(self, begin: int, length: int) -> bytes:
        """The bytes from there on."""
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
        """The bytes of the segment, checked."""
        data = self.read(int(self.places[number]), int(self.places[number + 1] - self.places[number]))
        if crc32(data) != self.checks[number]:
            raise self.damaged()
        return data

    def array(self, number: int, kind: Any) -> NDArray[Any]:
        """The numbers of a segment that was written as it is."""
        return np.frombuffer(self.segment(number), kind)

    def numbers(self, number: int, kind: Any, base: int = 0) -> Keys:
        """The numbers of a segment of short steps, from the base on."""
        found = np.empty(int(self.counts[number]), kind)
        if found.size and key_coding.decode(np.frombuffer(self.segment(number), np.uint8), base, found) < 0:
            raise self.damaged()
        return found
