"""The file of a table, written from front to back, read from the end (docs/reference/table-format.md).

mark | block | block | ... | index | header | lengths and checks | mark
"""

import json
import os
import re
import struct
import zlib
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from errno import EEXIST
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path
from threading import Lock
from typing import IO, Protocol
from weakref import finalize

from perfectplay.processes.folders import replacing
from perfectplay.rules.outputs import FileKind
from perfectplay.solvers.table.block_coding import Block, unpack
from perfectplay.solvers.table.table_header import FORMAT, MOST_BYTES, Header, Unfit, parse_header
from perfectplay.words import BadTable

__all__ = ["FORMAT", "TABLE", "Header", "Reader", "Sink", "Writer", "file_reader"]

MARK = b"\x89perfectplay\r\n\x1a\n"
"""The first and last bytes of the file; they reveal a transfer that converts line ends or clears the eighth bit."""
TABLE = FileKind("a table", (), re.compile(rb"\A" + re.escape(MARK)))
"""The kind of file."""
TAIL = struct.Struct("<QIII")
"""The lengths and checksums of the index and the header."""
CHECKED_AT_ONCE = 16 << 20
"""Files up to this size are checked in full when opened: some milliseconds."""
ROOM = 128 << 20
"""The most bytes of decompressed blocks that a table caches: all of `drop:5,5,4`."""


class FileBytes:
    """The bytes of a file, read from it when they are wanted; a file that is replaced stays what it was.

    They are not memory-mapped: a mapped file that shrinks meanwhile ends the process. Here that gives fewer bytes than
    were wanted, which no checksum allows.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.file = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self.file).st_size
        finalize(self, os.close, self.file)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice) -> bytes:
        begin, end, _ = part.indices(self.size)
        try:
            return os.pread(self.file, end - begin, begin)
        except OSError as fault:
            raise unreadable(self.path, fault) from None


Data = bytes | FileBytes


def end_of(data: Data) -> tuple[int, bytes]:
    """The size and the last bytes, which a seal is made of."""
    return len(data), data[-SEALED:]


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
        self.name, self.data = name, data
        self.header, index = self.read_end()
        self.grades = self.header.scale
        self.beyond = 1 << 8 * self.header.key_bytes
        """A number greater than all keys."""
        self.firsts, self.lengths, self.checks = self.read_index(index)
        self.places = list(accumulate(self.lengths, initial=len(MARK)))
        if self.places[-1] != len(self.data) - self.end_length:
            raise self.bad("its blocks do not fill it")
        self.cache, self.before = BlockCache(ROOM), 0
        """The cache, which all parts of a table share, and the number of blocks in the parts before this one."""
        if len(self.data) <= CHECKED_AT_ONCE:
            for number in range(len(self.firsts)):
                self.block_bytes(number)

    @property
    def size(self) -> int:
        """The bytes of the table."""
        return len(self.data)

    @property
    def seal(self) -> str:
        """The digest that tells this table from all others, whatever is in its place now."""
        return seal_of([end_of(self.data)])

    def bad(self, why: str) -> BadTable:
        """The error for this file."""
        return BadTable(f"{self.name} is not a complete table: {why}; solve the game again")

    def read_end(self) -> tuple[Header, bytes]:
        """The header, and the index as bytes."""
        data, tail = self.data, TAIL.size + len(MARK)
        if len(data) < tail + len(MARK) or data[: len(MARK)] != MARK:
            raise self.bad("it does not begin like one")
        end = data[-tail:]
        if len(end) < tail or not end.endswith(MARK):
            raise self.bad("its end is missing")
        index_length, header_length, index_check, header_check = TAIL.unpack_from(end)
        self.end_length = tail + header_length + index_length
        if self.end_length + len(MARK) > len(data):
            raise self.bad("its lengths are wrong")
        if header_length > MOST_BYTES:
            raise self.bad("its header is too long")
        text = data[-tail - header_length : -tail]
        if zlib.crc32(text) != header_check:
            raise self.bad("its header is damaged")
        header = self.read_header(text)
        blocks = 0 if header.parts is not None else -(-header.classes // header.block)
        if index_length != (header.key_bytes + 8) * blocks:
            raise self.bad("its index has the wrong length")
        index = data[-self.end_length : -tail - header_length]
        if zlib.crc32(index) != index_check:
            raise self.bad("its index is damaged")
        return header, index

    def read_header(self, text: bytes) -> Header:
        """The header, if this version can read it."""
        try:
            header = parse_header(text)
        except Unfit as fault:
            raise self.bad(str(fault)) from None
        if header is None:
            raise BadTable(
                f"{self.name} has a format that this version of perfectplay cannot read; solve the game again"
            )
        return header

    def read_index(self, index: bytes) -> tuple[list[int], list[int], list[int]]:
        """The first key, length and checksum of each block."""
        entries = list(struct.iter_unpack(f"<{self.header.key_bytes}sII", index))
        firsts = [int.from_bytes(first, "little") for first, _, _ in entries]
        if any(after <= before for before, after in pairwise(firsts)):
            raise self.bad("the keys in its index are not sorted")
        return firsts, [length for _, length, _ in entries], [check for _, _, check in entries]

    def block_bytes(self, number: int) -> bytes:
        """The compressed block, its checksum verified."""
        data = self.data[self.places[number] : self.places[number + 1]]
        if zlib.crc32(data) != self.checks[number]:
            raise self.bad(f"block {number:,} is damaged")
        return data

    def place(self, number: int) -> tuple["Reader", int]:
        """The file with the block, and the block's number in it; a table in parts has several."""
        return self, number

    def count(self, number: int) -> int:
        """The number of keys in a block."""
        return min(self.header.block, self.header.classes - number * self.header.block)

    def text(self, number: int) -> bytes:
        """The bytes of a block, decompressed."""
        try:
            data = self.block_bytes(number)
            return unpack(data, self.count(number), self.header.key_bytes, self.header.grade_bytes)
        except (ValueError, zlib.error) as fault:
            raise self.does_not_unpack(number) from fault

    def does_not_unpack(self, number: int) -> BadTable:
        """The error for a damaged block."""
        return self.bad(f"block {number:,} does not unpack")

    def block(self, number: int) -> Block:
        """A block."""
        try:
            block = Block(self.text(number), self.firsts[number], self.count(number))
        except ValueError as fault:
            raise self.does_not_unpack(number) from fault
        if block.end >= self.limit(number):
            raise self.bad(f"the keys of block {number:,} reach into the next")
        if not block.has_grades_below(self.grades.size):
            raise self.bad(f"block {number:,} has an invalid grade")
        return block

    def limit(self, number: int) -> int:
        """A number that is greater than all keys of a block, and not greater than those of the next."""
        return self.firsts[number + 1] if number + 1 < len(self.firsts) else self.beyond

    def cached_block(self, number: int) -> Block:
        """A block, kept for the next time."""
        place = self.before + number
        block = self.cache.blocks.get(place)
        if block is None:
            block = self.block(number)
            self.cache.add(place, block)
        return block

    def grade(self, key: int) -> int:
        """The grade of the key, or 0 if the table lacks it."""
        number = bisect_right(self.firsts, key) - 1
        return 0 if number < 0 else self.cached_block(number).grade(key)


class BlockCache:
    """Blocks by number, in a limited number of bytes; the oldest make room for others."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.blocks: dict[int, Block] = {}
        self.order: deque[int] = deque()
        self.lock = Lock()

    def add(self, number: int, block: Block) -> None:
        """Adds a block."""
        with self.lock:
            if number not in self.blocks:
                self.room -= block.memory
                while self.room < 0 and self.order:
                    self.room += self.blocks.pop(self.order.popleft()).memory
                self.blocks[number] = block
                self.order.append(number)


def file_reader(path: str | os.PathLike[str], part: int | None = None) -> Reader:
    """The reader of one file; raises BadTable, also for a part of another table."""
    reader = Reader(bytes_of(path), str(path))
    if not reader.header.rules:
        raise reader.bad("it names no rules")
    if reader.header.part != part:
        raise BadTable(f"{str(path)!r} is a part of a table; write the name of the table without {Path(path).suffix}")
    return reader


def bytes_of(path: str | os.PathLike[str]) -> FileBytes:
    """The bytes of the file; raises BadTable."""
    try:
        return FileBytes(path)
    except (OSError, ValueError) as fault:  # ValueError: a name with a null character
        raise unreadable(path, fault) from None


def unreadable(path: str | os.PathLike[str], fault: OSError | ValueError) -> BadTable:
    """The error for a file whose bytes cannot be had."""
    return BadTable(f"{str(path)!r} cannot be read as a table: {getattr(fault, 'strerror', None) or fault}")


# The stream of a table while its game is solved: its file may fail without the solution being lost.


class TableSink:
    """Forwards all writes until one fails; then `fault` is the reason, and there is no table."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.fault: OSError | None = None
        self.leftovers: list[Callable[[], None]] = []
        """Each removes what a solve could be resumed from."""

    def write(self, data: bytes, /) -> None:
        """Writes the data."""
        if self.fault is None:
            try:
                self.file.write(data)
            except OSError as fault:
                self.fault = fault

    def clean_up(self) -> None:
        """Removes what is not needed any more, since the table is in its place or will never be."""
        for remove in self.leftovers:
            remove()


def after_table(sink: Sink | None, remove: Callable[[], None]) -> None:
    """Removes what a solve could be resumed from: once its table is in its place, or now if none is written."""
    if isinstance(sink, TableSink):
        sink.leftovers.append(remove)
    else:
        remove()


# How much of a table has been checked: a small file beside it, bound to this very table by sizes and checksums.
#
# Without such a file, or with one of another table, nothing is known.


ENDING = ".checked"
SEALED = 64
"""The last bytes of a file of a table: they have the checksums of its header and of its index, which has all others."""
BEGIN = b'{"table": '
"""The first bytes of a mark."""
MOST = 1 << 12
"""The most bytes of a mark."""
REPLACED = "another table has taken its place meanwhile"


def mark_of(path: Path) -> Path:
    """The path of a table's mark."""
    path = path.resolve()
    return path.with_name(f"{path.name}{ENDING}")


def read_mark(path: Path, table: str = "") -> float | None:
    """The part of the classes that has been checked, 1 for all; None if that is not known of the table with the seal.

    Without a seal, it is the table that is there now.
    """
    try:
        facts = json.loads(mark_of(path).read_bytes()[:MOST])
        if facts["table"] == (table or seal(path, facts["parts"])):
            part = 1.0 if facts["checked"] == "all" else float(facts["checked"])
            return part if part == 1.0 or 0 <= part < 1 else None
    except (OSError, ValueError, TypeError, LookupError):
        pass
    return None


def write_mark(path: Path, part: float, table: str, parts: int = 0) -> None:
    """Writes the mark of the table with that seal; raises OSError, also if another is in its place now."""
    mark = mark_of(path)
    if seal(path, parts) != table:
        raise FileExistsError(EEXIST, REPLACED, str(path))
    if mark.exists() and not mark.read_bytes()[:MOST].startswith(BEGIN):
        raise FileExistsError(EEXIST, "another file is there", str(mark))
    text = json.dumps({"table": table, "parts": parts, "checked": "all" if part == 1 else part})
    with replacing(mark) as sink:
        sink.write(f"{text}\n".encode())


def remove_mark(path: Path) -> None:
    """Removes the mark of a table, if it has one."""
    mark_of(path).unlink(missing_ok=True)


def remove_marks_without_tables(folder: Path) -> None:
    """Removes the marks in that folder whose tables are gone."""
    for mark in folder.glob(f"*{ENDING}"):
        if not mark.with_name(mark.name.removesuffix(ENDING)).exists():
            with suppress(OSError):  # a read-only folder
                mark.unlink()


def seal(path: Path, parts: int = 0) -> str:
    """The seal of the table that is in that file and its parts now; raises OSError."""
    path = path.resolve()
    ends = []
    for file in (path, *(path.with_name(f"{path.name}.{number:04}") for number in range(parts))):
        with file.open("rb") as data:
            size = data.seek(0, 2)
            data.seek(max(0, size - SEALED))
            ends.append((size, data.read(SEALED)))
    return seal_of(ends)


def seal_of(ends: Iterable[tuple[int, bytes]]) -> str:
    """A digest that tells a table from all others, from the size and the last bytes of each of its files."""
    return sha256(b"".join(f"{size} ".encode() + tail for size, tail in ends)).hexdigest()


def mark_field(part: float | None) -> str | float | None:
    """The part as JSON has it: "all", a number below 1 of two digits, or None if it is not known."""
    return part if part is None else "all" if part == 1 else min(0.99, float(f"{part:.2g}"))


def mark_text(part: float | None, classes: int) -> str:
    """The part as a sentence has it."""
    if part is None:
        return "not known to be checked"
    if part == 1:
        return "checked completely"
    return f"checked in a sample of {round(part * classes):,} canonical positions" if part else "not checked"
