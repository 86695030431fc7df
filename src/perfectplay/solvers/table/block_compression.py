"""How a block of a table is compressed: by zlib, with its function for Python or with the one for C."""

import ctypes
import zlib
from functools import cache

LEVEL = 1
"""The zlib level: level 6 saves another tenth of the size and takes twice the time."""


def compressed(text: bytes) -> bytes:
    """A block from its bytes before compression."""
    return zlib.compress(text, LEVEL)


def most_compressed(size: int) -> int:
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
    if failed or ctypes.string_at(out, length.value) != compressed(text):
        return None
    return ctypes.cast(function, ctypes.c_void_p).value
