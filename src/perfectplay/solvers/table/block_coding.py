"""A block of a table: up to 2,048 sorted keys and their grades, compressed and checksummed.

zlib compresses these bytes: one byte w; the steps from key to key, w bytes each, lowest byte first, written
in planes (all lowest bytes, then all second bytes, ...); the grades in planes likewise, one or two bytes each.
The first key of a block is in the table's index.
"""

import ctypes
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from zlib import adler32

SIZE = 2048
"""Keys per block: fewer compress worse, more take longer to look up."""
STRIDE = 256
"""Keys from mark to mark in a decompressed block: as many bytes as `byte_sum` takes."""
HALVES = tuple(STRIDE >> i for i in range(1, STRIDE.bit_length()))
BYTES = bytes(range(256))
OVERHEAD = 800
"""The bytes of a decompressed block besides keys and grades."""


def pack(keys: Sequence[int], grades: Sequence[int], grade_bytes: int) -> bytes:
    """A block from keys of any size."""
    steps = [after - before for before, after in pairwise(keys)]
    width = max([1, *((step.bit_length() + 7) // 8 for step in steps)])
    return compress(b"".join([bytes([width]), *planes(steps, width), *planes(grades, grade_bytes)]))


def planes(numbers: Sequence[int], width: int) -> list[bytes]:
    """The lowest bytes of all numbers, the second lowest of all, and so on."""
    data = b"".join(number.to_bytes(width, "little") for number in numbers)
    return [data[i::width] for i in range(width)]


def unpack(data: bytes | memoryview, count: int, key_bytes: int, grade_bytes: int) -> bytes:
    """The bytes of a block of `count` keys; raises ValueError or zlib.error if it is damaged.

    It decompresses at most what these keys and grades can take.
    """
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(data, 2 + key_bytes * (count - 1) + grade_bytes * count)
    if not unpacker.eof or unpacker.unused_data or not text:
        raise ValueError("wrong length")
    if not 1 <= text[0] <= key_bytes or len(text) != 1 + text[0] * (count - 1) + grade_bytes * count:
        raise ValueError("wrong length")
    return text


def byte_sum(data: bytes) -> int:
    """The sum of up to 256 bytes: zlib's checksum contains it, and computes it three times as fast as `sum`."""
    return (adler32(data) & 0xFFFF) - 1


class Block:
    """A decompressed block: it finds keys by sums of steps, so that few of them are ever computed."""

    __slots__ = ("count", "end", "grades", "marks", "steps")

    def __init__(self, text: bytes, first: int, count: int) -> None:
        """Raises ValueError if a key stands twice."""
        last, width = count - 1, text[0]
        self.count = count
        self.steps = [text[1 + i * last : 1 + (i + 1) * last] for i in reversed(range(width))]
        """The planes of the steps, the highest bytes first."""
        self.grades = text[1 + width * last :]
        """The planes of the grades, the lowest bytes first."""
        at = self.steps[-1].find(0)
        while at >= 0:
            if not any(plane[at] for plane in self.steps):
                raise ValueError("a key stands twice")
            at = self.steps[-1].find(0, at + 1)
        ways = [0] * -(-last // STRIDE)
        for plane in self.steps:
            ways = [(way << 8) + byte_sum(plane[i * STRIDE : (i + 1) * STRIDE]) for i, way in enumerate(ways)]
        keys = list(accumulate(ways, initial=first))
        self.marks, self.end = keys[: last // STRIDE + 1], keys[-1]
        """Every 256th key, and the last."""

    @property
    def memory(self) -> int:
        """The bytes that it takes, about."""
        return len(self.steps) * self.count + len(self.grades) + OVERHEAD

    def way(self, begin: int, end: int) -> int:
        """The difference of two keys that are at most 256 places apart."""
        total = 0
        for plane in self.steps:
            total = (total << 8) + byte_sum(plane[begin:end])
        return total

    def key(self, place: int) -> int:
        """The key at a place."""
        return self.marks[place // STRIDE] + self.way(place // STRIDE * STRIDE, place)

    def keys(self) -> list[int]:
        """All keys."""
        return list(accumulate(numbers(b"".join(reversed(self.steps)), len(self.steps)), initial=self.marks[0]))

    def grade(self, key: int) -> int:
        """The grade of a key that is not less than the first, or 0 if the block lacks it."""
        *others, lowest = self.steps
        part = bisect_right(self.marks, key) - 1
        rest, at = key - self.marks[part], part * STRIDE
        for size in HALVES:
            if not rest:
                break
            end = at + size
            if end < self.count:
                way = (adler32(lowest[at:end]) & 0xFFFF) - 1  # byte_sum: a call takes a tenth of a lookup
                if way <= rest:
                    high = 0
                    for plane in others:
                        high = (high << 8) + (adler32(plane[at:end]) & 0xFFFF) - 1
                    way += high << 8
                    if way <= rest:
                        rest, at = rest - way, end
        return 0 if rest else int.from_bytes(self.grades[at :: self.count], "little")

    def all_grades(self) -> Sequence[int]:
        """The grades of all keys."""
        return numbers(self.grades, len(self.grades) // self.count)

    def has_grades_below(self, limit: int) -> bool:
        """Whether all grades are at least 1 and less than the limit."""
        if len(self.grades) > self.count:
            return min(self.all_grades()) > 0 and max(self.all_grades()) < limit
        return 0 not in self.grades and not self.grades.translate(None, BYTES[:limit])


def numbers(data: bytes, used: int) -> Sequence[int]:
    """The numbers with these planes."""
    if used == 1:
        return data
    count = len(data) // used
    width = 8 if used <= 8 else used
    text = bytearray(count * width)
    for i in range(used):
        text[i::width] = data[i * count : (i + 1) * count]
    if width > 8:
        return [int.from_bytes(text[i : i + width], "little") for i in range(0, len(text), width)]
    words = array("Q", bytes(text))
    if sys.byteorder == "big":
        words.byteswap()
    return words


# How a block of a table is compressed: by zlib, with its function for Python or with the one for C.


LEVEL = 1
"""The zlib level: level 6 saves another tenth of the size and takes twice the time."""


def compress(text: bytes) -> bytes:
    """A block from its bytes before compression."""
    return zlib.compress(text, LEVEL)


def compress_bound(size: int) -> int:
    """At least as many bytes as so many may have when they are compressed."""
    return size + (size >> 10) + 64


@cache
def compress_address() -> int | None:
    """The address of `compress2` in the library that the module zlib itself uses; None if it cannot be called.

    Its arguments are the addresses of the result and of its greatest length, then of its length, the address of the
    text, the text's length, and the level; the result is 0.
    """
    try:
        library = ctypes.CDLL(getattr(zlib, "__file__", None))  # None: Python itself, where zlib is a part of it
        function, version = library.compress2, library.zlibVersion
    except (AttributeError, OSError, TypeError):
        return None
    version.restype = ctypes.c_char_p
    if ctypes.sizeof(ctypes.c_ulong) != 8 or version().decode() != zlib.ZLIB_RUNTIME_VERSION:
        return None
    text = bytes(range(256)) * 8 + bytes(2048)
    out, length = ctypes.create_string_buffer(len(text)), ctypes.c_ulong(len(text))
    function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_int)
    failed = function(out, ctypes.byref(length), text, len(text), LEVEL)
    if failed or ctypes.string_at(out, length.value) != compress(text):
        return None
    return ctypes.cast(function, ctypes.c_void_p).value
