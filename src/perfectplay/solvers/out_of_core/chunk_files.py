"""A chunk file: segments, then a table with the length, the count of numbers and the checksum of each.

segment | segment | ... | table | directory | number of pages, checksum of the directory, magic

Segments and their rows in the table form pages, one unless the writer says otherwise. The directory has the bytes of
segments, the rows and their checksum of each page, so a reader that needs one page reads only that part of the table.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import IO, Any, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import key_coding
from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.words import BadWork

TAIL = struct.Struct("<QI8s")
MARK = b"chunks 2"
ROW = np.dtype([("length", "<u8"), ("count", "<u8"), ("check", "<u4")])
AS_ROW = struct.Struct("<QQI")
COPIED = 16 << 20
"""Bytes copied at once."""


class Packer:
    """Writes segment after segment."""

    def __init__(self, sink: IO[bytes]) -> None:
        self.sink = sink
        self.table, self.directory = bytearray(), bytearray()
        self.paged = self.paged_bytes = 0
        """The bytes of the table, and those written, that belong to finished pages."""
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
        greatest, least = max(int(numbers.max(initial=0)), (cuts.size - 2) << shift), int(numbers.min(initial=0))
        longest = (greatest - least).bit_length() + 1  # of a delta, with its sign
        out = np.empty(numbers.size * -(-longest // 7), np.uint8)
        stops = np.empty(cuts.size - 1, np.int64)
        key_coding.encode(numbers, cuts, shift, out, stops)
        rows = np.zeros(stops.size, ROW)
        rows["length"], rows["count"] = np.diff(stops, prepend=0), np.diff(cuts)
        places, data = [0, *stops.tolist()], out[: int(stops[-1])].data
        for i in np.flatnonzero(rows["count"]).tolist():
            rows["check"][i] = crc32(data[places[i] : places[i + 1]])
        self.sink.write(data)
        self.table += rows.tobytes()
        self.bytes += len(data)

    def copy(self, source: "ChunkFile", first: int, stop: int) -> None:
        """Copies consecutive segments with their checksums, which the last reader verifies."""
        begin, end = int(source.places[first]), int(source.places[stop])
        for at in range(begin, end, COPIED):
            self.sink.write(source.read(at, min(COPIED, end - at)))
        self.table += source.rows[first:stop].tobytes()
        self.bytes += end - begin

    def end_page(self) -> None:
        """Ends the current page."""
        rows = memoryview(self.table)[self.paged :]
        self.directory += AS_ROW.pack(self.bytes - self.paged_bytes, len(rows) // AS_ROW.size, crc32(rows))
        self.paged, self.paged_bytes = len(self.table), self.bytes
        rows.release()

    def finish(self) -> None:
        """Writes the table, as one page if no page was ended, the directory and the trailer."""
        if not self.directory:
            self.end_page()
        pages = len(self.directory) // AS_ROW.size
        for part in (self.table, self.directory, TAIL.pack(pages, crc32(self.directory), MARK)):
            self.sink.write(part)
            self.bytes += len(part)


@contextmanager
def packing(workdir: Workdir, name: str) -> Iterator[Packer]:
    """A chunk file to write; it appears when it is complete."""
    with workdir.writing(name) as sink:
        packer = Packer(sink)
        yield packer
        packer.finish()


class ChunkFile:
    """Reads the segments of all pages, or of one page, and verifies their checksums."""

    def __init__(self, workdir: Workdir, name: str, page: int | None = None) -> None:
        self.name = workdir.path(name)
        self.source = workdir.reading(name)
        try:
            begin, self.rows = self.read_table(page)
        except BaseException:
            self.source.close()
            raise
        self.counts, self.checks = self.rows["count"].astype(np.int64), self.rows["check"]
        self.places = np.full(self.rows.size + 1, begin, np.int64)
        self.places[1:] += np.cumsum(self.rows["length"], dtype=np.int64)

    def read_table(self, page: int | None) -> tuple[int, NDArray[Any]]:
        """Where the segments begin, and their rows, verified."""
        size = self.source.seek(0, 2)
        if size < TAIL.size:
            raise self.damaged()
        pages, check, mark = TAIL.unpack(self.read(size - TAIL.size, TAIL.size))
        end = size - TAIL.size - pages * ROW.itemsize
        if mark != MARK or end < 0:
            raise self.damaged()
        text = self.read(end, pages * ROW.itemsize)
        directory = np.frombuffer(text, ROW)
        table = end - int(directory["count"].sum()) * ROW.itemsize
        if crc32(text) != check or int(directory["length"].sum()) != table:
            raise self.damaged()
        first, stop = (0, pages) if page is None else (page, page + 1)
        at, found = table + int(directory["count"][:first].sum()) * ROW.itemsize, []
        for length, count, expected in directory[first:stop].tolist():
            text = self.read(at, count * ROW.itemsize)
            found.append(np.frombuffer(text, ROW))
            if crc32(text) != expected or int(found[-1]["length"].sum()) != length:
                raise self.damaged()
            at += len(text)
        return int(directory["length"][:first].sum()), np.concatenate(found)

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

    def all_numbers(self, first: int, stop: int, kind: Any, shift: int) -> Keys:
        """The numbers of consecutive segments of deltas, of which segment first + c starts at c << shift."""
        counts, places = self.counts[first:stop], self.places[first : stop + 1]
        data = memoryview(self.read(int(places[0]), int(places[-1] - places[0])))
        cuts = (places - places[0]).tolist()
        for i in np.flatnonzero(counts).tolist():
            if crc32(data[cuts[i] : cuts[i + 1]]) != self.checks[first + i]:
                raise self.damaged()
        found = np.empty(int(counts.sum()), kind)
        encoded = np.frombuffer(data, np.uint8)
        if found.size and key_coding.decode_all(encoded, np.diff(places), counts, shift, found) != found.size:
            raise self.damaged()
        return found

    def array(self, number: int, kind: Any) -> NDArray[Any]:
        """The numbers of an uncompressed segment."""
        return np.frombuffer(self.segment(number), kind)

    def numbers(self, number: int, kind: Any, base: int = 0) -> Keys:
        """The numbers of a segment of deltas, starting at the base."""
        found = np.empty(int(self.counts[number]), kind)
        if found.size and key_coding.decode(np.frombuffer(self.segment(number), np.uint8), base, found) < 0:
            raise self.damaged()
        return found
