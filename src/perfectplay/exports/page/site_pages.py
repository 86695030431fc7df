"""The pages of a site: the gallery as its index, and one single-file page per game."""

import re
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from perfectplay.exports.page import ASSETS
from perfectplay.exports.page.cards import HEADLINE, LEAD, card
from perfectplay.exports.page.game_data import Fields, about_game
from perfectplay.exports.page.page_bundle import whole_gallery
from perfectplay.exports.page.page_export import page_of, page_that_searches
from perfectplay.exports.page.page_solution import MOST_CLASSES, Carried, check_size
from perfectplay.exports.page.site_folder import INDEX
from perfectplay.game import COMPILED_BITS, Game, images
from perfectplay.rules.loading import split_game
from perfectplay.solvers.memory.interpreted import is_larger
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.views.png import draws_png, png_of
from perfectplay.views.scoped_style import plain_style

HOME = f"./{INDEX}"
UNSURE = 10
"""A forecast may be so many times too high."""


class Place(NamedTuple):
    """Where the pages are written, and the address at which the world will find them, if it is known."""

    folder: Path
    url: str


def page_names(games: list[Game]) -> list[str]:
    """The name of each game's page, without its ending: letters, digits and hyphens, all different."""
    found = ["index"]
    for game in games:
        plain = re.sub("[^A-Za-z0-9]+", "-", Path(game.name).name.replace(".py", "")).strip("-").lower() or "game"
        same = (name for i in range(2, len(games) + 3) if (name := f"{plain}-{i}") not in found)
        found.append(next(same) if plain in found else plain)
    return found[1:]


def is_own(game: Game) -> bool:
    """Whether a game is in a file of the user's own."""
    return split_game(game.name)[0] is not None


def check_forecast(game: Game) -> None:
    """Raises TooBig if the game has certainly too many positions for a page, without solving it."""
    table = kept_table(game)
    if table is not None:
        check_size(game, table.header.classes)
    elif game.bits > COMPILED_BITS:
        solved_oracle(game)
    elif is_larger(game, UNSURE * MOST_CLASSES * images(game).count):
        check_size(game, MOST_CLASSES + 1)


def game_page(game: Game, carried: Carried | None, name: str, place: Place) -> Steps[Fields]:
    """Writes the page of a game and its picture, and returns its card; a game that is not `carried` is searched."""
    entry = solved_oracle(game).lookup(game.start) if carried else None
    fields = card(Path(game.name).name, game, about_game(game), entry, is_own(game))
    known = f"{fields['known']} with best play." if fields["value"] else ""
    preview = preview_fields(place, name, fields["title"], f"{fields['about']} {known}".strip(), f"{name}.html")
    if carried:
        page = yield from page_of(game, carried, preview, HOME)
    else:
        _, page = yield from page_that_searches(game, preview, HOME)
    (place.folder / f"{name}.html").write_bytes(page)
    if draws_png():
        (place.folder / f"{name}.png").write_bytes(card_preview(fields))
    return {**fields, "link": f"./{name}.html"}


def index_page(cards: list[Fields], place: Place) -> None:
    """Writes the gallery and its picture."""
    page = whole_gallery(cards, preview_fields(place, "index", HEADLINE, LEAD, ""), HOME)
    (place.folder / INDEX).write_bytes(page)
    if draws_png():
        (place.folder / "index.png").write_bytes(gallery_preview(HEADLINE, LEAD, cards))


def preview_fields(place: Place, name: str, title: str, about: str, page: str) -> Fields:
    """What other sites are told about a page."""
    image = f"{place.url or '.'}/{name}.png" if draws_png() else ""
    return {"title": title, "about": about, "image": image, "address": f"{place.url}/{page}" if place.url else ""}


# The picture that other sites show beside a link: a board, its title, and what is known, 1200 by 630.


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
