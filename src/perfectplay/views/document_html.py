"""Documents as HTML: a fragment for notebooks and a page of its own; one style, no script, every text escaped."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from markupsafe import Markup, escape

from perfectplay.rules.notation import VALUE_NAMES, show_position
from perfectplay.rules.outputs import META
from perfectplay.views.board_picture import ICONS, board_picture
from perfectplay.views.charts import bar, curve, error_bar, histogram, joined, tag
from perfectplay.views.document import (
    Bars,
    Beside,
    Board,
    Boards,
    Cell,
    Code,
    Curve,
    Document,
    Drawing,
    Drawn,
    Folded,
    Hover,
    Interval,
    Line,
    Link,
    List,
    Notes,
    Part,
    Plain,
    Section,
    Seen,
    Share,
    Strong,
    Table,
    Tinted,
    Toned,
    Valued,
    parts_of,
)
from perfectplay.views.document_text import cell_text
from perfectplay.views.game_pieces import side_names
from perfectplay.views.numbers import NUMBER
from perfectplay.views.scoped_style import ROOT, SCHEMES

STYLE = re.sub(
    r"/\*.*?\*/\s*|\s*([{};:,])\s*",
    lambda sign: sign[1] or "",
    (Path(__file__).parent / "document.css").read_text(encoding="utf-8"),
    flags=re.S,
).strip() + SCHEMES.replace(ROOT, "ppv")
"""The style of all documents, which goes with each of them: a notebook may show any of them alone."""
SMALL, LARGE = 168, 260
"""The width of a board among others and of one that stands alone, in pixels."""
SHAPES = {VALUE_NAMES[value]: shape for value, shape in ICONS.items() if value is not None}
"""The shape of each value: a full triangle up, two bars, an outlined triangle down."""
LONG = 30
"""The letters of a cell that stays in one line."""


def html(document: Document) -> str:
    """The document as a fragment, with its style."""
    style = Markup("<style>{}</style>").format(Markup(STYLE))
    title = tag("p", inline(document.title), class_="ppv-h") if document.title else ""
    return str(tag("div", style, title, blocks(document.parts), class_="ppv"))


def page(document: Document) -> str:
    """The document as a page of its own, which loads nothing."""
    title = escape(cell_text(document.title))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{META}\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n<style>{STYLE}</style>\n'
        f'</head>\n<body class="ppv ppv-page">\n<h1>{inline(document.title)}</h1>\n'
        + "\n".join(str(block(part)) for part in parts_of(document.parts))
        + "\n</body>\n</html>\n"
    )


def block(part: Part | None) -> Markup:
    """A part as elements; nothing if it is empty."""
    return joined(map(element, parts_of([part])))


def blocks(parts: Iterable[Part | None]) -> Markup:
    """The parts, one after the other."""
    return joined(map(block, parts))


def element(part: Part) -> Markup:
    """A part that is not empty."""
    match part:
        case Notes(lines=lines, strong=strong):
            return joined(tag("p", inline(line), class_=None if strong else "ppv-q") for line in lines)
        case Table():
            return table(part)
        case Board():
            return board(part)
        case Boards(boards=boards):
            return tag("div", *map(board, boards), class_="ppv-boards")
        case Curve(heights=heights, sides=sides, label=label, marks=marks):
            return curve(heights, sides, label, marks)
        case Bars(columns=columns):
            return histogram(columns)
        case Drawing(svg=svg, caption=caption):
            above = tag("p", inline(caption)) if caption else ""
            return tag("div", above, Markup(svg), style="overflow:auto;max-height:640px") if svg else Markup("")
        case Plain(text=text):
            return tag("pre", text)
        case List(items=items, first=first):
            items = [tag("li", inline(item)) for item in items]
            return tag("ul", *items) if first is None else tag("ol", *items, start=first if first != 1 else None)
        case Folded(title=title, parts=parts):
            return tag("details", tag("summary", title), blocks(parts))
        case Section(heading=heading, parts=parts, name=name):
            return tag("section", tag("h2", inline(heading)), blocks(parts), id=name or None)
        case Beside(parts=columns):
            inner = [blocks(one) if isinstance(one, Sequence) else block(one) for one in columns]
            return tag("div", *(tag("div", one) for one in inner if one), class_="ppv-row")
        case Seen(parts=parts):
            return blocks(parts)
        case _:
            raise TypeError(f"no part of a document: {part!r}")


def inline(cell: Cell) -> Markup:
    """A cell as elements."""
    match cell:
        case None:
            return Markup("")
        case str():
            return escape(cell)
        case Valued(kind=kind, text=text):
            return joined((icon(kind), text))
        case Strong(text=text):
            return tag("strong", text)
        case Toned(text=text, tone=tone):
            return tag("span", text, class_=f"ppv-{tone}")
        case Tinted(text=text, ink=ink, ground=ground):
            return tag("span", text, style=f"color:{ink};background:{ground}")
        case Drawn(svg=svg):
            return tag("span", Markup(svg), style="display:inline-block;vertical-align:middle")
        case Code(text=text):
            return tag("code", text)
        case Hover(words=words, about=about):
            return tag("span", inline(words), title=about)
        case Link(text=text, address=address):
            return tag("a", text, href=address)
        case Share(size=size, kind=kind):
            return bar(size, kind)
        case Interval(low=low, value=value, high=high):
            return error_bar(low, value, high)
        case Line(cells=cells):
            return joined(map(inline, cells))


def icon(kind: str | None) -> Markup:
    """The shape of a value; nothing for one that is not known."""
    if kind not in SHAPES:
        return Markup("")
    shape = tag("path", d=SHAPES[kind], stroke_width="0.4" if kind == "loss" else "0")
    return tag("svg", shape, class_=f"ppv-i ppv-{kind}", viewBox="-1.4 -1.4 2.8 2.8", aria_hidden="true")


def table(part: Table) -> Markup:
    """A table; columns that are empty everywhere are left out, numbers stand right, the best rows are tinted."""
    count = max(map(len, part.rows))
    rows = [[*row, *[None] * (count - len(row))] for row in part.rows]
    heads = [*part.heads, *[""] * (count - len(part.heads))]
    used = [place for place in range(count) if any(row[place] for row in rows)]
    right = {place for place in used if all(is_number(row[place]) for row in rows)}
    top = tag("tr", *(tag("th", heads[i], scope="col", class_="ppv-n" if i in right else None) for i in used))
    lines = [
        tag(
            "tr",
            *(tag("td", inline(row[i]), class_=cell_class(row[i], i in right)) for i in used),
            class_="ppv-b" if number in part.best else None,
        )
        for number, row in enumerate(rows)
    ]
    return tag("table", tag("thead", top) if any(heads) else "", tag("tbody", *lines), class_="ppv-t")


def is_number(cell: Cell) -> bool:
    """Whether the cell is a number, or says nothing."""
    return not isinstance(cell, Share) and NUMBER.fullmatch(cell_text(cell)) is not None


def cell_class(cell: Cell, right: bool) -> str | None:
    """The class of a cell: a number stands right, and the lines of a long text may break."""
    return "ppv-n" if right else "ppv-l" if len(cell_text(cell)) > LONG else None


def board(part: Board) -> Markup:
    """A drawn board with its caption; a large one has its labels, says which pieces are whose, and its text."""
    size = LARGE if part.large else SMALL
    drawn = board_picture(
        part.game, part.position, part.side, changed=part.changed, hints=part.hints, size=size, labels=part.large
    )
    words = [inline(words) for words in (part.caption, part.note) if words]
    below = [tag("figcaption", Markup("<br>").join(words), class_="ppv-q")] if words else []
    if part.large:
        seats = zip(part.game.look.sides, side_names(part.game.look), strict=True)
        apart = [(name, seen.lower()) for name, seen in seats if name.lower() != seen.lower()]
        whose = ", ".join(f"{name} is {seen}" for name, seen in apart)
        below += [tag("p", f"{whose}.", class_="ppv-q")] if len(apart) == 2 else []
        code = tag("code", show_position(part.game, part.position, part.side))
        below.append(tag("p", code, class_="ppv-q ppv-p"))
    return tag("figure", Markup(drawn), *below)
