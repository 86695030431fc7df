"""Boards as drawings: shapes for a game's board and pieces, from its look alone.

The page, its single file, reports and pictures all draw from these, so a board looks the same everywhere. Shapes are
SVG elements in units of a tenth of a square; their colours come from `board.css` by the classes that they have.
"""

import re
from functools import lru_cache
from html import escape
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.look import Look
from perfectplay.pictures.piece_art import piece_art
from perfectplay.words import FIRST, SECOND, Sides

SQUARE = 10.0
"""The width of a square."""
HOLE = 4.1
"""The radius of a hole in a frame, and of a pit."""
EDGE = 0.75
"""The width of the board beyond its outermost squares."""

MARKS = {"X": "cross", "O": "ring"}
LETTERS = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
"""Shapes of pieces by their text."""

Place = tuple[float, float]


class Art(NamedTuple):
    """A drawn board: its box (x, y, width, height), where squares are, what is below and above, and the pieces.

    `grounds` has what is drawn on each square when it is empty, and `pieces` the pieces, all around the origin.
    """

    board: str
    box: tuple[float, float, float, float]
    places: tuple[Place, ...]
    grounds: tuple[str, ...]
    under: str
    over: str
    pieces: Sides[tuple[str, ...]]

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
        }


@lru_cache(maxsize=64)
def art_of(game: Game, labels: bool = True) -> Art:
    """The drawing of a game's board, with labels at its edges or without."""
    look, places = game.look, places_of(game)
    left, top = min(x for x, _ in places) - SQUARE / 2, min(y for _, y in places) - SQUARE / 2
    right, bottom = max(x for x, _ in places) + SQUARE / 2, max(y for _, y in places) + SQUARE / 2
    texts, margin = labels_of(game) if labels else ("", (0.0, 0.0))
    edge = EDGE if look.board in ("frame", "checks", "points") else 0.25
    box = (
        left - edge - margin[0],
        top - edge - margin[1],
        right - left + 2 * edge + margin[0],
        bottom - top + 2 * edge + margin[1],
    )
    inner = (left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge)
    return Art(
        look.board,
        box,
        places,
        tuple(ground(look, square, game.shape[0]) for square in range(len(places))),
        texts + under(game, places, inner),
        over(look, places, inner),
        Sides(pieces_of(look, FIRST), pieces_of(look, SECOND)),
    )


def places_of(game: Game) -> tuple[Place, ...]:
    """The centre of each square."""
    width, height = game.shape
    places = game.look.places or [(x, y) for y in range(height) for x in range(width)]
    return tuple((x * SQUARE + SQUARE / 2, y * SQUARE + SQUARE / 2) for x, y in places)


def ground(look: Look, square: int, width: int) -> str:
    """What is drawn on an empty square."""
    if look.board in ("frame", "pits"):
        return f'<circle class="ground" r="{HOLE:g}"/>'
    if look.board == "points":
        return '<circle class="ground" r="4.9"/>'
    shade = " dark" if look.board == "checks" and (square % width + square // width) % 2 else ""
    return f'<rect class="ground{shade}" x="-5" y="-5" width="10" height="10"/>'


def under(game: Game, places: tuple[Place, ...], inner: tuple[float, float, float, float]) -> str:
    """What is drawn below the squares."""
    look = game.look
    x, y, width, height = inner
    if look.board in ("checks", "points", "pits"):
        plate = f'<rect class="plate" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="1.6"/>'
        return plate + (point_lines(game, places) if look.board == "points" else "")
    if look.board == "paper":
        across, down = game.shape
        lines = [f"M{i * SQUARE:g} 0.5V{down * SQUARE - 0.5:g}" for i in range(1, across)]
        lines += [f"M0.5 {i * SQUARE:g}H{across * SQUARE - 0.5:g}" for i in range(1, down)]
        thick = min(0.6, 0.15 + 0.07 * max(across, down))
        return f'<path class="rules" stroke-width="{thick:g}" d="{"".join(lines)}"/>'
    return ""


def point_lines(game: Game, places: tuple[Place, ...]) -> str:
    """The lines that join points: those of the look, or those of a grid."""
    width, height = game.shape
    if game.look.lines:
        ends = [(places[a], places[b]) for a, b in game.look.lines]
    else:
        ends = [(places[row * width], places[row * width + width - 1]) for row in range(height)]
        ends += [(places[column], places[(height - 1) * width + column]) for column in range(width)]
    path = "".join(f"M{x:g} {y:g}L{u:g} {v:g}" for (x, y), (u, v) in ends)
    stars = [] if game.look.lines else star_points(game.shape)
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


def over(look: Look, places: tuple[Place, ...], inner: tuple[float, float, float, float]) -> str:
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


def labels_of(game: Game) -> tuple[str, Place]:
    """The labels at the left and at the top, and the room they take; none where squares have places of their own."""
    look = game.look
    if look.places:
        return "", (0.0, 0.0)
    width, height = game.shape
    size = min(3.2, 0.6 + max(width, height) * 0.175)
    edge = EDGE if look.board in ("frame", "checks", "points") else 0.0
    named = any(look.rows)
    texts = [
        f'<text x="{(i + 0.5) * SQUARE:g}" y="{-0.55 * size - edge:.2f}">{escape(label)}</text>'
        for i, label in enumerate(look.columns)
    ]
    texts += [
        f'<text x="{-size - edge:.2f}" y="{(i + 0.5) * SQUARE + 0.36 * size:.2f}">{escape(label)}</text>'
        for i, label in enumerate(look.rows)
        if label
    ]
    return (
        f'<g class="labels" font-size="{size:.2f}">{"".join(texts)}</g>',
        (2 * size if named else 0.0, 1.7 * size),
    )


def pieces_of(look: Look, side: int) -> tuple[str, ...]:
    """Each kind of piece of a side, drawn around the origin."""
    names = look.pieces[side]
    shapes = look.shapes[side] if look.shapes else tuple(usual_shape(look, name) for name in names)
    return tuple(
        piece_art(shape, name, side, look.colours[side], look.fades, len(names))
        for shape, name in zip(shapes, names, strict=True)
    )


def usual_shape(look: Look, name: str) -> str:
    """The shape of a piece for which the look has none: marks X and O, figures on squares of two shades, or text."""
    letters = LETTERS if look.board == "checks" else MARKS
    return letters.get(re.sub("[0-9]+$", "", name).upper(), "text")
