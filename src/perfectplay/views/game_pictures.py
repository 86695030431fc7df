"""A game move by move: pictures with a caption, an SVG that plays them, and the frames of a GIF."""

from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.views.board_art import LETTER, Box, art_of
from perfectplay.views.board_picture import (
    EDGE,
    about,
    board_shapes,
    described,
    framed,
    ground_layer,
    mark_layer,
    piece_layer,
    whole_picture,
)
from perfectplay.views.hint_art import Hints
from perfectplay.views.scoped_style import PREFIX, ROOT
from perfectplay.words import Position

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
    title = about(game, frame.position, frame.side), described(game, frame.position, frame.side, frame.hints)
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
    title = about(game, last.position, last.side), f"{len(frames)} positions in turn: {words}."
    return whole_picture(game, box, shapes, title, size, dark, turning(len(frames), delay))


def with_caption(game: Game, lines: int) -> Box:
    """The box of the picture with room for so many lines below the board."""
    x, y, wide, high = framed(art_of(game).box)
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
