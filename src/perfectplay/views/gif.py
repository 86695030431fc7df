"""SVG frames -> an animated GIF, with Pillow and resvg-py; `pip install perfectplay[pictures]` gets both."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from perfectplay.rules.outputs import COMMENT
from perfectplay.views.png import png_of
from perfectplay.words import require

COLOURS = 256
"""The most that a GIF has."""


def gif_of(frames: Sequence[str], seconds: Sequence[float]) -> bytes:
    """The frames one after another for ever, each for its time; all have the colours of one palette."""
    import numpy as np  # only when it is wanted

    image = require("PIL.Image", "pictures", "a GIF")
    coded = [codes_of(image.open(BytesIO(png_of(frame))).convert("RGB")) for frame in frames]
    each = [np.unique(codes, return_counts=True) for codes in coded]
    colours, where = np.unique(np.concatenate([found for found, _ in each]), return_inverse=True)
    counts = np.bincount(where, weights=np.concatenate([count for _, count in each]))
    palette = colours[np.argsort(-counts, kind="stable")[:COLOURS]]
    nearest = nearest_colours(colours, palette)
    plain = []
    for codes in coded:
        frame = image.fromarray(nearest[np.searchsorted(colours, codes)])
        frame.putpalette(parts_of(palette).astype(np.uint8).tobytes())
        plain.append(frame)
    sink = BytesIO()
    times = [round(1000 * one) for one in seconds]
    how = {"duration": times, "loop": 0, "optimize": False, "comment": COMMENT}
    plain[0].save(sink, "GIF", save_all=True, append_images=plain[1:], **how)
    return sink.getvalue()


def codes_of(drawn: Any) -> Any:
    """Each pixel as one number: red, green and blue."""
    import numpy as np

    pixels = np.asarray(drawn, np.uint32)
    return pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]


def nearest_colours(colours: Any, palette: Any) -> Any:
    """For each colour the number of the one in the palette that differs least."""
    import numpy as np

    shades = parts_of(palette)
    found = np.empty(len(colours), np.uint8)
    for begin in range(0, len(colours), 4096):  # a few megabytes at a time
        some = parts_of(colours[begin : begin + 4096])
        found[begin : begin + 4096] = ((some[:, None] - shades[None]) ** 2).sum(axis=2).argmin(axis=1)
    return found


def parts_of(colours: Any) -> Any:
    """The red, green and blue of each colour."""
    import numpy as np

    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.int64)
