"""Compresses the blocks of a table with zlib, without Python's global lock where that is possible.

`zlib.compress` holds the lock while it sets up its tables of 256 KiB, most of its time for a block of some kilobytes,
so threads would wait for each other. Called as a C function of the same library, it runs on all of them.
"""

import ctypes
import zlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

LEVEL = 1
"""The zlib level: level 6 saves another tenth of the size and takes twice the time."""
OVERHEAD = 64
"""More bytes than zlib adds to what it cannot compress."""


def compressed(text: bytes) -> bytes:
    """A block from its bytes before compression."""
    return zlib.compress(text, LEVEL)


def compressed_rows(texts: Any) -> list[bytes]:
    """The blocks whose bytes are the rows of a contiguous array."""
    function = c_function()
    if function is None:
        return [compressed(text) for text in texts]
    count, size = texts.shape
    return called(function, range(texts.ctypes.data, texts.ctypes.data + count * size, size), size)


def called(function: Callable[..., int], addresses: Iterable[int], size: int) -> list[bytes]:
    """The blocks of texts of one size at these addresses."""
    most = size + (size >> 10) + OVERHEAD
    out, length, blocks = ctypes.create_string_buffer(most), ctypes.c_ulong(), []
    for address in addresses:
        length.value = most
        if function(out, ctypes.byref(length), address, size, LEVEL) != 0:
            raise MemoryError("zlib has too little memory to compress a block")
        blocks.append(ctypes.string_at(out, length.value))
    return blocks


@cache
def c_function() -> Callable[..., int] | None:
    """The function `compress2` of the library that the module zlib itself uses; None if that cannot be called."""
    try:
        library = ctypes.CDLL(getattr(zlib, "__file__", None))  # None: Python itself, where zlib is a part of it
        function, version = library.compress2, library.zlibVersion
    except (AttributeError, OSError, TypeError):
        return None
    function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int)
    version.restype = ctypes.c_char_p
    sample = bytes(range(256)) * 8 + bytes(2048)
    kept = ctypes.create_string_buffer(sample, len(sample))
    same = version().decode() == zlib.ZLIB_RUNTIME_VERSION
    return (
        function if same and called(function, [ctypes.addressof(kept)], len(sample)) == [compressed(sample)] else None
    )
