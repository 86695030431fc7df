"""SVG -> PNG, where the package resvg-py is installed; `pip install perfectplay[pictures]` gets it."""

import struct
import zlib
from functools import lru_cache
from importlib.util import find_spec

from perfectplay.rules.outputs import SOFTWARE
from perfectplay.words import require

SERIF, SANS = "DejaVu Serif", "DejaVu Sans"
"""Typefaces that most systems without a display have."""
HEADER = 33
"""The bytes of a PNG up to the end of its first chunk."""


def draws_png() -> bool:
    """Whether there is something to draw with."""
    return find_spec("resvg_py") is not None


@lru_cache(maxsize=64)
def png_of(svg: str) -> bytes:
    """The drawing as PNG, as large as it says; its style may have no variables."""
    resvg = require("resvg_py", "pictures", "a PNG")
    return with_software(bytes(resvg.svg_to_bytes(svg_string=svg, serif_family=SERIF, sans_serif_family=SANS)))


def with_software(png: bytes) -> bytes:
    """The picture with the name of its software, after the header."""
    chunk = b"tEXt" + SOFTWARE
    text = struct.pack(">I", len(SOFTWARE)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return png[:HEADER] + text + png[HEADER:]
