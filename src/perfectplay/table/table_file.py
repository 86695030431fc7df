"""The file of a table, written from front to back, read from the end (docs/reference/table-format.md).

mark | block | block | ... | index | header | lengths and checks | mark
"""

import mmap
import os
import struct
import zlib
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from perfectplay.table.block_coding import unpack
from perfectplay.table.table_header import FORMAT, Header, Unfit, header_in
from perfectplay.words import BadTable

__all__ = ["FORMAT", "Header", "Reader", "Sink", "Writer", "mapped_file"]

MARK = b"\x89perfectplay\r\n\x1a\n"
"""The first and last bytes of the file; they reveal a transfer that converts line ends or clears the eighth bit."""
TAIL = struct.Struct("<QIII")
"""The lengths and checksums of the index and the header."""
CHECKED_AT_ONCE = 16 << 20
"""Files up to this size are checked in full when opened: some milliseconds."""
KEPT = 64
"""The number of decompressed blocks that a reader caches."""

Data = bytes | memoryview


class Sink(Protocol):
    """A writable stream."""

    def write(self, data: bytes, /) -> object:
        """Writes the data."""


class Writer:
    """Writes a table: the mark, then the blocks, then the rest."""

    def __init__(self, sink: Sink, header: Header) -> None:
        self.sink, self.header = sink, header
        self.index = bytearray()
        sink.write(MARK)

    def add(self, first: int, data: bytes) -> None:
        """Writes a block and records its first key."""
        self.sink.write(data)
        self.index += first.to_bytes(self.header.key_bytes, "little") + struct.pack("<II", len(data), zlib.crc32(data))

    def finish(self) -> None:
        """Writes the index, the header and the end."""
        text = self.header.text()
        self.sink.write(bytes(self.index))
        self.sink.write(text)
        self.sink.write(TAIL.pack(len(self.index), len(text), zlib.crc32(self.index), zlib.crc32(text)))
        self.sink.write(MARK)


class Reader:
    """Looks up keys in the bytes of a table; raises BadTable for damaged ones."""

    def __init__(self, data: Data, name: str) -> None:
        self.name = name
        self.data = memoryview(data)
        index, self.header = self.read_end()
        self.grades = self.header.scale
        self.beyond = 1 << 8 * self.header.key_bytes
        """A number greater than all keys."""
        self.firsts, self.lengths, self.checks = self.read_index(index)
        self.places = [len(MARK)]
        for length in self.lengths:
            self.places.append(self.places[-1] + length)
        if self.places[-1] != len(self.data) - self.end_length:
            raise self.bad("its blocks do not fill it")
        self.kept: dict[int, tuple[list[int], Sequence[int]]] = {}
        if len(self.data) <= CHECKED_AT_ONCE:
            for number in range(len(self.firsts)):
                self.block_bytes(number)

    @property
    def size(self) -> int:
        """The bytes of the table."""
        return len(self.data)

    def write_to(self, sink: Sink) -> None:
        """Writes the whole table."""
        sink.write(bytes(self.data))

    def bad(self, why: str) -> BadTable:
        """The error for this file."""
        return BadTable(f"{self.name} is not a complete table: {why}; solve the game again")

    def read_end(self) -> tuple[memoryview, Header]:
        """The index as bytes, and the header."""
        data, tail = self.data, TAIL.size + len(MARK)
        if len(data) < tail + len(MARK) or data[: len(MARK)] != MARK:
            raise self.bad("it does not begin like one")
        if data[-len(MARK) :] != MARK:
            raise self.bad("its end is missing")
        index_length, header_length, index_check, header_check = TAIL.unpack(data[-tail : -len(MARK)])
        self.end_length = tail + header_length + index_length
        if self.end_length + len(MARK) > len(data):
            raise self.bad("its lengths are wrong")
        text = data[-tail - header_length : -tail]
        index = data[-self.end_length : -tail - header_length]
        if zlib.crc32(text) != header_check or zlib.crc32(index) != index_check:
            raise self.bad("its header or index is damaged")
        return index, self.read_header(bytes(text))

    def read_header(self, text: bytes) -> Header:
        """The header, if this version can read it."""
        try:
            found = header_in(text)
        except Unfit as fault:
            raise self.bad(str(fault)) from None
        if found is None:
            raise BadTable(
                f"{self.name} has a format that this version of perfectplay cannot read; solve the game again"
            )
        return found

    def read_index(self, index: memoryview) -> tuple[list[int], list[int], list[int]]:
        """The first key, length and checksum of each block."""
        wide = self.header.key_bytes
        size = wide + 8
        blocks = 0 if self.header.parts is not None else -(-self.header.classes // self.header.block)
        if len(index) != size * blocks:
            raise self.bad("its index has the wrong length")
        firsts = [int.from_bytes(index[i : i + wide], "little") for i in range(0, len(index), size)]
        if any(after <= before for before, after in pairwise(firsts)):
            raise self.bad("the keys in its index are not sorted")
        pairs = [struct.unpack_from("<II", index, i) for i in range(wide, len(index), size)]
        return firsts, [length for length, _ in pairs], [check for _, check in pairs]

    def block_bytes(self, number: int) -> memoryview:
        """The compressed block, its checksum verified."""
        data = self.data[self.places[number] : self.places[number + 1]]
        if zlib.crc32(data) != self.checks[number]:
            raise self.bad(f"block {number:,} is damaged")
        return data

    def block(self, number: int) -> tuple[list[int], Sequence[int]]:
        """The keys and grades of a block."""
        header = self.header
        count = min(header.block, header.classes - number * header.block)
        try:
            data = bytes(self.block_bytes(number))
            keys, grades = unpack(data, self.firsts[number], count, header.key_bytes, header.grade_bytes)
        except (ValueError, zlib.error) as fault:
            raise self.bad(f"block {number:,} does not unpack") from fault
        if keys[-1] >= (self.firsts[number + 1] if number + 1 < len(self.firsts) else self.beyond):
            raise self.bad(f"the keys of block {number:,} reach into the next")
        if min(grades) == 0 or max(grades) >= self.grades.size:
            raise self.bad(f"block {number:,} has an invalid grade")
        return keys, grades

    def grade(self, key: int) -> int:
        """The grade of the key, or 0 if the table lacks it."""
        number = bisect_right(self.firsts, key) - 1
        if number < 0:
            return 0
        if number not in self.kept:
            if len(self.kept) >= KEPT:
                self.kept.pop(next(iter(self.kept)))
            self.kept[number] = self.block(number)
        keys, grades = self.kept[number]
        at = bisect_right(keys, key) - 1
        return grades[at] if keys[at] == key else 0


def mapped_file(path: str | os.PathLike[str], part: int | None = None) -> Reader:
    """The reader of one memory-mapped file; raises BadTable, also for a part of another table."""
    try:
        with Path(path).open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as fault:  # ValueError: an empty file
        why = getattr(fault, "strerror", None) or fault
        raise BadTable(f"{str(path)!r} cannot be read as a table: {why}") from None
    reader = Reader(memoryview(data), str(path))
    if not reader.header.rules:
        raise reader.bad("it names no rules")
    if reader.header.part != part:
        raise BadTable(f"{str(path)!r} is a part of a table; write the name of the table without {Path(path).suffix}")
    return reader
