"""A document: what a result shows, said once, and rendered as text, in a notebook and as a page.

    Document("tic-tac-toe: perfect against random", Table([("won", Share(0.9, "win"))]), Notes("mean length 5.3 plies"))

A part is one of the types below, a cell of a table a text or one of the types after them. A part that is None or empty
is left out. `text` is in document_text, `html` and `page` are in document_html.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, TypeAlias

from perfectplay.game import Game, after
from perfectplay.rules.notation import in_turn, replay
from perfectplay.words import FIRST, Move, Position


@dataclass(frozen=True)
class Valued:
    """Words after a shape: of the value "win", "draw" or "loss", of "right" or "wrong", or none."""

    kind: str | None
    text: str


@dataclass(frozen=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True)
class Toned:
    """Words in the colour of a tone: "good", "fair", "poor", "bad" or "faint"; they say the same without it."""

    text: str
    tone: str


@dataclass(frozen=True)
class Code:
    """A name as it is typed."""

    text: str


@dataclass(frozen=True)
class Hover:
    """Words with more to say when they are pointed at; as text only the words."""

    words: "Cell"
    about: str


@dataclass(frozen=True)
class Link:
    """Words that lead to an address; as text only the words."""

    text: str
    address: str


@dataclass(frozen=True)
class Share:
    """A part of the whole, from 0 to 1, as a bar with the pattern of its kind; a silent one is nothing as text."""

    size: float
    kind: str = "win"
    silent: bool = False


@dataclass(frozen=True)
class Interval:
    """A number with its interval as an error bar, at places from 0 to 100; nothing as text."""

    low: float
    value: float
    high: float


@dataclass(frozen=True)
class Tinted:
    """Words in one colour on another, such as #0a3d62: a place of a map."""

    text: str
    ink: str
    ground: str


@dataclass(frozen=True)
class Drawn:
    """A small drawing in a line, as SVG, and the sign that stands for it as text."""

    svg: str
    text: str = ""


@dataclass(frozen=True)
class Line:
    """Words and cells one after the other in one line."""

    cells: tuple["Cell", ...]

    def __init__(self, *cells: "Cell") -> None:
        object.__setattr__(self, "cells", cells)


Cell: TypeAlias = str | Valued | Strong | Toned | Tinted | Code | Hover | Link | Share | Interval | Drawn | Line | None
"""What stands in a table, a list, a note or below a board."""


class Part:
    """A part of a document."""


@dataclass(frozen=True)
class Notes(Part):
    """Remarks, a line each; empty ones are left out. `strong` ones stand in the size of the page."""

    lines: tuple[Cell, ...]
    strong: bool = False

    def __init__(self, *lines: Cell, strong: bool = False) -> None:
        object.__setattr__(self, "lines", tuple(line for line in lines if line))
        object.__setattr__(self, "strong", strong)


@dataclass(frozen=True)
class Table(Part):
    """Rows of cells, below heads if there are any; columns that are empty everywhere are left out.

    Numbers stand right. The `best` rows, by number, are tinted; as text the rows begin after `indent` blanks. `below`
    has lines that stand below rows and fill the whole width. The first `keys` columns are the names of the rows: where
    a table is too wide for a text, it continues below with them once more, and names that are too long, in the last of
    them, are shortened.
    """

    rows: Sequence[Sequence[Cell]]
    heads: Sequence[str] = ()
    best: Collection[int] = ()
    indent: int = 0
    below: Mapping[int, Sequence[Cell]] = field(default_factory=dict)
    keys: int = 0


class Hint(NamedTuple):
    """What a move is worth: WIN, DRAW, LOSS or None if it is unknown, the number to show, whether no move is better."""

    value: int | None
    text: str = ""
    best: bool = False


Hints = Mapping[Move, tuple[int | None, str] | tuple[int | None, str, bool]]
"""For each move a Hint, or the same as a tuple, in which `best` may be missing."""


@dataclass(frozen=True)
class Board(Part):
    """A position, drawn, with hints at the moves and `changed` squares tinted; large where it is alone.

    As text the caption stands above and the note below, and hints are left out.
    """

    game: Game
    position: Position
    side: int
    caption: Cell = None
    note: Cell = None
    hints: Hints | None = None
    changed: Collection[int] = ()
    large: bool = False


@dataclass(frozen=True)
class Boards(Part):
    """Boards beside each other; `most` of them are drawn, as text all of them."""

    boards: Sequence[Board]
    most: int | None = None


@dataclass(frozen=True)
class Curve(Part):
    """Heights from -1 to 1, one for each ply from 0 on, None where nothing is known; `marks` are letters at some.

    Above is what is good for the first of the sides. The label says the same in words.
    """

    heights: Sequence[float | None]
    sides: tuple[str, str]
    label: str
    marks: Mapping[int, str]


@dataclass(frozen=True)
class Bars(Part):
    """How many are won, drawn and lost at each distance."""

    columns: Mapping[int, tuple[int, int, int]]


@dataclass(frozen=True)
class Drawing(Part):
    """A drawing as SVG, and the same as text or as a table; the caption stands above."""

    svg: str
    text: str | Table
    caption: Cell = None


@dataclass(frozen=True)
class Plain(Part):
    """Text whose blanks and lines count."""

    text: str


@dataclass(frozen=True)
class List(Part):
    """Items, one below the other; numbered from `first` on, if it is given. As text they are indented."""

    items: Sequence[Cell]
    first: int | None = None


@dataclass(frozen=True)
class Folded(Part):
    """Parts behind a title that opens them; as text they stand below it."""

    title: str
    parts: tuple[Part | None, ...]

    def __init__(self, title: str, *parts: Part | None) -> None:
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Section(Part):
    """Parts below a heading; `name` is what links lead to."""

    heading: Cell
    parts: tuple[Part | None, ...]
    name: str = ""

    def __init__(self, heading: Cell, *parts: Part | None, name: str = "") -> None:
        object.__setattr__(self, "heading", heading)
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "name", name)


@dataclass(frozen=True)
class Beside(Part):
    """Parts beside each other where there is room; as text one below the other. A sequence is a column."""

    parts: tuple[Part | Sequence[Part | None] | None, ...]

    def __init__(self, *parts: Part | Sequence[Part | None] | None) -> None:
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True)
class Seen(Part):
    """Parts for eyes alone: what the other form says in another way is left out of the text, or `told` there."""

    parts: tuple[Part | None, ...]
    told: Part | None

    def __init__(self, *parts: Part | None, told: Part | None = None) -> None:
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "told", told)


@dataclass(frozen=True)
class Document:
    """A title and the parts below it; a silent title is for eyes alone, where the text says the same below."""

    title: Cell
    parts: tuple[Part | None, ...]
    silent: bool = False

    def __init__(self, title: Cell, *parts: Part | None, silent: bool = False) -> None:
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "silent", silent)

    def followed_by(self, *parts: Part | None) -> "Document":
        """The document with more parts at its end."""
        return Document(self.title, *self.parts, *parts, silent=self.silent)


MISTAKE = " ??"
"""Behind a move that gives a result away."""


def game_boards(game: Game, moves: Sequence[str], mistakes: Mapping[int, str]) -> Boards:
    """The board after each turn of a game; plies from 1 that are mistakes are marked, with what is said of them."""
    from perfectplay.views.scoped_style import changed_squares  # art and styles: only where a game is shown

    boards = []
    plies = enumerate(replay(game, game.start, FIRST, moves), 1)
    for side, turn in groupby(plies, key=lambda ply: ply[1][1]):
        made = list(turn)
        numbers = [ply for ply, _ in made]
        names = in_turn([moves[ply - 1] + (MISTAKE if ply in mistakes else "") for ply in numbers])
        which = f"{numbers[0]}." if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}."
        note = "\n".join(mistakes[ply] for ply in numbers if mistakes.get(ply))
        at, mover = after(game, *made[-1][1])
        changed = changed_squares(game, (made[0][1][0], side), (at, mover))
        boards.append(Board(game, at, mover, f"{which} {game.look.sides[side]} {names}", note, changed=changed))
    return Boards(boards)


def more(count: int, what: str) -> Notes | None:
    """How many more there are than are shown; nothing if there are none."""
    return Notes(f"and {count:,} more {what}") if count > 0 else None


def parts_of(parts: Iterable[Part | None]) -> list[Part]:
    """The parts that are there and not empty."""
    return [part for part in parts if part is not None and not is_empty(part)]


def is_empty(part: Part) -> bool:
    """Whether there is nothing to show in it."""
    match part:
        case Notes(lines=content) | Boards(boards=content) | List(items=content) | Table(rows=content):
            return not content
        case Plain(text=content):
            return not content
        case Folded(parts=inner) | Seen(parts=inner):
            return not parts_of(inner)
        case _:
            return False
