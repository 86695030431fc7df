"""The picture that other sites show beside a link: a board, its title, and what is known, 1200 by 630."""

import re
from html import escape
from textwrap import wrap

from perfectplay.exports.page import ASSETS
from perfectplay.exports.page.game_data import Fields
from perfectplay.views.plain_style import plain_style
from perfectplay.views.png import png_of

WIDE, HIGH = 1200, 630
EDGE, AREA = 80, 470
"""The space around everything, and the side of the square that boards share."""
TEXT = EDGE + AREA + 70
"""Where the text begins."""
STYLE = """
text { fill: #1d2230; font-family: sans-serif; }
.title { font-family: serif; font-weight: 700; font-size: 58px; }
.about { fill: #5c6270; font-size: 30px; }
.known { font-weight: 700; font-size: 30px; }
.brand text { font-family: serif; font-weight: 700; font-size: 32px; }
.brand circle { fill: #e0dacb; }
.brand circle.on { fill: #2456c9; }
.sign.win { fill: #1f62c4; }
.sign.draw { fill: #666d79; }
.sign.loss { fill: #b54b12; }
.sign.open { fill: none; stroke: #5c6270; stroke-width: 3; stroke-dasharray: 6 4; }
"""


def card_preview(card: Fields) -> bytes:
    """The picture of a game, from its card, as PNG."""
    return png_of(drawn(card["title"], card["about"], card["known"], card["value"] or "open", [card["picture"]]))


def gallery_preview(title: str, about: str, cards: list[Fields]) -> bytes:
    """The picture of the gallery with some of its games, as PNG."""
    return png_of(drawn(title, about, "", "", [card["picture"] for card in cards[:4]]))


def drawn(title: str, about: str, known: str, value: str, pictures: list[str]) -> str:
    """The picture as SVG."""
    titles, abouts = lines_of(title, 17, 3), lines_of(about, 33, 4)
    y = HIGH // 2 - (64 * len(titles) + 42 * len(abouts) + (66 if known else 0)) // 2 - 20
    parts = [board(picture, i, len(pictures)) for i, picture in enumerate(pictures)]
    for kind, step, lines in (("title", 64, titles), ("about", 42, abouts)):
        y += 10 if kind == "about" else 0
        for line in lines:
            y += step
            parts.append(f'<text class="{kind}" x="{TEXT}" y="{y}">{escape(line)}</text>')
    if known:
        y += 66
        parts.append(f'<rect class="sign {value}" x="{TEXT}" y="{y - 23}" width="24" height="24" rx="6"/>')
        parts.append(f'<text class="known" x="{TEXT + 40}" y="{y}">{escape(known)}</text>')
    mark = re.sub(" .*?>", ' viewBox="0 0 9 9" width="44" height="44">', (ASSETS / "mark.svg").read_text(), count=1)
    name = '<text x="60" y="33">perfectplay</text>'
    brand = f'<g class="brand" transform="translate({TEXT} {HIGH - EDGE})">{mark}{name}</g>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}"><style>{plain_style()}{STYLE}</style>'
        f'<rect width="{WIDE}" height="{HIGH}" fill="#f6f4ee"/>{"".join(parts)}{brand}</svg>'
    )


def lines_of(text: str, wide: int, most: int) -> list[str]:
    """The text in lines of so many letters, cut off after the last that there is room for."""
    return wrap(text, wide, max_lines=most, placeholder=" …")


def board(picture: str, i: int, count: int) -> str:
    """One of the boards, in its part of the square."""
    across = 1 if count == 1 else 2
    side = AREA / across - (20 if across > 1 else 0)
    x, y = EDGE + i % across * (side + 40), EDGE + i // across * (side + 40)
    return picture.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" ', 1)
