"""A game move by move: pictures with a caption, an SVG that plays them, and the frames of a GIF."""

from collections.abc import Collection, Iterator, Sequence
from html import escape
from io import BytesIO
from typing import Any, NamedTuple

from perfectplay.game import Game
from perfectplay.rules.outputs import COMMENT
from perfectplay.views.board_art import LETTER, Box, art_of
from perfectplay.views.board_picture import (
    EDGE,
    board_shapes,
    ground_layer,
    mark_layer,
    picture_description,
    picture_title,
    piece_layer,
    whole_picture,
    with_edge,
)
from perfectplay.views.document import Hints
from perfectplay.views.png import png_of
from perfectplay.views.scoped_style import PREFIX, ROOT
from perfectplay.words import Position, require

CAPTION = 0.06
"""The height of a line of the caption, in widths of the picture; letters are two thirds as high."""
HELD = 4
"""How many times as long as others the last frame stays."""


class Frame(NamedTuple):
    """A position of a game: what the last move changed, what moves are worth, and up to two lines below the board."""

    position: Position
    side: int
    changed: Collection[int] = ()
    hints: Hints | None = None
    caption: tuple[str, ...] = ()


def frame_picture(game: Game, frame: Frame, lines: int, size: int | None, dark: bool | None) -> str:
    """One frame as a picture, with room for so many lines below the board."""
    box = with_caption(game, lines)
    shapes = board_shapes(game, frame.position, frame.side, frame.changed, frame.hints, labels=True)
    title = (
        picture_title(game, frame.position, frame.side),
        picture_description(game, frame.position, frame.side, frame.hints),
    )
    return whole_picture(game, box, shapes + caption_svg(frame.caption, box, lines), title, size, dark)


def moving_picture(
    game: Game, frames: Sequence[Frame], lines: int, delay: float, size: int | None, dark: bool | None
) -> str:
    """All frames in one SVG that shows them in turn, without JavaScript; where nothing moves, the last one shows.

    The board is drawn once. Who has asked the system for less motion sees the last frame.
    """
    box, art, last = with_caption(game, lines), art_of(game), frames[-1]
    below = [piece_layer(game, frame.position, frame.side, frame.changed) for frame in frames]
    above = [
        mark_layer(game, frame.position, frame.side, frame.hints) + caption_svg(frame.caption, box, lines)
        for frame in frames
    ]
    shapes = art.under + ground_layer(game, labels=True) + shown_in_turn(below, delay)
    shapes += art.over + shown_in_turn(above, delay)
    words = "; ".join(dict.fromkeys(line for frame in frames for line in frame.caption))
    title = picture_title(game, last.position, last.side), f"{len(frames)} positions in turn: {words}."
    return whole_picture(game, box, shapes, title, size, dark, turning(len(frames), delay))


def with_caption(game: Game, lines: int) -> Box:
    """The box of the picture with room for so many lines below the board."""
    x, y, wide, high = with_edge(art_of(game).box)
    return x, y, wide, round(high + lines * line_height(wide, high) + (EDGE / 2 if lines else 0), 2)


def line_height(wide: float, high: float) -> float:
    """How high a line of the caption is."""
    return CAPTION * max(wide, high)


def caption_svg(caption: Sequence[str], box: Box, lines: int) -> str:
    """The lines below the board, the first one stronger; long ones are smaller."""
    if not lines:
        return ""
    x, y, wide, high = box
    step = CAPTION * max(wide, (high - EDGE / 2) / (1 + lines * CAPTION))
    parts = []
    for number, line in enumerate(caption):
        letters = min(step * 0.67, (wide - 2 * EDGE) / max(1, len(line)) / LETTER)
        down = y + high - EDGE - (lines - number - 0.75) * step
        kind = "caption quiet" if number else "caption"
        place = f'x="{x + wide / 2:.2f}" y="{down:.2f}" font-size="{letters:.2f}"'
        parts.append(f'<text class="{kind}" {place} text-anchor="middle">{escape(line)}</text>')
    return "".join(parts)


def shown_in_turn(layers: Sequence[str], delay: float) -> str:
    """Groups of which one shows at a time; without animation the last."""
    last = len(layers) - 1
    groups = (
        f'<g class="{"end" if number == last else "turn"}" visibility="{"visible" if number == last else "hidden"}" '
        f'style="animation-delay:{begin:g}s">{layer}</g>'
        for number, (layer, begin) in enumerate(zip(layers, begins(len(layers), delay), strict=True))
    )
    return "".join(groups)


def begins(count: int, delay: float) -> Iterator[float]:
    """When each frame begins to show, as long before now as makes the first one show first."""
    whole = length(count, delay)
    return (round(number * delay - whole, 3) for number in range(count))


def length(count: int, delay: float) -> float:
    """The seconds that all frames take together."""
    return (count - 1 + HELD) * delay


def turning(count: int, delay: float) -> str:
    """The rules of style that show frames in turn: each for its part of the time."""
    whole = length(count, delay)
    rules = []
    for name, part in (("turn", delay), ("end", HELD * delay)):
        share = f"{100 * part / whole:.4f}%"
        rules.append(f"@keyframes {ROOT}-{name}{{0%{{visibility:visible}}{share},100%{{visibility:hidden}}}}")
        rules.append(f".{ROOT} .{PREFIX}{name}{{animation:{ROOT}-{name} {whole:g}s step-end infinite}}")
    return f"@media (prefers-reduced-motion:no-preference){{{''.join(rules)}}}"


# SVG frames -> an animated GIF, with Pillow and resvg-py; `pip install perfectplay[pictures]` gets both.


COLOURS = 256
"""The most that a GIF has."""


def gif_of(frames: Sequence[str], seconds: Sequence[float]) -> bytes:
    """The frames one after another for ever, each for its time; all have the colours of one palette."""
    import numpy as np  # only when it is wanted

    image = require("PIL.Image", "pictures", "a GIF")
    frame_codes = [codes_of(image.open(BytesIO(png_of(frame))).convert("RGB")) for frame in frames]
    each = [np.unique(codes, return_counts=True) for codes in frame_codes]
    colours, where = np.unique(np.concatenate([codes for codes, _ in each]), return_inverse=True)
    counts = np.bincount(where, weights=np.concatenate([count for _, count in each]))
    palette = colours[np.argsort(-counts, kind="stable")[:COLOURS]]
    nearest = nearest_colours(colours, palette)
    plain = []
    for codes in frame_codes:
        frame = image.fromarray(nearest[np.searchsorted(colours, codes)])
        frame.putpalette(parts_of(palette).astype(np.uint8).tobytes())
        plain.append(frame)
    sink = BytesIO()
    times = [round(1000 * one) for one in seconds]
    how = {"duration": times, "loop": 0, "optimize": False, "comment": COMMENT}
    plain[0].save(sink, "GIF", save_all=True, append_images=plain[1:], **how)
    return sink.getvalue()


def codes_of(image: Any) -> Any:
    """Each pixel as one number: red, green and blue."""
    import numpy as np

    pixels = np.asarray(image, np.uint32)
    return pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]


def nearest_colours(colours: Any, palette: Any) -> Any:
    """For each colour the number of the one in the palette that differs least."""
    import numpy as np

    shades = parts_of(palette)
    numbers = np.empty(len(colours), np.uint8)
    for begin in range(0, len(colours), 4096):  # a few megabytes at a time
        some = parts_of(colours[begin : begin + 4096])
        numbers[begin : begin + 4096] = ((some[:, None] - shades[None]) ** 2).sum(axis=2).argmin(axis=1)
    return numbers


def parts_of(colours: Any) -> Any:
    """The red, green and blue of each colour."""
    import numpy as np

    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.int64)
