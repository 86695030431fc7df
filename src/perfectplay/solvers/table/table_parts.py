"""A large table in several files: one with the header, which lists the parts, and the parts beside it.

A part is a table of the keys from its first to the next part's. Entries of a missing part are unknown, never guessed.
"""

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from glob import escape
from itertools import accumulate
from pathlib import Path

from perfectplay.processes.folders import replacing
from perfectplay.solvers.table.block_coding import Block
from perfectplay.solvers.table.table_file import (
    TABLE,
    Header,
    Reader,
    Sink,
    Writer,
    bytes_of,
    end_of,
    file_reader,
    seal_of,
)
from perfectplay.words import BadTable

PART_BYTES = 4 << 30
"""The most bytes of a table in one file; larger tables have parts of this size."""


def part_path(path: Path, number: int) -> Path:
    """The path of a part."""
    return path.with_name(f"{path.name}.{number:04}")


def part_paths(path: Path) -> Iterator[Path]:
    """The files that have the names of a table's parts."""
    return path.parent.glob(f"{escape(path.name)}.[0-9][0-9][0-9][0-9]")


def remove_parts(path: Path, begin: int = 0) -> None:
    """Removes the parts of a table from that number on."""
    for part in part_paths(path):
        if int(part.suffix[1:]) >= begin and TABLE.is_ours(part):
            part.unlink(missing_ok=True)


class PartsWriter:
    """Writes a table in parts; its header comes last, so that all parts exist before anyone reads it."""

    def __init__(self, sink: Sink, header: Header, path: Path, most: int) -> None:
        self.sink, self.header, self.path, self.most = sink, header, path.resolve(), most
        self.parts: list[tuple[int, int, int]] = []
        """The first key, the classes and the bytes of each part."""
        self.left, self.bytes = header.classes, 0
        self.stack = ExitStack()
        self.writer: Writer | None = None

    def add(self, first: int, data: bytes) -> None:
        """Writes a block, to a new part if the current one is full."""
        if self.writer is None or self.bytes + len(data) > self.most:
            self.close()
            number = len(self.parts)
            sink = self.stack.enter_context(replacing(part_path(self.path, number)))
            self.writer = Writer(sink, replace(self.header, classes=0, part=number))
            self.parts.append((first, 0, 0))
        self.writer.add(first, data)
        begin, classes, size = self.parts[-1]
        block = min(self.left, self.header.block)
        self.left -= block
        self.bytes += len(data)
        self.parts[-1] = (begin, classes + block, size + len(data))

    def close(self) -> None:
        """Finishes the current part."""
        if self.writer is not None:
            self.writer.header = replace(self.writer.header, classes=self.parts[-1][1])
            self.writer.finish()
            self.stack.close()
            self.writer, self.bytes = None, 0

    def abandon(self, fault: BaseException) -> None:
        """Removes the current part, and those before it unless an earlier table uses them."""
        self.stack.__exit__(type(fault), fault, fault.__traceback__)
        if not self.path.exists():
            remove_parts(self.path)

    def finish(self) -> None:
        """Writes the header."""
        self.close()
        remove_parts(self.path, len(self.parts))
        Writer(self.sink, replace(self.header, parts=[list(part) for part in self.parts])).finish()


class Parts:
    """Looks up keys in the parts of a table; opens each part when it is first needed."""

    def __init__(self, head: Reader, path: Path) -> None:
        assert head.header.parts is not None
        self.name, self.header, self.path, self.head = head.name, head.header, path, head
        self.grades = self.header.scale
        self.parts = head.header.parts
        self.begins = [first for first, _, _ in self.parts]
        self.blocks = [-(-classes // self.header.block) for _, classes, _ in self.parts]
        self.ends = list(accumulate(self.blocks))
        self.size = len(head.data) + sum(size for _, _, size in self.parts)
        self.open: dict[int, Reader] = {}
        self.cache = head.cache

    @property
    def seal(self) -> str:
        """The digest of all files: of those that are open, whatever is in their places now; raises BadTable."""
        paths = (part_path(self.path, number) for number in range(len(self.parts)))
        files = (self.open[i].data if i in self.open else bytes_of(path) for i, path in enumerate(paths))
        return seal_of(map(end_of, (self.head.data, *files)))

    def part(self, number: int) -> Reader:
        """The part of that number; raises BadTable if it is missing, or is another table's."""
        if number not in self.open:
            path = part_path(self.path, number)
            if not path.exists():
                raise BadTable(f"{path} is missing, so that part of the table is unknown; restore the file")
            reader, (first, classes, size) = file_reader(path, number), self.parts[number]
            if reader.header != replace(self.header, parts=None, part=number, classes=classes):
                raise BadTable(f"{path} is a part of another table; solve the game again")
            if reader.firsts[0] != first or sum(reader.lengths) != size:
                raise reader.bad("it does not match the header of the table")
            if number + 1 < len(self.parts):
                reader.beyond = self.parts[number + 1][0]
            reader.cache, reader.before = self.cache, self.ends[number] - self.blocks[number]
            self.open[number] = reader
        return self.open[number]

    @cached_property
    def firsts(self) -> list[int]:
        """The first key of every block."""
        return [first for number in range(len(self.begins)) for first in self.part(number).firsts]

    def place(self, number: int) -> tuple[Reader, int]:
        """The part with the block, and the block's number in it."""
        part = bisect_right(self.ends, number)
        return self.part(part), number - self.ends[part] + self.blocks[part]

    def block(self, number: int) -> Block:
        """A block."""
        part, at = self.place(number)
        return part.block(at)

    def cached_block(self, number: int) -> Block:
        """A block, kept for the next time."""
        part, at = self.place(number)
        return part.cached_block(at)

    def grade(self, key: int) -> int:
        """The grade of the key, or 0 if the table lacks it; raises BadTable where it is unknown."""
        number = bisect_right(self.begins, key) - 1
        return 0 if number < 0 else self.part(number).grade(key)
