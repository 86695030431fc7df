"""The layout of a board as text: the rows of a position's notation, and the lines of a drawing with its labels."""

from functools import lru_cache
from typing import NamedTuple

from perfectplay.game import Cells, Game
from perfectplay.words import Sides


class FilledText(NamedTuple):
    """A text centred in the width of a square and padded with `fill`."""

    text: str
    fill: str = " "


LinePart = str | int | FilledText
"""A text as it is, the number of a square, or a text that is as wide as a square."""
Line = list[LinePart]
NOTHING = FilledText("")
EMPTY = "."
"""The text of an empty square."""


@lru_cache(maxsize=64)
def fixed_texts(game: Game) -> dict[int, str]:
    """The texts of those places on the board that are no squares, by their number in reading order."""
    cells: Cells = game.cells.first if isinstance(game.cells, Sides) else game.cells
    return {square: cell for square, cell in enumerate(cells) if isinstance(cell, str)}


@lru_cache(maxsize=64)
def separator(game: Game) -> str:
    """The text between two squares of a row: a comma if a row without it could be read in two ways, else nothing."""
    names = {*game.look.pieces.first, *game.look.pieces.second, EMPTY}
    rests = [name.removeprefix(other) for name in names for other in names if name != other and name.startswith(other)]
    return "," if any(rest.startswith(name) or name.startswith(rest) for rest in rests for name in names) else ""


@lru_cache(maxsize=64)
def squares_by_row(game: Game) -> list[list[int]]:
    """The squares of each row of a position's text, without fixed texts; those beside the board are the last row."""
    width, height = game.shape
    rows = [[*range(y * width, (y + 1) * width)] for y in range(height)]
    if game.look.beside:
        rows.append([*range(width * height, width * height + len(game.look.beside))])
    texts = fixed_texts(game)
    return [[square for square in row if square not in texts] for row in rows]


def square_names(game: Game) -> list[str]:
    """What each square is called: by its column and row, as b2 or south 2, or by its label beside the board."""
    look = game.look
    on_board = [f"{row} {column}" if len(row) > 3 else column + row for row in look.rows for column in look.columns]
    return [*on_board, *look.beside]


def is_grid(game: Game) -> bool:
    """Whether the board is nothing but squares."""
    return not (fixed_texts(game) or game.look.beside or game.look.lines or game.look.board == "hexagons")


@lru_cache(maxsize=64)
def layout(game: Game) -> list[Line]:
    """The lines of a drawn board."""
    if game.look.board == "hexagons":
        return hexagon_layout(game)
    look, (width, height) = game.look, game.shape
    margin = max(len(label) for label in look.rows)
    across, down = line_pairs(game)
    gap: Line = [" ", NOTHING]
    before = gap if has_stores(game) else []
    lines: list[Line] = [
        [" " * margin, *before, *(part for label in look.columns for part in (" ", FilledText(label)))]
    ]
    for y in range(height):
        if y and has_stores(game):
            lines.append([" " * margin, " ", width * height, *gap * width, " ", width * height + 1])
        row: Line = [look.rows[y].rjust(margin), *before]
        for square in range(y * width, (y + 1) * width):
            row.append("-" if (square - 1, square) in across else " ")
            row.append(cell_part(game, square, (square - 1, square) in across, (square - width, square) in down))
        lines.append(row)
    if look.beside and not has_stores(game):
        lines.append(beside_line(game, margin))
    return lines


def beside_line(game: Game, margin: int) -> Line:
    """The squares beside the board with their labels."""
    first = game.shape[0] * game.shape[1]
    parts = [(f"  {label} " if i else f"{label} ", first + i) for i, label in enumerate(game.look.beside)]
    return [" " * margin, " ", *(part for one in parts for part in one)]


def cell_part(game: Game, square: int, across: bool, down: bool) -> LinePart:
    """A place of the board: a square, a fixed text, or the line that runs through it."""
    text = fixed_texts(game).get(square)
    if text is None:
        return square
    if text.strip():
        return FilledText(text)
    return FilledText("+" if down else "-", "-") if across else FilledText("|" if down else "")


def hexagon_layout(game: Game) -> list[Line]:
    """The lines of a board of hexagons: each row begins half a cell to the right of that above."""
    look, (width, height), ends = game.look, game.shape, column_ends(game)
    margin, rows = max(len(label) for label in look.rows), rows_of_hexagons(game)
    begins = [2 * row[0] + y for y, row in enumerate(rows)]
    lines: list[Line] = []
    for y in range(-1, height + 1):
        here = rows[y] if 0 <= y < height else []
        parts = {x: FilledText(look.columns[x]) for x in range(width) if ends[x] == y}
        row_parts: dict[int, LinePart] = {**parts, **{x: cell_part(game, y * width + x, False, False) for x in here}}
        if row_parts:
            label = look.rows[y] if here else ""
            before = " " * (2 * min(row_parts) + y + 1 - min(begins)) + label.rjust(margin)
            across = range(min(row_parts), max(row_parts) + 1)
            lines.append([before, *(part for x in across for part in (" ", row_parts.get(x, NOTHING)))])
    if look.beside:
        lines.append(beside_line(game, margin))
    return lines


def rows_of_hexagons(game: Game) -> list[list[int]]:
    """The columns that each row of the board has, without the blanks at its ends."""
    (width, height), texts = game.shape, fixed_texts(game)
    rows = [[x for x in range(width) if texts.get(y * width + x, "#").strip()] for y in range(height)]
    return [row or [0] for row in rows]


def column_ends(game: Game) -> list[int]:
    """For each column of hexagons the row of its label, beyond the board: above it, or below if a corner is missing."""
    rows = rows_of_hexagons(game)
    columns = [[y for y, row in enumerate(rows) if x in row] for x in range(game.shape[0])]
    return [(column[0] - 1 if 0 in rows[0] else column[-1] + 1) if column else -2 for column in columns]


def has_stores(game: Game) -> bool:
    """Whether the two squares beside the board are at its ends, between its two rows of pits."""
    return game.look.board == "pits" and game.shape[1] == 2 and len(game.look.beside) == 2


NeighbourPairs = set[tuple[int, int]]


def line_pairs(game: Game) -> tuple[NeighbourPairs, NeighbourPairs]:
    """The neighbours in a row, and in a column, that a line of the board joins."""
    width, across, down = game.shape[0], NeighbourPairs(), NeighbourPairs()
    for start, end in game.look.lines:
        a, b = sorted((start, end))
        if a // width == b // width:
            across.update((at, at + 1) for at in range(a, b))
        elif a % width == b % width:
            down.update((at, at + width) for at in range(a, b, width))
    return across, down
