"""The pieces of a game as drawings: the shape and the colour of each kind, from its look alone."""

import re
from functools import lru_cache
from html import escape
from math import cos, pi, sin, sqrt

from perfectplay.game import FIGURES, ROUND, Game, Look
from perfectplay.rules.notation import piece_name, spots
from perfectplay.words import FIRST, SECOND

MARKS = {"X": "cross", "O": "ring"}
MEN = {"X": "man", "O": "man"}
EDGES = {"-": "bar", "|": "bar"}
LETTERS = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
"""Shapes of pieces by their text."""

NOBODY = "ink"
"""The colour of pieces that belong to nobody."""


def pieces_of(game: Game, side: int) -> tuple[str, ...]:
    """Each kind of piece of a side, drawn around the origin; what belongs to nobody looks the same for both."""
    look = game.look
    names = look.pieces[side]
    owners = [(FIRST, NOBODY) if kind in nobodys(game) else (side, look.colours[side]) for kind in range(len(names))]
    return tuple(
        piece_art(shape, name, owner, colour, look.fades, len(names))
        for shape, name, (owner, colour) in zip(shapes_of(look, side), names, owners, strict=True)
    )


def token(game: Game, side: int) -> str:
    """What stands for a side: its first piece, or the letter of its name where that is nobody's or a count."""
    look, name = game.look, game.look.pieces[side][0]
    if 0 not in nobodys(game) and not name.isdecimal():
        return pieces_of(game, side)[0]
    letter = capital(look.sides[side])[0]
    return piece_art(MARKS.get(letter, "text"), letter, side, look.colours[side], False, 1)


def side_names(look: Look) -> tuple[str, str]:
    """What people who see the board call the sides: by their colours where pieces differ in nothing else."""
    shapes = {*shapes_of(look, FIRST), *shapes_of(look, SECOND)} - {"text"}
    differ = look.pieces.first != look.pieces.second
    names = look.colours if differ and shapes and shapes <= {*ROUND} else look.sides
    return capital(names.first), capital(names.second)


def whose_pieces(look: Look) -> str:
    """Which colour each side has, in a sentence; empty where the sides are called by what people see."""
    pairs = [(name, seen.lower()) for name, seen in zip(look.sides, side_names(look), strict=True)]
    apart = all(name.lower() != seen for name, seen in pairs)
    return f"{', '.join(f'{name} is {seen}' for name, seen in pairs)}." if apart else ""


def spoken_names(look: Look, side: int) -> list[str]:
    """Each kind of piece of a side as people call it aloud: Yellow, White king, X 2."""
    owner, kinds, shapes = side_names(look)[side], look.pieces[side], shapes_of(look, side)
    names = []
    for shape, text in zip(shapes, kinds, strict=True):
        number = re.search("[0-9]+", text)
        short = f"{owner} {number[0]}" if look.fades and number else text
        alone = len(kinds) == 1 or (shape in ROUND and shapes.count(shape) == 1)
        names.append(
            f"{owner} {shape}" if shape in FIGURES else owner if alone else "edge" if shape == "bar" else short
        )
    return names


def capital(name: str) -> str:
    """The name with a capital letter: Yellow, South."""
    return name[:1].upper() + name[1:]


def shapes_of(look: Look, side: int) -> tuple[str, ...]:
    """The shape of each kind of piece of a side."""
    return look.shapes[side] if look.shapes else tuple(usual_shape(look, name) for name in look.pieces[side])


def usual_shape(look: Look, name: str) -> str:
    """The shape of a piece for which the look has none: marks X and O, figures on squares of two shades, or text."""
    if look.board == "pits" and name.isdecimal():
        return "seeds"
    letters = {"checks": LETTERS, "dots": EDGES, "points": MEN}.get(look.board, MARKS)
    return letters.get(re.sub("[0-9]+$", "", name).upper(), "text")


# Pieces as drawings around the origin, on a square of 10 by 10: marks, stones, edges, seeds and chess figures.


FIGURE_PATHS = {
    "pawn": "M0-3.1a1.35 1.35 0 0 1 .85 2.4c.75.35 1 .9 1 1.4h-.75c.1 1.1.5 1.9 1.3 2.6v1h-4.8v-1c.8-.7 1.2-1.5 1.3-2.6"
    "h-.75c0-.5.25-1.05 1-1.4a1.35 1.35 0 0 1 .85-2.4z",
    "rook": "M-2.4-3.4h1.2v.9h.8v-.9h.8v.9h.8v-.9h1.2v2l-.9.8v2.4l.9 1v.9h-4.8v-.9l.9-1v-2.4l-.9-.8z",
    "knight": "M-1.7 3.7v-.9c.2-1.7 1.7-2.4 1.5-3.9c-.5.6-1.3.8-1.9 1.3l-.9-.8c.2-1.3 1.2-2.6 2.2-3.1l-.1-1l1.1.6c2 .3"
    " 3.1 2 3 4.3c-.1 1.4-.5 2-.5 2.7v.8z",
    "bishop": "M0-4a.5.5 0 0 1 .4.85c1 .7 1.6 1.6 1.6 2.6c0 .8-.4 1.4-1 1.8l.3.8h-.5c.1.5.4.8 1.6.9v.8h-4.8v-.8c1.2-.1"
    " 1.5-.4 1.6-.9h-.5l.3-.8c-.6-.4-1-1-1-1.8c0-1 .6-1.9 1.6-2.6a.5.5 0 0 1 .4-.85z",
    "queen": "M-3.1-2.4l1.4 2.2l.4-3l1.3 2.8l1.3-2.8l.4 3l1.4-2.2l-.8 4.2l.5.9v1h-5.6v-1l.5-.9z",
    "king": "M-.35-4.2h.7v.7h.7v.7h-.7v.8c2-.8 3 .3 2.6 1.7c-.3.9-1 1.4-1.2 1.8v.6l.6.7v.9h-4.7v-.9l.6-.7v-.6c-.2-.4"
    "-.9-.9-1.2-1.8c-.4-1.4.6-2.5 2.6-1.7v-.8h-.7v-.7h.7z",
}
"""The outlines of chess figures."""
GOLDEN = pi * (3 - sqrt(5))
"""The angle from seed to seed that spreads them evenly."""
MOST_SEEDS = 20
"""More are not drawn: their number tells."""


def piece_art(shape: str, name: str, side: int, colour: str, fades: bool, kinds: int) -> str:
    """The piece of that shape and text."""
    number = re.search("[0-9]+", name)
    inner = shape_art(shape, name, side)
    if number and shape not in ("text", "seeds"):
        inner += f'<text class="number" x="4.4" y="4.4">{number[0]}</text>'
    pale = f' opacity="{0.35 + 0.65 * min(1.0, int(number[0]) / kinds):.2f}"' if fades and number else ""
    order = "first" if side == FIRST else "second"
    return f'<g class="piece {shape if shape not in FIGURE_PATHS else "figure"} {order} {colour}"{pale}>{inner}</g>'


def shape_art(shape: str, name: str, side: int) -> str:
    """The shape alone; discs of the two sides have different marks, for those who see no colours."""
    if shape in FIGURE_PATHS:
        return f'<path class="body" d="{FIGURE_PATHS[shape]}"/>'
    if shape == "cross":
        return '<path class="line" d="M-2.4-2.4L2.4 2.4M2.4-2.4L-2.4 2.4"/>'
    if shape == "ring":
        return '<circle class="line" r="2.7"/>'
    if shape == "disc":
        mark = '<circle class="mark" r="1.7"/>' if side == FIRST else '<path class="mark" d="M-1.7 0h3.4M0-1.7v3.4"/>'
        return f'<circle class="body" r="3.85"/>{mark}'
    if shape == "stone":
        return '<circle class="body" r="4.35"/>'
    if shape == "man":
        return '<circle class="body" r="3.5"/><circle class="rimmed" r="2.3"/>'
    if shape == "block":
        return '<rect class="body" x="-4.6" y="-4.6" width="9.2" height="9.2" rx="0.8"/>'
    if shape == "bar":
        return f'<path class="bar" d="{"M0-8.6V8.6" if name == "|" else "M-8.6 0H8.6"}"/>'
    if shape == "seeds":
        return seeds(int(name)) if name.isdecimal() else ""
    size = 2.2 if len(name) > 2 else 3 if len(name) > 1 else 4.2
    return f'<circle class="body" r="3.6"/><text font-size="{size}" dy="0.36em">{escape(name)}</text>'


def seeds(count: int) -> str:
    """So many seeds in a pit, spread from its middle, and their number below."""
    near = min(1.3, 2.7 / sqrt(count or 1))
    places = [near * sqrt(i + 0.5) if count > 1 else 0.0 for i in range(min(count, MOST_SEEDS))]
    dots = "".join(
        f'<circle class="seed" cx="{r * cos(i * GOLDEN):.2f}" cy="{r * sin(i * GOLDEN) - 0.7:.2f}" r="0.66"/>'
        for i, r in enumerate(places)
    )
    return f'{dots}<text class="number" x="0" y="3.6">{count}</text>'


# Pieces that look the same whoever has them: which belong to nobody, and what is new on a square.


@lru_cache(maxsize=64)
def nobodys(game: Game) -> frozenset[int]:
    """The kinds of pieces that belong to nobody: both sides have them under one text, and either word can hold them."""
    both = enumerate(zip(game.look.pieces.first, game.look.pieces.second, strict=False))
    free = {
        kind
        for square in spots(game, FIRST)
        for kind, spot in enumerate(square)
        if spot[1] & ~spot[0] == 0 and len(spot) < 3
    }
    return frozenset(kind for kind, (first, second) in both if first == second and kind in free)


def is_new(game: Game, before: tuple[int, int] | None, now: tuple[int, int] | None) -> bool:
    """Whether a square bears something new: another side's piece, if it looks different, or in a pit another count."""
    if now is None or before is None:
        return now is not None
    moved = before[0] != now[0] or game.look.board == "pits"
    return moved and piece_name(game, before) != piece_name(game, now)
