"""The page: its template, scripts and style, and what they are told about a game.

The server (`front.web`) and the single-file page (`export.page`) both build on this.
"""

from pathlib import Path

from perfectplay.views.scoped_style import STYLE

ASSETS = Path(__file__).parent
STATIC = ASSETS / "static"
"""The scripts, the style and the icon."""
OFFLINE = ASSETS / "offline"
"""Scripts of the single-file page, which take the place of those that ask a server."""
SEARCHED = ASSETS / "searched"
"""Scripts of the single-file page of a game without a table, which search."""
PUZZLED = ASSETS / "puzzled"
"""Scripts of a page of puzzles in one file."""
SHEETS = ("page", "classroom", "puzzles")
"""The parts of the style."""
THEME_ENDS = "/* The game */"
"""Where colours, buttons and texts end in the style of the page, which reports share."""


def style() -> str:
    """The style of the page and of the boards on it."""
    return "".join((STATIC / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS) + STYLE


def report_style(name: str, shared: str = STYLE) -> str:
    """The style of a report: the theme of the page, that of boards or of what else it shows, and its own."""
    theme = (STATIC / "page.css").read_text(encoding="utf-8").partition(THEME_ENDS)[0]
    return theme + shared + (ASSETS / name / f"{name}.css").read_text(encoding="utf-8")
