"""A board as SVG: squares with the pieces of both sides, told apart by form as well as by colour."""

from collections.abc import Collection
from html import escape

from perfectplay.game import Game
from perfectplay.notation import pieces_on
from perfectplay.words import FIRST, Position

SQUARE = 20
"""The width of a square in a drawing of its own scale."""
STYLE = """
.square { fill: #fffefb; stroke: #b9b4a8; stroke-width: 1 }
.square.new { fill: #f1e6c8 }
.first { stroke: #1f2d3a; fill: none } .second { stroke: #a3306d; fill: none }
text.first { fill: #1f2d3a; stroke: none } text.second { fill: #a3306d; stroke: none }
.mark { stroke-width: 3; stroke-linecap: round } .piece { font: bold 11px sans-serif } .life { font: 7px sans-serif }
text { text-anchor: middle; dominant-baseline: central }
"""
"""The rules of style that the drawings need."""


def board_size(game: Game, square: int = SQUARE) -> tuple[int, int]:
    """The width and the height of a drawn board."""
    width, height = game.shape
    return width * square + 2, height * square + 2


def board_svg(game: Game, position: Position, side: int, changed: Collection[int] = ()) -> str:
    """The elements of a drawing of the board, its top left corner at (0, 0); `changed` squares are tinted."""
    width, _ = game.shape
    parts = []
    for square, at in enumerate(pieces_on(game, position, side)):
        x, y = 1 + square % width * SQUARE, 1 + square // width * SQUARE
        new = " new" if square in changed else ""
        parts.append(f'<rect class="square{new}" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>')
        if at is not None:
            parts.append(piece_svg(game, *at, x + SQUARE / 2, y + SQUARE / 2))
    return "".join(parts)


def piece_svg(game: Game, owner: int, kind: int, x: float, y: float) -> str:
    """The piece at this place: a cross or a ring where the sides are X and O, else its name."""
    name = game.look.pieces[owner][kind]
    style = "first" if owner == FIRST else "second"
    mark, rest = name[:1], name[1:]
    if mark not in "XO":
        return f'<text class="piece {style}" x="{x:g}" y="{y:g}">{escape(name)}</text>'
    r = SQUARE / 4 if not rest else SQUARE / 5
    shape = (
        f'<path class="mark {style}" d="M{x - r:g} {y - r:g}l{2 * r:g} {2 * r:g}m0 {-2 * r:g}l{-2 * r:g} {2 * r:g}"/>'
        if mark == "X"
        else f'<circle class="mark {style}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'
    )
    if not rest:
        return shape
    return f'{shape}<text class="life {style}" x="{x + SQUARE / 2.6:g}" y="{y + SQUARE / 2.8:g}">{escape(rest)}</text>'


def changed_squares(game: Game, before: Position, after: Position, side: int) -> list[int]:
    """The squares that bear something else after a move by this side, and are not empty."""
    old, new = pieces_on(game, before, side), pieces_on(game, after, 1 - side)
    return [square for square, at in enumerate(new) if at is not None and (old[square] or (None,))[0] != at[0]]
