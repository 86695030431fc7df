"""A site: its folder, written whole or not at all, the gallery as its index, and one single-file page per game."""

import json
import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from perfectplay import __version__
from perfectplay.exports.page import ASSETS
from perfectplay.exports.page.cards import FILTERS, HEADLINE, LEAD, card
from perfectplay.exports.page.game_data import Fields, about_game
from perfectplay.exports.page.page_bundle import rendered
from perfectplay.exports.page.page_export import page_of, page_that_searches
from perfectplay.exports.page.page_solution import MOST_CLASSES, Carried, check_size
from perfectplay.game import COMPILED_BITS, Game, images
from perfectplay.processes.folders import is_running, machine, partly
from perfectplay.rules.families import groups
from perfectplay.rules.loading import split_game
from perfectplay.rules.outputs import real_path
from perfectplay.solvers.memory.interpreted import is_larger
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import Steps
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.views.png import draws_png, png_of
from perfectplay.views.scoped_style import plain_style
from perfectplay.words import BadArgument

MANIFEST = "site.json"
"""The file that names all others of a site: by it we know what is ours."""
INDEX = "index.html"


def earlier_files(folder: Path, force: bool = False) -> set[str]:
    """The files of an earlier site in that folder; raises BadArgument if it holds anything else, unless forced."""
    shown = repr(str(folder))
    if folder.exists() and not folder.is_dir():
        raise BadArgument(f"{shown} is there already and is not a folder; write the name of a new folder")
    real_path(folder, force)
    if not folder.exists():
        return set()
    remove_leftovers(folder)
    if not any(folder.iterdir()):
        return set()
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        ours = found["made_by"].startswith("perfectplay ")
        files = {name for name in found["files"] if Path(name).name == name}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        ours, files = False, set()
    if not ours and not force:
        raise BadArgument(
            f"{shown} is not empty and holds no site of perfectplay; write the name of a new folder, "
            "or write to it with force=True"
        )
    return {*files, MANIFEST}


def check_free(folder: Path, names: Collection[str], earlier: set[str]) -> None:
    """Raises BadArgument if one of these names is taken by a file that is not ours."""
    for name in names:
        if name not in earlier and (folder / name).exists():
            raise BadArgument(f"{str(folder / name)!r} is not a file of the site that is there; move it away first")


@contextmanager
def site_folder(folder: Path, earlier: set[str]) -> Iterator[Path]:
    """An empty folder to write the site to; what is there in the end takes the earlier site's place, file by file.

    A new folder appears at once. In one that exists the index and the manifest come last, and other files stay.
    """
    unfinished = folder / partly(Path("site")).name if folder.exists() else partly(folder.absolute())
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    try:
        yield unfinished
        files = sorted((path.name for path in unfinished.iterdir()), key=lambda name: (name == INDEX, name))
        manifest = {"made_by": f"perfectplay {__version__}", "files": files}
        (unfinished / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        if not folder.exists():
            unfinished.rename(folder)
            return
        for name in (*files, MANIFEST):
            os.replace(unfinished / name, folder / name)
        for name in earlier - {*files, MANIFEST}:
            (folder / name).unlink(missing_ok=True)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def remove_leftovers(folder: Path) -> None:
    """Removes unfinished sites of processes that have ended."""
    for path in folder.glob(f".site.{machine()}.*.tmp"):
        process = re.search(r"\.([0-9]{1,9})\.tmp$", path.name)
        if process and not is_running(int(process[1])):
            with suppress(OSError):
                shutil.rmtree(path)


# The pages: the gallery as the index, and one single-file page per game.


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
        texts = (fields["title"], fields["about"], fields["known"], fields["value"] or "open")
        (place.folder / f"{name}.png").write_bytes(png_of(drawn(*texts, [fields["picture"]])))
    return {**fields, "link": f"./{name}.html"}


def index_page(cards: list[Fields], place: Place) -> None:
    """Writes the gallery and its picture."""
    foot = "Every page is one file: it needs no network and no server."
    texts = {"headline": HEADLINE, "lead": LEAD, "filters": FILTERS, "groups": groups(), "foot": foot}
    preview = preview_fields(place, "index", HEADLINE, LEAD, "")
    page = rendered("gallery.html", {"cards": cards, "preview": preview, "home": HOME, **texts})
    (place.folder / INDEX).write_bytes(page.encode())
    if draws_png():
        pictures = [card["picture"] for card in cards[:4]]
        (place.folder / "index.png").write_bytes(png_of(drawn(HEADLINE, LEAD, "", "", pictures)))


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
