"""The pages of a site: the gallery as its index, and one single-file page per game."""

import re
from pathlib import Path
from typing import NamedTuple

from perfectplay.exports.page.cards import HEADLINE, LEAD, card
from perfectplay.exports.page.game_data import Fields, about_game
from perfectplay.exports.page.page_bundle import whole_gallery
from perfectplay.exports.page.page_export import page_of, page_that_searches
from perfectplay.exports.page.page_solution import MOST_CLASSES, Carried, check_size
from perfectplay.exports.page.preview import card_preview, gallery_preview
from perfectplay.exports.page.site_folder import INDEX
from perfectplay.game import COMPILED_BITS, Game, images
from perfectplay.rules.loading import split_path
from perfectplay.solvers.lookup_or_solve import lookup_for
from perfectplay.solvers.memory.interpreted import is_larger
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.views.png import draws_png

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
    return split_path(game.name)[0] is not None


def check_forecast(game: Game) -> None:
    """Raises TooBig if the game has certainly too many positions for a page, without solving it."""
    table = kept_table(game)
    if table is not None:
        check_size(game, table.header.classes)
    elif game.bits > COMPILED_BITS:
        lookup_for(game)
    elif is_larger(game, UNSURE * MOST_CLASSES * images(game).count):
        check_size(game, MOST_CLASSES + 1)


def game_page(game: Game, carried: Carried | None, name: str, place: Place) -> Steps[Fields]:
    """Writes the page of a game and its picture, and returns its card; a game that is not `carried` is searched."""
    entry = lookup_for(game)(game.start) if carried else None
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
