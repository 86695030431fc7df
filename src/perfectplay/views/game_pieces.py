"""The pieces of a game as drawings: the shape and the colour of each kind, from its look alone."""

import re

from perfectplay.game import Game
from perfectplay.look import FIGURES, ROUND, Look
from perfectplay.views.piece_art import piece_art
from perfectplay.views.shared_pieces import nobodys
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


def spoken_names(look: Look, side: int) -> list[str]:
    """Each kind of piece of a side as people call it aloud: Yellow, White king, X 2."""
    owner, kinds, shapes = side_names(look)[side], look.pieces[side], shapes_of(look, side)
    names = []
    for shape, text in zip(shapes, kinds, strict=True):
        number = re.search("[0-9]+", text)
        left = f"{owner} {number[0]}" if look.fades and number else text
        alone = len(kinds) == 1 or (shape in ROUND and shapes.count(shape) == 1)
        names.append(f"{owner} {shape}" if shape in FIGURES else owner if alone else "edge" if shape == "bar" else left)
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
