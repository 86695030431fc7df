"""How a board is drawn: the sides' names, the text, shape and colour of each kind of piece, labels, a note."""

from dataclasses import dataclass

from perfectplay.words import BadGame, Brief, Sides

X_AND_O = Sides("X", "O")
ONE_KIND: Sides[tuple[str, ...]] = Sides(("X",), ("O",))
INK_AND_PLUM = Sides("ink", "plum")


BOARDS = ("squares", "paper", "checks", "points", "frame", "pits", "dots", "felt", "hexagons")
"""How a board is drawn: squares, lines as on paper, two shades of squares, points on lines, a frame with holes, pits
for seeds, edges between dots, green squares, hexagons in rows of which each begins half a cell right of that above."""
FIGURES = ("king", "queen", "rook", "bishop", "knight", "pawn")
SHAPES = ("cross", "ring", "disc", "stone", "man", "block", "bar", "seeds", "text", *FIGURES)
"""How a piece is drawn; "text" is its text on a disc, "seeds" as many seeds as its text says, "man" a smaller stone,
"block" a full square, "bar" an edge from dot to dot, which stands if its text is |."""
ROUND = ("disc", "stone", "man", "block")
"""Shapes that differ in nothing but their colour."""
COLOURS = ("ink", "plum", "red", "yellow", "black", "white", "blue", "green")
"""The colours that a side may have; what they look like is up to the theme."""


@dataclass(frozen=True)
class Look(metaclass=Brief):
    """How a board is drawn: the sides' names, a text for each kind of piece, labels, and a note to explain it all.

    title: what people call the game. summary: its rules in a sentence. The rest is for pictures. board: one of BOARDS.
    shapes: for each side one of SHAPES per kind of piece; X and O are a cross and a ring if they are left out. colours:
    one of COLOURS for each side. fades: pieces whose text has a lower number are paler. places: the centre of each
    square, in squares from the top left. lines: pairs of squares that a line joins, where the board has points.
    beside: the labels of squares that are not on the board but beside it, such as a counter; their cells come last.
    edges: whether the top and bottom of a board of hexagons have the first side's colour, left and right the second's.
    """

    sides: Sides[str] = X_AND_O
    pieces: Sides[tuple[str, ...]] = ONE_KIND
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    note: str = ""
    title: str = ""
    board: str = "squares"
    shapes: Sides[tuple[str, ...]] | None = None
    colours: Sides[str] = INK_AND_PLUM
    fades: bool = False
    places: tuple[tuple[float, float], ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    summary: str = ""
    beside: tuple[str, ...] = ()
    edges: bool = False

    def __post_init__(self) -> None:
        given: object = self.beside
        if isinstance(given, str):
            raise BadGame(f"beside={self.beside!r} must be a tuple of texts, one for each square beside the board")
        if self.board not in BOARDS:
            raise BadGame(f"board={self.board!r} is not one of {', '.join(BOARDS)}")
        for side in (0, 1):
            if self.colours[side] not in COLOURS:
                raise BadGame(f"colours: {self.colours[side]!r} is not one of {', '.join(COLOURS)}")
            shapes = self.shapes[side] if self.shapes else ()
            for shape in shapes:
                if shape not in SHAPES:
                    raise BadGame(f"shapes: {shape!r} is not one of {', '.join(SHAPES)}")
            if self.shapes and len(shapes) != len(self.pieces[side]):
                raise BadGame(f"shapes has {len(shapes)} entries for {len(self.pieces[side])} kinds of pieces")


PLAIN_LOOK = Look()
