"""Positions as planes of 0 and 1, which is how players that learn see a board.

There is a plane for each kind of piece of the side to move, then one for each kind of the other side: (planes, rows,
columns). Squares beside the board follow in further rows. Planes depend on the position alone, not on which side is to
move: both sides see their own pieces in the first planes, on the board as the first side sees it.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import COMPILED_BITS, Game
from perfectplay.rules.notation import spots
from perfectplay.words import FIRST, BadGame, Position

Words = NDArray[Any]
"""A word of each position: int64, or Python's integers as objects where words have more than 63 bits."""


class Test(NamedTuple):
    """A piece stands at `place`, an index into the flattened planes, if the word has `value` under `mask`."""

    place: int
    word: int
    mask: int
    value: int


class Planes(NamedTuple):
    """The shape of a game's planes, (planes, rows, columns), and how to fill them."""

    shape: tuple[int, int, int]
    tests: tuple[Test, ...]

    @property
    def size(self) -> int:
        """The number of entries in the planes of a position."""
        return self.shape[0] * self.shape[1] * self.shape[2]


@lru_cache(maxsize=64)
def planes_of(game: Game) -> Planes:
    """The planes of a game; raises BadGame if squares do not show its positions."""
    if game.texts is not None:
        raise BadGame(f"{game.name} has no planes to learn from: its positions are text, not pieces on squares")
    width, height = game.shape
    squares = spots(game, FIRST)
    rows = height + -(-(len(squares) - width * height) // width)
    kinds = max(map(len, squares))
    tests = []
    for square, pieces in enumerate(squares):
        for kind, (mask, value, *_) in enumerate(pieces):
            if value & ~mask == 0:
                for word in (0, 1):
                    tests.append(Test((word * kinds + kind) * rows * width + square, word, mask, value))
    return Planes((2 * kinds, rows, width), tuple(tests))


def planes(game: Game, mine: Words, theirs: Words) -> NDArray[np.int8]:
    """The planes of each of these positions, given by their words: (positions, planes, rows, columns)."""
    shape, tests = planes_of(game)
    words = np.asarray(mine), np.asarray(theirs)
    rows = np.zeros((len(words[0]), planes_of(game).size), np.int8)
    for place, word, mask, value in tests:
        rows[:, place] = (words[word] & mask) == value
    return rows.reshape(-1, *shape)


def word_arrays(game: Game, positions: list[Position]) -> tuple[Words, Words]:
    """The words of these positions as two arrays."""
    kind = np.int64 if game.bits <= COMPILED_BITS else object
    mine, theirs = zip(*positions, strict=True) if positions else ((), ())
    return np.array(mine, kind), np.array(theirs, kind)
