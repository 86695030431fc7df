"""An episode on a screen: printed, as text, or as an array of pixels."""

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.rl.episode import Episode, one_of
from perfectplay.rules.notation import draw_position
from perfectplay.views.png import png_of
from perfectplay.words import require

HUMAN, ANSI, RGB = "human", "ansi", "rgb_array"
RENDER_MODES = [HUMAN, ANSI, RGB]
UNASKED = "render() shows nothing: make the environment with render_mode='human', 'ansi' or 'rgb_array'"


class Screen:
    """Shows an episode in one of the render modes; None shows nothing.

    human prints the board whenever it has changed, ansi returns it as text, rgb_array as pixels.
    """

    def __init__(self, mode: str | None) -> None:
        one_of("render_mode", mode, (*RENDER_MODES, None))
        self.mode = mode
        self.printed: object = None
        if mode == RGB:
            for package in ("resvg_py", "PIL.Image"):
                require(package, "rl", "render_mode='rgb_array'")

    def update(self, episode: Episode) -> None:
        """Shows the episode to people after a change."""
        if self.mode == HUMAN:
            self.render(episode)

    def render(self, episode: Episode) -> Any:
        """What a call of render returns in this mode."""
        if self.mode is None:
            require("gymnasium.logger", "rl", "an environment").warn(UNASKED)
            return None
        if self.mode == RGB:
            return pixels(episode)
        board = draw_position(episode.game, episode.position, episode.side)
        if self.mode == ANSI:
            return board
        now = episode.start, tuple(episode.moves)
        if self.printed != now:
            print(board, end="\n\n", flush=True)
        self.printed = now
        return None


def pixels(episode: Episode) -> NDArray[np.uint8]:
    """The board as an array of (height, width, 3), both even, as makers of videos want them."""
    from perfectplay.views.board_picture import board_picture

    images = require("PIL.Image", "rl", "render_mode='rgb_array'")
    picture = images.open(BytesIO(png_of(board_picture(episode.game, episode.position, episode.side, dark=False))))
    paper = images.new("RGBA", (picture.width + picture.width % 2, picture.height + picture.height % 2), "white")
    paper.alpha_composite(picture.convert("RGBA"))
    return np.array(paper.convert("RGB"))
