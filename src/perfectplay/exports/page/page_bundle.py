"""The page in one file: scripts, style and icon inside, nothing to fetch."""

import base64
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from perfectplay import __version__
from perfectplay.exports.page import ASSETS, OFFLINE, SEARCHED, STATIC, style
from perfectplay.exports.page.cards import FILTERS, HEADLINE, LEAD
from perfectplay.exports.page.game_data import Fields
from perfectplay.exports.page.script_bundle import bundled, safe_in_page, scripts, small_style
from perfectplay.rules.families import groups

SOLVED_PAGE, SEARCHED_PAGE = (OFFLINE, STATIC), (SEARCHED, OFFLINE, STATIC)
"""Where the scripts of a page are found; those of the first folder take the place of others."""


def whole_page(
    first: Fields,
    about: str,
    graph: bytes,
    folders: Sequence[Path] = SOLVED_PAGE,
    preview: Fields | None = None,
    home: str = "",
) -> bytes:
    """The whole page of a game as bytes; it links to its home, if it has one."""
    data = base64.b64encode(graph).decode()
    values = {"first": first, "about": about, "graph": data, "preview": preview, "home": home}
    return rendered("page", {**values, "runs_code": SEARCHED in folders}, folders)


def whole_gallery(cards: list[Fields], preview: Fields, home: str) -> bytes:
    """The whole gallery as bytes; each card has a link."""
    foot = "Every page is one file: it needs no network and no server."
    texts = {"headline": HEADLINE, "lead": LEAD, "filters": FILTERS, "groups": groups(), "foot": foot}
    return rendered("gallery", {"cards": cards, "preview": preview, "home": home, **texts})


def rendered(name: str, values: Fields, folders: Sequence[Path] = SOLVED_PAGE) -> bytes:
    """A page with its scripts, its style and its icon inside."""
    templates = Environment(loader=FileSystemLoader(ASSETS), autoescape=True)
    icon = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    page = templates.get_template(f"{name}.html").render(
        offline=True,
        version=__version__,
        style=small_style(style()),
        script=safe_in_page(bundled(name, scripts(folders))),
        icon=f"data:image/svg+xml;base64,{icon}",
        **values,
    )
    return page.encode()
