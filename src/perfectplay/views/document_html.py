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
    more,
    parts_of,
)
from perfectplay.views.document_text import cell_text
from perfectplay.views.game_pieces import whose_pieces
from perfectplay.views.names import short_names
from perfectplay.views.numbers import NUMBER
from perfectplay.views.scoped_style import ROOT, SCHEMES


def style_in(name: str) -> str:
    """The style in a file beside this one, without what only people need."""
    style = (Path(__file__).parent / name).read_text(encoding="utf-8")
    short = re.sub(r"/\*.*?\*/\s*|\s*([{};:,>])\s*", lambda sign: sign[1] or "", style, flags=re.S)
    return short.replace(";}", "}").strip()


STYLE = style_in("document.css") + SCHEMES.replace(ROOT, "ppv")
"""The style of all documents, which goes with each of them: a notebook may show any of them alone."""
PAGE_STYLE = style_in("page.css")
"""What a page of its own has besides."""
SMALL, LARGE = 168, 260
"""The width of a board among others and of one that stands alone, in pixels."""
SHAPES = {VALUE_NAMES[value]: shape for value, shape in ICONS.items() if value is not None}
SHAPES |= {"right": "M-1 .1L-.3 .8 1-.8", "wrong": "M-.8-.8.8.8M.8-.8-.8.8"}
"""The shape of each value, a full triangle up, two bars, an outlined triangle down, and a tick and a cross."""
FULL = ("win", "draw")
"""The kinds whose shape is filled."""
LONG = 30
"""The letters of a cell that stays in one line."""


def html(document: Document) -> str:
    """The document as a fragment, with its style."""
    style = Markup("<style>{}</style>").format(Markup(STYLE))
    title = tag("p", inline(document.title), class_="ppv-h") if document.title else ""
    return once(str(tag("div", style, title, blocks(document.parts), class_="ppv")))


def page(document: Document) -> str:
    """The document as a page of its own, which loads nothing."""
    title = escape(cell_text(document.title))
    return once(
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{META}\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{STYLE}{PAGE_STYLE}</style>\n"
        f'</head>\n<body class="ppv ppv-page">\n<h1>{inline(document.title)}</h1>\n'
        + "\n".join(str(block(part)) for part in parts_of(document.parts))
        + "\n</body>\n</html>\n"
    )


def once(html: str) -> str:
    """The same, with each style where it stands first: pictures of the same style share the name that it is for."""
    for style in {*re.findall("<style>.*?</style>", html)}:
        before, _, behind = html.partition(style)
        html = f"{before}{style}{behind.replace(style, '')}"
    return html


def block(part: Part | None, level: int = 2) -> Markup:
    """A part as elements; nothing if it is empty. Its headings are of that level, those in its sections of the next."""
    return joined(element(one, level) for one in parts_of([part]))


def blocks(parts: Iterable[Part | None], level: int = 2) -> Markup:
    """The parts, one after the other."""
    return joined(block(part, level) for part in parts)


def element(part: Part, level: int) -> Markup:
    """A part that is not empty."""
    match part:
        case Notes(lines=lines, strong=strong):
            return joined(tag("p", inline(line), class_=None if strong else "ppv-q") for line in lines)
        case Table():
            return table(part)
        case Board():
            return board(part)
        case Boards(boards=boards, most=most):
            rest = block(more(len(boards) - most, "boards")) if most is not None else ""
            return joined((tag("div", *map(board, boards[:most]), class_="ppv-boards"), rest))
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
            return tag("details", tag("summary", title), blocks(parts, level))
        case Section(heading=heading, parts=parts, name=name):
            words = inline(heading.removesuffix(":") if isinstance(heading, str) else heading)
            return tag("section", tag(f"h{level}", words), blocks(parts, level + 1), id=name or None)
        case Beside(parts=columns):
            inner = [blocks(one if isinstance(one, Sequence) else [one], level) for one in columns]
            return tag("div", *(tag("div", one) for one in inner if one), class_="ppv-row")
        case Seen(parts=parts):
            return blocks(parts, level)
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
    shape = tag("path", d=SHAPES[kind], stroke_width="0" if kind in FULL else "0.4")
    return tag("svg", shape, class_=f"ppv-i ppv-{kind}", viewBox="-1.4 -1.4 2.8 2.8", aria_hidden="true")


def table(part: Table) -> Markup:
    """A table; columns that are empty everywhere are left out, numbers stand right, the best rows are tinted.

    Where it is too wide, it alone is scrolled, not the text around it.
    """
    count = max(map(len, part.rows))
    rows = [[*row, *[None] * (count - len(row))] for row in part.rows]
    if part.keys:
        names = [cell_text(row[part.keys - 1]) for row in rows]
        for row, name, short in zip(rows, names, short_names(names), strict=True):
            row[part.keys - 1] = row[part.keys - 1] if name == short else Hover(short, name)
    heads = [*part.heads, *[""] * (count - len(part.heads))]
    used = [place for place in range(count) if any(row[place] for row in rows)]
    right = {place for place in used if all(is_number(row[place]) for row in rows)}
    top = tag("tr", *(tag("th", heads[i], scope="col", class_="ppv-n" if i in right else None) for i in used))
    lines = [
        tag(
            "tr",
            *(tag("td", with_minus(row[i], i in right), class_=cell_class(row[i], i in right)) for i in used),
            **({"class_": "ppv-b", "title": "best"} if number in part.best else {}),
        )
        + below(part.below.get(number, ()), len(used))
        for number, row in enumerate(rows)
    ]
    drawn = tag("table", tag("thead", top) if any(heads) else "", tag("tbody", *lines), class_="ppv-t")
    return tag("div", drawn, class_="ppv-wide")


def below(lines: Iterable[Cell], columns: int) -> Markup:
    """The row of the lines that stand below a row; nothing if there are none."""
    inside = Markup("<br/>").join(map(inline, lines))
    return tag("tr", tag("td", inside, colspan=columns, class_="ppv-l ppv-q")) if inside else inside


def with_minus(cell: Cell, right: bool) -> Markup:
    """A cell as elements; a number that stands right has a real minus sign, and a lone one is a dash."""
    if cell == "-":
        return Markup("–")
    return inline(cell.replace("-", "−") if right and isinstance(cell, str) else cell)


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
    under = [tag("figcaption", Markup("<br/>").join(words), class_="ppv-q")] if words else []
    if part.large:
        whose = whose_pieces(part.game.look)
        under += [tag("p", whose, class_="ppv-q")] if whose else []
        code = Code(show_position(part.game, part.position, part.side))
        under += [tag("p", inline(code), class_="ppv-q ppv-p")] if part.note != code else []
    return tag("figure", Markup(drawn), *under, class_="ppv-large" if part.large else None)
