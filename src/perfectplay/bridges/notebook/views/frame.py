"""The frame that all views in notebooks share: style, title, tables, notes and boards, all texts escaped."""

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from markupsafe import Markup, escape

import perfectplay.views
from perfectplay.game import Game
from perfectplay.rules.notation import VALUE_NAMES, parse_move
from perfectplay.views.board_picture import ICONS, Hints, board_picture
from perfectplay.views.charts import joined, tag
from perfectplay.views.game_pieces import side_names
from perfectplay.views.scoped_style import ROOT, SCHEMES
from perfectplay.words import Move, Position

STYLE = re.sub(
    r"/\*.*?\*/\s*|\s*([{};:,])\s*",
    lambda found: found[1] or "",
    (Path(perfectplay.views.__file__).parent / "document.css").read_text(encoding="utf-8"),
    flags=re.S,
).strip() + SCHEMES.replace(ROOT, "ppv")
"""The style of all views, which goes with each of them: a notebook may show any of them alone."""
BOARD = 168
"""The width of a board among others, in pixels."""
LARGE = 260
"""The width of a board that stands alone."""
SHAPES = {VALUE_NAMES[value]: shape for value, shape in ICONS.items() if value is not None}
"""The shape of each value, as on the page: a full triangle up, two bars, an outlined triangle down."""
LONG = 30
"""The letters of a cell that stays in one line."""
ONE = r"[<>+−-]?([\d,]+(\.\d+)?(½|%| m?s)?|½)"
NUMBER = re.compile(rf"{ONE}( to {ONE})?|–|")
"""A cell that is a number, or two of them, and stands right."""


def framed(title: object, *parts: object) -> Markup:
    """A view: its title and its parts, with the style."""
    style = Markup("<style>{}</style>").format(Markup(STYLE))
    return tag("div", style, tag("p", title, class_="ppv-h"), *parts, class_="ppv")


def note(text: object) -> Markup:
    """A remark in small letters; nothing if it is empty."""
    return tag("p", text, class_="ppv-q") if text else Markup("")


def position_note(text: str) -> Markup:
    """The text of a position, which never makes a view wider."""
    return tag("p", tag("code", text), class_="ppv-q ppv-p")


def sides_note(game: Game) -> Markup:
    """Which pieces belong to which side, where the board shows them by their colours; else nothing."""
    pairs = list(zip(game.look.sides, side_names(game.look), strict=True))
    told = ", ".join(f"{name} is {seen.lower()}" for name, seen in pairs)
    return note("" if any(name.lower() == seen.lower() for name, seen in pairs) else f"{told}.")


def notes(texts: Iterable[object]) -> Markup:
    """Remarks, one below the other."""
    return joined(note(text) for text in texts)


def more(count: int, what: str) -> Markup:
    """How many more there are than are shown; nothing if there are none."""
    return note(f"and {count:,} more {what}" if count > 0 else "")


def listed(items: Iterable[object], kind: str = "ul") -> Markup:
    """The items as a list, or with kind="ol" a numbered one."""
    return tag(kind, *(tag("li", item) for item in items))


def beside(*parts: object) -> Markup:
    """The parts beside each other where there is room."""
    return tag("div", *(tag("div", part) for part in parts if part), class_="ppv-row")


def folded(title: str, *parts: object) -> Markup:
    """The parts behind a title that opens them."""
    return tag("details", tag("summary", title), *parts)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], best: Collection[int] = ()) -> Markup:
    """A table; columns that are empty everywhere are left out, numbers stand right, `best` rows are tinted."""
    cells = [[escape("" if cell is None else cell) for cell in row] for row in rows]
    used = [place for place in range(len(heads)) if any(row[place] for row in cells)]
    right = {place for place in used if all(NUMBER.fullmatch(row[place].striptags()) for row in cells)}
    top = tag("tr", *(tag("th", heads[place], scope="col", class_=cell_class("", place in right)) for place in used))
    lines = [
        tag(
            "tr",
            *(tag("td", row[place], class_=cell_class(row[place], place in right)) for place in used),
            class_="ppv-b" if number in best else None,
        )
        for number, row in enumerate(cells)
    ]
    return tag("table", tag("thead", top) if any(heads) else "", tag("tbody", *lines), class_="ppv-t")


def cell_class(cell: str, right: bool) -> str | None:
    """The class of a cell: a number stands right, and the lines of a long text may break."""
    return "ppv-n" if right else "ppv-l" if len(Markup(cell).striptags()) > LONG else None


def icon(value: str | None) -> Markup:
    """The shape of a value; nothing for one that is not known."""
    if value not in SHAPES:
        return Markup("")
    shape = tag("path", d=SHAPES[value], stroke_width="0.4" if value == "loss" else "0")
    return tag("svg", shape, class_=f"ppv-i ppv-{value}", viewBox="-1.4 -1.4 2.8 2.8", aria_hidden="true")


def valued(value: str | None, words: object) -> Markup:
    """A value in words, after its shape."""
    return joined((icon(value), words))


def board(
    game: Game,
    position: Position,
    side: int,
    changed: Collection[int] = (),
    hints: Hints | None = None,
    size: int = BOARD,
) -> Markup:
    """The position drawn, with the values of moves as hints if they are given."""
    return Markup(board_picture(game, position, side, changed=changed, hints=hints, size=size, labels=size >= LARGE))


def boards(figures: Iterable[tuple[Markup, object]]) -> Markup:
    """Drawn boards beside each other, each with what is said of it."""
    drawn = (tag("figure", picture, tag("figcaption", words, class_="ppv-q")) for picture, words in figures)
    return tag("div", *drawn, class_="ppv-boards")


def numbered_moves(game: Game, position: Position, side: int, names: Iterable[str]) -> dict[str, Move]:
    """The number of each of these moves in that position, by its name."""
    return {name: parse_move(game, position, side, name) for name in names}
