"""A block of a table: up to 2,048 sorted keys and their grades, compressed and checksummed.

zlib compresses these bytes: one byte w; the steps from key to key, w bytes each, lowest byte first, written
in planes (all lowest bytes, then all second bytes, ...); the grades in planes likewise, one or two bytes each.
The first key of a block is in the table's index.
"""

import sys
import zlib
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise

from perfectplay.table.block_compression import compressed

SIZE = 2048
"""Keys per block: fewer compress worse, more take longer to look up."""


def pack(keys: Sequence[int], grades: Sequence[int], grade_bytes: int) -> bytes:
    """A block from keys of any size."""
    steps = [after - before for before, after in pairwise(keys)]
    width = max([1, *((step.bit_length() + 7) // 8 for step in steps)])
    return compressed(b"".join([bytes([width]), *planes(steps, width), *planes(grades, grade_bytes)]))


def planes(numbers: Sequence[int], width: int) -> list[bytes]:
    """The lowest bytes of all numbers, the second lowest of all, and so on."""
    data = b"".join(number.to_bytes(width, "little") for number in numbers)
    return [data[i::width] for i in range(width)]


def unpack(data: bytes, first: int, count: int, key_bytes: int, grade_bytes: int) -> tuple[list[int], Sequence[int]]:
    """The keys and grades of a block that starts with this key; raises ValueError or zlib.error if it is damaged.

    It decompresses at most what `count` keys and grades can take.
    """
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(data, 2 + key_bytes * (count - 1) + grade_bytes * count)
    if not unpacker.eof or unpacker.unused_data or not text:
        raise ValueError("wrong length")
    used = text[0]
    middle = 1 + used * (count - 1)
    if not 1 <= used <= key_bytes or len(text) != middle + count * grade_bytes:
        raise ValueError("wrong length")
    steps = numbers(text[1:middle], used)
    if 0 in steps:
        raise ValueError("a key stands twice")
    return list(accumulate(steps, initial=first)), numbers(text[middle:], grade_bytes)


def numbers(data: bytes, used: int) -> Sequence[int]:
    """The numbers with these planes."""
    if used == 1:
        return data
    count = len(data) // used
    width = 8 if used <= 8 else used
    joined = bytearray(count * width)
    for i in range(used):
        joined[i::width] = data[i * count : (i + 1) * count]
    if width > 8:
        return [int.from_bytes(joined[i : i + width], "little") for i in range(0, len(joined), width)]
    words = array("Q", bytes(joined))
    if sys.byteorder == "big":
        words.byteswap()
    return words
