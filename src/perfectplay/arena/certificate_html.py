"""The style and the boards of the page of a strategy."""

from html import escape

from perfectplay.game import Game
from perfectplay.rules.notation import show_position
from perfectplay.views.scoped_style import board_size, board_svg
from perfectplay.words import Position

SCALE = 2.2
"""The size of a drawn board."""
PAGE_STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.25rem; margin-top: 2.5rem } h3 { font-size: 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid #8886; vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.boards { display: flex; flex-wrap: wrap; gap: 1.2rem; padding: 0; list-style: none }
.boards li { max-width: 14rem } .boards svg { display: block; margin-bottom: .3rem }
.verdict::before { content: "\\2717\\00a0" } .perfect .verdict::before { content: "\\2713\\00a0" }
.slip { font-weight: 600 } pre { white-space: pre-wrap; padding: .6rem; border: 1px solid #8886 }
"""


def picture(game: Game, position: Position, side: int, changed: list[int]) -> str:
    """The position drawn, the squares of the last move tinted."""
    (width, height), label = board_size(game), escape(show_position(game, position, side))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'width="{width * SCALE:g}" height="{height * SCALE:g}" viewBox="0 0 {width} {height}">'
        f"{board_svg(game, position, side, changed)}</svg>"
    )
