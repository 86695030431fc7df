"""SVG -> PNG, where the package resvg-py is installed; `pip install perfectplay[pictures]` gets it."""

from functools import lru_cache
from importlib.util import find_spec

from perfectplay.extras import imported

SERIF, SANS = "DejaVu Serif", "DejaVu Sans"
"""Typefaces that most systems without a display have."""


def draws_png() -> bool:
    """Whether there is something to draw with."""
    return find_spec("resvg_py") is not None


@lru_cache(maxsize=64)
def png_of(svg: str) -> bytes:
    """The drawing as PNG, as large as it says; its style may have no variables."""
    resvg = imported("resvg_py", "pictures", "a PNG")
    return bytes(resvg.svg_to_bytes(svg_string=svg, serif_family=SERIF, sans_serif_family=SANS))
