"""Boards as drawings: shapes for a game's board and pieces, from its look alone.

The page, its single file, reports and pictures all draw from these, so a board looks the same everywhere. Shapes are
SVG elements in units of a tenth of a square; their colours come from `board.css` by the classes that they have.
"""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from math import ceil, cos, pi, sin, sqrt
from typing import NamedTuple

from perfectplay.game import Game, Look
from perfectplay.rules.board_layout import column_ends, fixed_texts, has_stores, rows_of_hexagons
from perfectplay.views.game_pieces import pieces_of, side_names, token
from perfectplay.words import FIRST, SECOND, Sides

SQUARE = 10.0
"""The width of a square."""
HOLE = 4.1
"""The radius of a hole in a frame, and of a pit."""
EDGE = 0.75
"""The width of the board beyond its outermost squares."""
STORE = 1.25
"""How far stores are from the pits next to them, in squares."""
BELOW = 1.15
"""How far the squares beside the board are below it, and rows of them below each other, in squares."""
ASIDE = 3.6
"""The radius of a square beside the board."""
TIP = SQUARE / sqrt(3)
"""How far the corners of a hexagon are from its centre; rows of hexagons are 1.5 times as far from each other."""
BAND = 1.6
"""How wide the coloured edges of a board of hexagons are."""
LETTER = 0.56
"""How wide a letter of a label is at most, on average, in heights of the label."""

Place = tuple[float, float]
Box = tuple[float, float, float, float]
"""x, y, width and height."""


class Art(NamedTuple):
    """A drawn board: its box (x, y, width, height), where squares are, what is below and above, and the pieces.

    `grounds` has what is drawn on each square when it is empty, `pieces` the pieces, `tokens` what stands for a side:
    all of them around the origin.
    """

    board: str
    box: Box
    places: tuple[Place, ...]
    grounds: tuple[str, ...]
    under: str
    over: str
    pieces: Sides[tuple[str, ...]]
    tokens: Sides[str]

    def to_dict(self) -> dict[str, object]:
        """The drawing as the page gets it: different grounds once each, by number."""
        different = list(dict.fromkeys(self.grounds))
        return {
            "board": self.board,
            "box": [round(number, 2) for number in self.box],
            "places": [[round(x, 2), round(y, 2)] for x, y in self.places],
            "grounds": different,
            "ground_of": [different.index(ground) for ground in self.grounds] if len(different) > 1 else [],
            "under": self.under,
            "over": self.over,
            "pieces": [list(self.pieces.first), list(self.pieces.second)],
            "tokens": [self.tokens.first, self.tokens.second],
        }


@lru_cache(maxsize=64)
def art_of(game: Game, labels: bool = True) -> Art:
    """The drawing of a game's board, with labels at its edges or without."""
    look, places = game.look, places_of(game)
    count = len(places) if has_stores(game) else game.shape[0] * game.shape[1]
    edge = edge_of(look)
    squares = [
        place for i, place in enumerate(places) if look.board != "hexagons" or fixed_texts(game).get(i, "#").strip()
    ]
    inner = box_around(squares[: len(squares) - len(places) + count], edge)
    texts, (left, above, below) = labels_of(game, places, inner) if labels else ("", (0.0, 0.0, 0.0))
    names, low = beside(game, places, labels)
    x, y, width, height = box_around(squares, edge)
    height = max(inner[3], low - y, height)
    return Art(
        look.board,
        (x - left, y - above, width + left, height + above + below),
        places,
        tuple(ground(game, square) for square in range(len(places))),
        texts + names + under(game, places, inner),
        over(look, places[:count], inner),
        Sides(pieces_of(game, FIRST), pieces_of(game, SECOND)),
        Sides(token(game, FIRST), token(game, SECOND)),
    )


def edge_of(look: Look) -> float:
    """The width of the board beyond its outermost squares."""
    if look.board == "hexagons":
        return TIP - SQUARE / 2 + (BAND if look.edges else 0.25)
    return EDGE if look.board in ("frame", "checks", "points", "pits") else 0.25


def box_around(places: Sequence[Place], edge: float) -> Box:
    """The box around squares at these places, with an edge."""
    left, top = min(x for x, _ in places) - SQUARE / 2, min(y for _, y in places) - SQUARE / 2
    right, bottom = max(x for x, _ in places) + SQUARE / 2, max(y for _, y in places) + SQUARE / 2
    return left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge


def places_of(game: Game) -> tuple[Place, ...]:
    """The centre of each square; those beside the board are at its ends or below it if the look does not say."""
    (width, height), look = game.shape, game.look
    shift, down = (0.5, sqrt(0.75)) if look.board == "hexagons" else (0.0, 1.0)
    places = [*(look.places or ((x + y * shift, y * down) for y in range(height) for x in range(width)))]
    if len(places) == width * height and has_stores(game):
        places += [(-STORE, 0.5), (width - 1 + STORE, 0.5)]
    elif len(places) == width * height:
        (left, right), low = (f(x for x, _ in places) for f in (min, max)), max(y for _, y in places)
        across = beside_each_other(game, right - left + 1)
        room = (right - left + 1) / across
        places += [
            (left - 0.5 + (i % across + 0.5) * room, low + (i // across + 1) * BELOW) for i in range(len(look.beside))
        ]
    return tuple((x * SQUARE + SQUARE / 2, y * SQUARE + SQUARE / 2) for x, y in places)


def beside_each_other(game: Game, width: float) -> int:
    """How many squares beside the board are in a row below it, so that neither they nor their labels overlap."""
    labels = beside_labels(game)
    longest = max(map(len, labels), default=0)
    wide = max(2 * ASIDE + 1, (longest + 1) * LETTER * beside_label_size(game)) / SQUARE
    rows = ceil(len(labels) / max(1, int(width / wide)))
    return ceil(len(labels) / max(1, rows)) or 1


def beside_labels(game: Game) -> list[str]:
    """The labels of squares beside the board, with the sides' names that people see."""
    sides = dict(zip(game.look.sides, side_names(game.look), strict=True))
    return [" ".join(sides.get(word, word) for word in label.split()) for label in game.look.beside]


def ground(game: Game, square: int) -> str:
    """What is drawn on an empty square, or always where none is."""
    look, (width, height), text = game.look, game.shape, fixed_texts(game).get(square)
    if text is not None:
        return fixed_art(text)
    if square >= width * height and has_stores(game):
        size = f'x="{-HOLE}" y="{-HOLE - 5:g}" width="{2 * HOLE}" height="{2 * HOLE + 10:g}" rx="{HOLE}"'
        return f'<rect class="ground" {size}/>'
    if square >= width * height:
        return f'<circle class="ground aside" r="{ASIDE}"/>'
    if look.board == "hexagons":
        corners = (around_hexagon((0, 0), i + 0.5) for i in range(6))
        return f'<path class="ground" d="M{" ".join(f"{x:.2f} {y:.2f}" for x, y in corners)}z"/>'
    if look.board in ("frame", "pits"):
        return f'<circle class="ground" r="{HOLE:g}"/>'
    if look.board == "points":
        return '<circle class="ground" r="4.9"/>'
    if look.board == "dots":
        trace = "M0-8V8" if square // width % 2 else "M-8 0H8"
        return f'<g><path class="ground" d="M-10 0L0-10L10 0L0 10z"/><path class="trace" d="{trace}"/></g>'
    shade = " dark" if look.board == "checks" and (square % width + square // width) % 2 else ""
    return f'<rect class="ground{shade}" x="-5" y="-5" width="10" height="10"/>'


def fixed_art(text: str) -> str:
    """What stands where no square is: a dot for +, a wall for #, nothing for a blank, else the text."""
    if text == "+":
        return '<circle class="dot" r="1.2"/>'
    if text == "#":
        return '<rect class="wall" x="-5" y="-5" width="10" height="10"/>'
    return f'<text class="fixed" font-size="4" dy="0.36em">{escape(text)}</text>' if text.strip() else ""


def beside(game: Game, places: tuple[Place, ...], labels: bool) -> tuple[str, float]:
    """The labels of squares beside the board, below each or above stores, and how far down they reach."""
    count = game.shape[0] * game.shape[1]
    if not game.look.beside or not labels:
        return "", 0.0
    size = beside_label_size(game)
    down = -SQUARE - EDGE - 0.55 * size if has_stores(game) else 4.2 + size
    texts = [
        f'<text x="{x:g}" y="{y + down:g}">{escape(label)}</text>'
        for label, (x, y) in zip(beside_labels(game), places[count:], strict=True)
    ]
    return f'<g class="labels" font-size="{size:.2f}">{"".join(texts)}</g>', max(
        y for _, y in places[count:]
    ) + down + 0.5


def under(game: Game, places: tuple[Place, ...], inner: Box) -> str:
    """What is drawn below the squares."""
    look = game.look
    x, y, width, height = inner
    if look.board == "hexagons" and look.edges:
        return coloured_edges(game, places)
    if look.board in ("checks", "points", "pits"):
        round_by = 6 if look.board == "pits" else 1.6
        plate = f'<rect class="plate" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_by}"/>'
        return plate + (point_lines(game, places) if look.board == "points" else "")
    if look.board == "paper":
        across, down = game.shape
        lines = [f"M{i * SQUARE:g} 0.5V{down * SQUARE - 0.5:g}" for i in range(1, across)]
        lines += [f"M0.5 {i * SQUARE:g}H{across * SQUARE - 0.5:g}" for i in range(1, down)]
        thick = min(0.6, 0.15 + 0.07 * max(across, down))
        return f'<path class="rules" stroke-width="{thick:g}" d="{"".join(lines)}"/>'
    return ""


def around_hexagon(place: Place, turned: float, radius: float = TIP) -> Place:
    """The point at this distance from the centre of a hexagon, so many sixths of a turn from the right to the top."""
    return place[0] + radius * cos(turned * pi / 3), place[1] - radius * sin(turned * pi / 3)


def coloured_edges(game: Game, places: tuple[Place, ...]) -> str:
    """The edges of a board of hexagons in the sides' colours; at a blunt corner each of two has half a cell's edge."""
    width, height = game.shape
    top, left = places[:width], places[: width * height : width]
    bottom, right = (
        places[width * height - width : width * height][::-1],
        places[width - 1 : width * height : width][::-1],
    )
    parts = []
    for side, cells, begin, turn in ((0, top, 2.5, -1), (0, bottom, 5.5, -1), (1, left, 2.5, 1), (1, right, 5.5, 1)):
        line = [around_hexagon(cells[0], begin)]
        line += [around_hexagon(cell, begin + turn * i) for cell in cells for i in (1, 2)]
        line[-1] = around_hexagon(cells[-1], begin + 1.5 * turn, SQUARE / 2)
        path = " ".join(f"{x:.2f} {y:.2f}" for x, y in line)
        parts.append(f'<g class="piece {game.look.colours[side]}"><path class="edge" d="M{path}"/></g>')
    return "".join(parts)


def point_lines(game: Game, places: tuple[Place, ...]) -> str:
    """The lines that join points: those of the look, or those of a grid."""
    width, height = game.shape
    if game.look.lines:
        ends = [(places[a], places[b]) for a, b in game.look.lines]
    else:
        ends = [(places[row * width], places[row * width + width - 1]) for row in range(height)]
        ends += [(places[column], places[(height - 1) * width + column]) for column in range(width)]
    path = "".join(f"M{x:g} {y:g}L{u:g} {v:g}" for (x, y), (u, v) in ends)
    squares = [square for square in range(width * height) if square not in fixed_texts(game)]
    stars = squares if game.look.lines else star_points(game.shape)
    dots = "".join(f'<circle class="star" cx="{places[i][0]:g}" cy="{places[i][1]:g}" r="0.9"/>' for i in stars)
    return f'<path class="rules" d="{path}"/>{dots}'


def star_points(shape: tuple[int, int]) -> list[int]:
    """The points of a large board that are marked, so that the eye finds its way: the centre and those near corners."""
    width, height = shape
    if width < 9 or height < 9:
        return []
    far = 3 if min(shape) > 12 else 2
    columns, rows = (far, width - 1 - far), (far, height - 1 - far)
    corners = [row * width + column for row in rows for column in columns]
    return [*corners, height // 2 * width + width // 2] if width % 2 and height % 2 else corners


def over(look: Look, places: tuple[Place, ...], inner: Box) -> str:
    """What is drawn above the pieces: a frame, with a hole at each square."""
    if look.board != "frame":
        return ""
    x, y, width, height = inner
    r = 2.2
    outline = (
        f"M{x + r:g} {y:g}h{width - 2 * r:g}a{r} {r} 0 0 1 {r} {r}v{height - 2 * r:g}a{r} {r} 0 0 1 {-r} {r}"
        f"h{2 * r - width:g}a{r} {r} 0 0 1 {-r} {-r}v{2 * r - height:g}a{r} {r} 0 0 1 {r} {-r}z"
    )
    holes = "".join(
        f"M{px - HOLE:g} {py:g}a{HOLE} {HOLE} 0 1 0 {2 * HOLE:g} 0a{HOLE} {HOLE} 0 1 0 {-2 * HOLE:g} 0z"
        for px, py in places
    )
    return f'<path class="frame" fill-rule="evenodd" d="{outline}{holes}"/><path class="rim" d="{holes}"/>'


def label_size(game: Game) -> float:
    """How high labels are: higher on large boards, which are drawn smaller."""
    size = min(3.2, 0.6 + max(game.shape) * 0.175)
    return max(size, 2.1) if has_stores(game) else size


def beside_label_size(game: Game) -> float:
    """How high the labels of squares beside the board are."""
    return max(1.7, label_size(game))


def labels_of(game: Game, places: tuple[Place, ...], inner: Box) -> tuple[str, tuple[float, float, float]]:
    """The labels, and the room they take left, above and below; none where squares have places of their own."""
    look = game.look
    if look.places:
        return "", (0.0, 0.0, 0.0)
    size = label_size(game)
    if look.board == "hexagons":
        return hexagon_labels(game, places, size)
    edge = EDGE if edge_of(look) == EDGE else 0.0
    has_rows = any(look.rows) and not has_stores(game)
    texts = [
        f'<text x="{(i + 0.5) * SQUARE:g}" y="{-0.55 * size - edge:.2f}">{escape(label)}</text>'
        for i, label in enumerate(look.columns)
    ]
    texts += [
        f'<text x="{inner[0] - size:.2f}" y="{(i + 0.5) * SQUARE + 0.36 * size:.2f}">{escape(label)}</text>'
        for i, label in enumerate(look.rows)
        if label and has_rows
    ]
    return (
        f'<g class="labels" font-size="{size:.2f}">{"".join(texts)}</g>',
        (2 * size if has_rows else 0.0, 1.7 * size, 0.0),
    )


def hexagon_labels(game: Game, places: tuple[Place, ...], size: float) -> tuple[str, tuple[float, float, float]]:
    """The labels of rows, at their left, and of columns, which run from the upper left to the lower right."""
    (width, _), ends, rows, labels = game.shape, column_ends(game), rows_of_hexagons(game), []
    away = SQUARE / 2 + edge_of(game.look) + 0.6 * size
    for y, row in enumerate(rows):
        labels.append((around_hexagon(places[y * width + row[0]], 3, away), game.look.rows[y]))
    above = 0 in rows[0]
    for x, end in enumerate(ends):
        last = end + 1 if above else end - 1
        if last >= 0:
            labels.append((around_hexagon(places[last * width + x], 2 if above else 5, away), game.look.columns[x]))
    texts = (f'<text x="{x:.2f}" y="{y + 0.36 * size:.2f}">{escape(label)}</text>' for (x, y), label in labels)
    room = 1.5 * size
    return f'<g class="labels" font-size="{size:.2f}">{"".join(texts)}</g>', (
        1.5 * size,
        room if above else 0.0,
        0.0 if above else room,
    )


# A position that squares cannot show, drawn as its text.


LETTER_WIDTH, LINE = 0.62, 1.2
"""How wide a letter is, and how far apart lines are, in heights of a letter."""
FILLED = 0.9
"""How much of its box the text takes."""


def text_svg(text: str, box: Box) -> str:
    """The lines of a text in letters of one width, as large as the box allows, in its middle."""
    x, y, wide, high = box
    lines = text.splitlines() or [""]
    longest = max(1, *map(len, lines))
    size = FILLED * min(wide / (longest * LETTER_WIDTH), high / (len(lines) * LINE))
    left, top = x + (wide - longest * LETTER_WIDTH * size) / 2, y + (high - len(lines) * LINE * size) / 2
    spans = [
        f'<text x="{left:.2f}" y="{top + (i + 0.85) * LINE * size:.2f}" xml:space="preserve"'
        f' style="font-family:monospace;text-anchor:start;dominant-baseline:auto;white-space:pre">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]
    return f'<g class="labels" font-size="{size:.3f}">{"".join(spans)}</g>'
