"""SVG frames -> an animated GIF, with Pillow and resvg-py; `pip install perfectplay[pictures]` gets both."""

from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from perfectplay.extras import imported
from perfectplay.pictures.png import png_of

COLOURS = 256
"""The most that a GIF has."""
LOOKED_AT = 5
"""The frames of which the colours are looked at: pieces and boards are the same in all."""


def gif_of(frames: Sequence[str], seconds: Sequence[float]) -> bytes:
    """The frames one after another for ever, each for its time; all have the colours of one palette."""
    image = imported("PIL.Image", "pictures", "a GIF")
    drawn = [image.open(BytesIO(png_of(frame))).convert("RGB") for frame in frames]
    palette = common_colours(image, drawn)
    plain = [frame.quantize(palette=palette, dither=image.Dither.NONE) for frame in drawn]
    sink = BytesIO()
    times = [round(1000 * one) for one in seconds]
    plain[0].save(
        sink, "GIF", save_all=True, append_images=plain[1:], duration=times, loop=0, optimize=False, disposal=1
    )
    return sink.getvalue()


def common_colours(image: Any, drawn: Sequence[Any]) -> Any:
    """An image with the palette for all frames: the most frequent colours of the last and of some before it."""
    counts: Counter[Any] = Counter()
    for frame in drawn[::-1][:: -(-len(drawn) // LOOKED_AT)]:
        wide, high = frame.size
        counts.update({colour: count for count, colour in frame.getcolors(wide * high)})
    chosen: dict[tuple[int, ...], tuple[int, ...]] = {}
    for colour, _ in counts.most_common():  # of colours that Pillow does not tell apart the most frequent one
        chosen.setdefault(tuple(part >> 2 for part in colour), colour)
    palette = image.new("P", (1, 1))
    palette.putpalette([part for colour in [*chosen.values()][:COLOURS] for part in colour])
    return palette
