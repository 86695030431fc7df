"""Documents as text: a board and a table are lines, blocks stand apart by an empty line."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TypeGuard

from perfectplay.rules.notation import draw_position
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
from perfectplay.views.names import short_names
from perfectplay.views.numbers import NUMBER, ROUNDED

WIDTH = 100
"""The columns that boards beside each other and tables with names may fill, unless the width is given."""
NARROWEST = 12
"""The fewest characters to which names are shortened."""
BAR = 30
"""The characters of a full bar."""
LEAST = 10
"""The fewest columns in which the words of a cell are wrapped."""
COLOUR = re.compile(r"\x1b\[[\d;]*m")
"""What changes the colour and takes no room."""
SIGNS = str.maketrans("█░●◆┤─├└│✓✗·−→╳╌✕◐↔≈–…", "#.o#|-|`|+-.->x-x+~~-~") | str.maketrans(
    {"≥": ">=", "≤": "<=", "α": "alpha", "β": "beta", "∞": "inf"}
)
"""What stands for signs that a terminal does not know."""
TONES = {"good": "32", "fair": "36", "poor": "33", "bad": "1;31", "faint": "90"}
"""The colour of each tone in a terminal."""
BELOW = 7
"""The blanks before a line below a row of a table."""
HIGH = 3
"""The rows of a curve for wins, and for losses: the nearer the end or the more points, the farther from the middle."""
TICKS = 5
"""Columns from label to label below a curve."""
FARTHEST, NEAREST = 0.4, 1.0
"""The heights in a curve of a far end and of a near one."""


@dataclass(frozen=True)
class Medium:
    """Where a text goes: the columns at which words are wrapped, None for nowhere, and whether it has colours."""

    width: int | None = None
    colours: bool = False


def text(document: Document, width: int | None = None, signs: bool = True, colours: bool = False) -> str:
    """The document as text; words are wrapped at the width, if it is given. Without signs it is ASCII."""
    medium = Medium(width, colours)
    title = "" if document.silent else folded_line(painted(document.title, medium), medium)
    whole = "\n\n".join(block for block in (title, *blocks_of(document.parts, medium)) if block)
    return whole if signs else whole.translate(SIGNS)


def blocks_of(parts: Iterable[Part | None], medium: Medium) -> Iterator[str]:
    """The blocks of lines that the parts are written as."""
    for part in parts_of(parts):
        match part:
            case Notes(lines=lines):
                yield "\n".join(folded_line(painted(line, medium), medium) for line in lines)
            case Table():
                yield "\n\n".join(table_blocks(part, medium))
            case Board():
                yield "\n".join(board_lines(part, medium))
            case Boards(boards=boards):
                pictures = [board_lines(board, medium) for board in boards]
                yield "\n".join(side_by_side(pictures, medium.width)).strip("\n")
            case Curve():
                yield "\n".join(curve_lines(part, medium))
            case Bars(columns=columns):
                yield "\n".join(table_lines(bars_table(columns), medium))
            case Drawing(text=drawn, caption=caption):
                first, *others = table_blocks(drawn, medium) if isinstance(drawn, Table) else [drawn.rstrip("\n")]
                yield f"{folded_line(painted(caption, medium), medium)}\n{first}" if caption else first
                yield from others
            case Plain(text=words):
                yield words.rstrip("\n")
            case List(items=items, first=first):
                yield "\n".join(folded_line(line, medium, "  ") for line in list_lines(items, first, medium))
            case Folded(title=heading, parts=inner) | Section(heading=heading, parts=inner):
                words, blocks = folded_line(painted(heading, medium), medium), list(blocks_of(inner, medium))
                if any(isinstance(one, Board | Boards) for one in parts_of(inner)[:1]):
                    blocks.insert(0, "")
                yield "\n".join(line for line in (words, *blocks[:1]) if line)
                yield from blocks[1:]
            case Beside(parts=columns):
                yield from blocks_of(flat(columns), medium)
            case Seen(told=told):
                yield from blocks_of([told], medium)


def flat(columns: Iterable[Part | Sequence[Part | None] | None]) -> Iterator[Part | None]:
    """The parts of all columns."""
    for column in columns:
        yield from column if isinstance(column, Sequence) else [column]


def cell_text(cell: Cell) -> str:
    """What a cell says."""
    match cell:
        case None | Interval() | Share(silent=True):
            return ""
        case str():
            return cell
        case Hover(words=words):
            return cell_text(words)
        case Line(cells=cells):
            return "".join(map(cell_text, cells))
        case Share(size=size):
            return bar_text(size, BAR)
        case Valued(text=words) | Strong(text=words) | Toned(text=words) | Tinted(text=words):
            return words
        case Code(text=words) | Link(text=words) | Drawn(text=words):
            return words


def bar_text(size: float, room: int) -> str:
    """A part of the whole as a bar of so many characters; only nothing is empty, and only the whole is full."""
    length = 0 if size <= ROUNDED else room if size >= 1 - ROUNDED else min(max(1, round(size * room)), room - 1)
    return ("█" * length).ljust(room, "░")


def painted(cell: Cell, medium: Medium) -> str:
    """What a cell says, in colours if the medium has them."""
    match cell:
        case Hover(words=words):
            return painted(words, medium)
        case Line(cells=cells):
            return "".join(painted(one, medium) for one in cells)
        case Strong(text=words) if medium.colours:
            return f"\x1b[1m{words}\x1b[0m"
        case Toned(text=words, tone=tone) if medium.colours:
            return f"\x1b[{TONES[tone]}m{words}\x1b[0m"
        case Tinted(text=words, ink=ink, ground=ground) if medium.colours:
            return f"\x1b[38;5;{colour_number(ink)};48;5;{colour_number(ground)}m{words}\x1b[0m"
        case _:
            return cell_text(cell)


def colour_number(colour: str) -> int:
    """The nearest to a colour such as #0a3d62 among the 216 of a terminal's colour cube."""
    red, green, blue = (round(int(colour[at : at + 2], 16) / 51) for at in (1, 3, 5))
    return 16 + 36 * red + 6 * green + blue


def folded_line(line: str, medium: Medium, hanging: str = "") -> str:
    """The line, or several if it is longer than the width; the blanks that it begins with are repeated, and more."""
    if medium.width is None or room_of(line) <= medium.width:
        return line
    indent = line[: len(line) - len(line.lstrip(" "))] + hanging
    lines = [""]
    for blanks, word in re.findall(r"( *)([^ ]+)", line):
        if lines[-1].strip() and room_of(lines[-1] + blanks + word) > medium.width:
            lines.append(indent + word)
        else:
            lines[-1] += blanks + word
    return "\n".join(lines)


def room_of(line: str) -> int:
    """The columns that a line takes."""
    return len(COLOUR.sub("", line))


def table_blocks(table: Table, medium: Medium) -> Iterator[str]:
    """The lines of the table, and of its continuations if it is too wide."""
    for block in folded_table(with_fitting_bars(table, medium.width), medium.width):
        yield "\n".join(table_lines(block, medium))


def with_fitting_bars(table: Table, width: int | None) -> Table:
    """The table; if it has bars and is too wide with shorter ones, and with shorter names where that is not enough."""
    beyond = least_room(table, words=10 * WIDTH) - width if width else 0
    if beyond <= 0 or not any(is_bar(cell) for row in table.rows for cell in row):
        return table
    room = max(LEAST, BAR - beyond)
    names = ["" if is_bar(row[0]) else cell_text(row[0]) for row in table.rows]
    wide = max(NARROWEST, max(map(len, names)) - max(0, beyond - (BAR - room)))
    rows = [
        [bar_text(cell.size, room) if is_bar(cell) else cell for cell in (cut if cut != name else first, *others)]
        for cut, name, (first, *others) in zip(short_names(names, wide), names, table.rows, strict=True)
    ]
    return replace(table, rows=rows)


def is_bar(cell: Cell) -> TypeGuard[Share]:
    """Whether the cell is a bar in a text, too."""
    return isinstance(cell, Share) and not cell.silent


def table_lines(table: Table, medium: Medium) -> Iterator[str]:
    """The rows with columns as wide as needed, two blanks apart; numbers stand right, words are wrapped in the last."""
    count = max(map(len, table.rows), default=0)
    rows = [[*row, *[None] * (count - len(row))] for row in table.rows]
    plain = [[cell_text(cell) for cell in row] for row in rows]
    used = [place for place in range(count) if any(row[place] for row in plain)]
    heads = [*table.heads, *[""] * (count - len(table.heads))]
    wide = {place: max(len(heads[place]), *(len(row[place]) for row in plain)) for place in used}
    right = {place for place in used if all(NUMBER.fullmatch(row[place]) or not row[place] for row in plain)}
    before = table.indent + sum(wide[place] + 2 for place in used[:-1])
    narrow = Medium(medium.width - before if medium.width and medium.width - before >= LEAST else None)

    def line(cells: Sequence[Cell]) -> str:
        padded = []
        for place in used:
            gap = " " * (wide[place] - len(cell_text(cells[place])))
            words = painted(cells[place], medium)
            if place == used[-1] and place not in right:
                words, gap = folded_line(words, narrow).replace("\n", "\n" + " " * before), ""
            padded.append(gap + words if place in right else words + gap)
        return (" " * table.indent + "  ".join(padded)).rstrip()

    if any(heads):
        yield line([head and Strong(head) for head in heads])
    for number, row in enumerate(rows):
        yield line(row)
        for words in table.below.get(number, ()):
            yield folded_line(" " * (table.indent + BELOW) + painted(words, medium), medium)


def folded_table(table: Table, width: int | None) -> Iterator[Table]:
    """The table, or if it has keys or heads and is too wide as many as fit, each with the keys or the first column."""
    if width and table.heads and not table.keys and not table.below and least_room(table) > width:
        table = replace(table, keys=1)
    if not table.keys or not table.rows:
        yield table
        return
    count = max(map(len, (table.heads, *table.rows)))
    lines = [[*cells, *[None] * (count - len(cells))] for cells in (table.heads, *table.rows)]
    *keys, names = zip(*(line[: table.keys] for line in lines), strict=True)
    columns = [column for column in [*zip(*lines, strict=True)][table.keys :] if any(map(cell_text, column[1:]))]
    widths = [max(len(cell_text(cell)) for cell in column) + 2 for column in columns]
    room = (width or WIDTH) - table.indent - sum(max(len(cell_text(cell)) for cell in key) + 2 for key in keys)
    whole = [*map(cell_text, names)]
    wide = max(len(whole[0]), name_width(max(map(len, whole[1:])), room, widths))
    short = zip(names, (whole[0], *short_names(whole[1:], wide)), whole, strict=True)
    shown = [cell if cut == name else cut for cell, cut, name in short]
    for block in blocks_of_columns(widths, room - wide):
        heads, *rows = zip(*keys, shown, *(columns[place] for place in block), strict=True)
        yield replace(table, rows=rows, heads=[*map(cell_text, heads)])


def least_room(table: Table, words: int = LEAST) -> int:
    """The columns that a table takes when the words in its last column are wrapped to so many."""
    columns = [[*map(cell_text, column)] for column in zip_longest(table.heads, *table.rows)]
    used = [column for column in columns if any(column[1:])]
    *widths, last = [max(map(len, column)) for column in used] or [0]
    numbers = not used or all(NUMBER.fullmatch(cell) or not cell for cell in used[-1][1:])
    return table.indent + sum(width + 2 for width in widths) + (last if numbers else min(last, words))


def name_width(longest: int, room: int, widths: Sequence[int]) -> int:
    """The characters of names: a quarter of the room, and all that cost no more blocks of columns."""
    few = min(longest, max(NARROWEST, room // 4))
    needed = len(blocks_of_columns(widths, room - few))
    return max(wide for wide in range(few, longest + 1) if len(blocks_of_columns(widths, room - wide)) == needed)


def blocks_of_columns(widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns by place, in blocks that fit the room, at least one in each."""
    places: list[list[int]] = [[]]
    used = 0
    for place, width in enumerate(widths):
        if places[-1] and used + width > room:
            places.append([])
            used = 0
        places[-1].append(place)
        used += width
    return places


def bars_table(columns: Mapping[int, tuple[int, int, int]]) -> Table:
    """How many are won, drawn and lost at each distance, as a table."""
    rows = [[f"{plies}", *(f"{n:,}" if n else "" for n in counts)] for plies, counts in sorted(columns.items())]
    return Table(rows, ("plies", "won", "drawn", "lost"))


def list_lines(items: Iterable[Cell], first: int | None, medium: Medium) -> Iterator[str]:
    """The items, each in a line of its own, with their numbers if they have any."""
    for number, item in enumerate(items, first or 0):
        yield f"  {painted(item, medium)}" if first is None else f"{number:>3}. {painted(item, medium)}"


def board_lines(board: Board, medium: Medium) -> list[str]:
    """A board, its caption above, its note below."""
    drawn = draw_position(board.game, board.position, board.side).splitlines()
    above, below = (
        [folded_line(line, medium) for line in cell_text(cell).splitlines()] for cell in (board.caption, board.note)
    )
    return "\n".join([*above, *drawn, *below]).split("\n")


def side_by_side(pictures: Sequence[Sequence[str]], width: int | None = None) -> Iterator[str]:
    """Pictures in rows, as many in a row as the width allows, with an empty line before each row."""
    wide = max(len(line) for picture in pictures for line in picture) + 2
    across = max(1, (width or WIDTH) // wide)
    for i in range(0, len(pictures), across):
        yield ""
        for lines in zip_longest(*pictures[i : i + across], fillvalue=""):
            yield "".join(line.ljust(wide) for line in lines).rstrip()


def curve_lines(curve: Curve, medium: Medium) -> Iterator[str]:
    """Wins of the first side above, draws in the middle, losses below; marked places have a sign of their own."""
    labels = {0: f"{curve.sides[0]} wins", HIGH: "draw", 2 * HIGH: f"{curve.sides[1]} wins"}
    room = max(map(len, labels.values()))
    rows = [None if height is None else row_of(height) for height in curve.heights]
    width = medium.width or WIDTH
    step = -(-len(rows) // max(10, width - room - 4))
    wide = 2 if step == 1 and 2 * len(rows) + room + 4 <= width else 1
    columns = [range(first, min(first + step, len(rows))) for first in range(0, len(rows), step)]
    for row in range(2 * HIGH + 1):
        between = "─" if row == HIGH else " "
        line = f"{labels.get(row, ''):>{room}} ┤"
        for plies in columns:
            here = [ply for ply in plies if rows[ply] == row]
            wrong = any(ply in curve.marks for ply in here)
            mark = painted(Toned("◆", "bad"), medium) if wrong else "●" if here else between
            line += mark + between * (wide - 1)
        yield line.rstrip()
    below = ""
    for ply in range(0, len(rows), TICKS * step if wide > 1 else 2 * TICKS * step):
        below = below.ljust(ply // step * wide) + str(ply)
    yield " " * (room + 2) + below


def row_of(height: float) -> int:
    """The row of a height."""
    if not height:
        return HIGH
    up = 1 + min(HIGH - 1, int((abs(height) - FARTHEST) / (NEAREST - FARTHEST) * HIGH))
    return HIGH - up if height > 0 else HIGH + up
