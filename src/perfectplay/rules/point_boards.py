"""Boards of points on lines, as for men's morris: the points, the lines between them, and how the board turns."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from perfectplay.bits import Permutation, turns_and_mirrors

STRAIGHT, SLANTED = ((0, -1), (-1, 0), (1, 0), (0, 1)), ((-1, -1), (1, -1), (-1, 1), (1, 1))


class PointBoard(NamedTuple):
    """Points among the squares of a board.

    squares: that of each point, in reading order. rows: straight rows of points, each as a word. lines: the pairs of
    squares that a line joins, and ways: the same pairs, each as a word of two points. turns: the symmetries, as
    permutations of the points.
    """

    size: int
    squares: tuple[int, ...]
    rows: tuple[int, ...]
    lines: tuple[tuple[int, int], ...]
    ways: tuple[int, ...]
    turns: tuple[Permutation, ...]

    @property
    def cells(self) -> list[int | str]:
        """The point of each square, or a blank, as a game has it in its cells."""
        at = {square: point for point, square in enumerate(self.squares)}
        return [at.get(square, " ") for square in range(self.size * self.size)]

    @property
    def names(self) -> list[str]:
        """The name of each point: its column and its row."""
        return [f"{'abcdefg'[square % self.size]}{square // self.size + 1}" for square in self.squares]


def point_board(size: int, paths: Iterable[Iterable[int]], image: Permutation = ()) -> PointBoard:
    """The board of size x size squares with lines along these paths; it turns, mirrors and has one more image."""
    rows = sorted({tuple(sorted(path)) for path in paths})
    squares = tuple(sorted({square for row in rows for square in row}))
    at = {square: point for point, square in enumerate(squares)}
    lines = tuple(sorted({pair for row in rows for pair in pairwise(row)}))
    words = [sum(1 << at[square] for square in row) for row in (*rows, *lines)]
    images = (tuple(range(size * size)), image) if image else (tuple(range(size * size)),)
    turns = [tuple(at[turn[one[s]]] for s in squares) for one in images for turn in turns_and_mirrors(size, size)]
    return PointBoard(size, squares, tuple(words[: len(rows)]), lines, tuple(words[len(rows) :]), tuple(turns))


def ring_board(rings: int, slanted: bool) -> PointBoard:
    """Square rings of eight points, one in the other, joined at the middles of their sides, and slanted at the corners.

    A single ring has a point in its middle, and lines through it.
    """
    size = 2 * rings + 1
    sides = [[(x * r + y * k, y * r + x * k) for k in (-r, 0, r)] for r in range(1, rings + 1) for x, y in STRAIGHT]
    spoke = range(1, rings + 1) if rings > 1 else range(-1, 2)
    spokes = [[(x * r, y * r) for r in spoke] for x, y in STRAIGHT + SLANTED * slanted]
    inside_out = []
    for square in range(size * size):
        x, y = square % size - rings, square // size - rings
        ring = max(abs(x), abs(y), 1)
        swap = (rings + 1 - ring) if x % ring == 0 == y % ring else ring
        inside_out.append((y * swap // ring + rings) * size + x * swap // ring + rings)
    paths = [[(y + rings) * size + x + rings for x, y in path] for path in sides + spokes]
    return point_board(size, paths, tuple(inside_out) if rings > 1 else ())
