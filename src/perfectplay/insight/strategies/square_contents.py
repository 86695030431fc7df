"""The contents of each square in each position, as arrays, and the symmetries of the game as moves of squares."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import COMPILED_BITS, Game, images
from perfectplay.insight.strategies.kept_result import Goal
from perfectplay.rules.notation import spots
from perfectplay.views.game_pieces import nobodys
from perfectplay.words import Position

Squares = NDArray[np.int16]
"""For each position a row with the content of each square: 0 for an empty one, a number for each kind of piece."""
SAMPLE = 400
"""From how many positions the symmetries of the squares are read off."""


def word_arrays(game: Game, positions: list[Position]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The two words of each position."""
    kind: Any = np.int64 if game.bits <= COMPILED_BITS else object
    return np.array([one[0] for one in positions], kind), np.array([one[1] for one in positions], kind)


def kinds_of_pieces(game: Game) -> int:
    """The greatest number of kinds of pieces of a side."""
    return max(len(game.look.pieces.first), len(game.look.pieces.second))


def square_name(game: Game, square: int) -> str:
    """The name of a square: its column and row, or its label if it is beside the board."""
    width, height = game.shape
    if square >= width * height:
        return game.look.beside[square - width * height]
    column, row = game.look.columns[square % width], game.look.rows[square // width]
    return column + row if row else f"{column} in row {height - square // width} from below"


def contents(game: Game, positions: list[Position], mover: int, own: int) -> Squares:
    """The content of each square: 1 + kind for pieces of our side or of nobody, then those of the other side."""
    kinds, free = kinds_of_pieces(game), nobodys(game)
    mine, theirs = word_arrays(game, positions)
    places = spots(game, mover)
    squares: Squares = np.zeros((len(positions), len(places)), np.int16)
    for square, here in enumerate(places):
        for kind, (mask, value, *only) in enumerate(here):
            for owner, word in ((1 - mover, theirs), (mover, mine)):
                if only != [1 - owner]:
                    code = 1 + kind if owner == own or kind in free else 1 + kinds + kind
                    squares[np.asarray((word & mask) == value, bool), square] = code
    return squares


@dataclass(frozen=True, eq=False)
class Board:
    """The squares of all positions of a graph: with our side to move, and with the other side to move."""

    goal: Goal

    @cached_property
    def positions(self) -> list[Position]:
        """All positions, by number."""
        graph = self.goal.graph
        return [graph.position(number) for number in range(graph.counts.size)]

    @cached_property
    def ours(self) -> Squares:
        """The squares when our side is to move."""
        return contents(self.goal.game, self.positions, self.goal.side, self.goal.side)

    @cached_property
    def theirs(self) -> Squares:
        """The squares when the other side is to move."""
        return contents(self.goal.game, self.positions, 1 - self.goal.side, self.goal.side)

    @cached_property
    def kinds(self) -> int:
        """The greatest number of kinds of pieces of a side."""
        return kinds_of_pieces(self.goal.game)

    def is_own(self, squares: Squares) -> NDArray[np.bool_]:
        """The squares with a piece of our side."""
        own: NDArray[np.bool_] = (squares > 0) & (squares <= self.kinds)
        return own

    def is_theirs(self, squares: Squares) -> NDArray[np.bool_]:
        """The squares with a piece of the other side."""
        theirs: NDArray[np.bool_] = squares > self.kinds
        return theirs

    def exchange(self, squares: Squares) -> Squares:
        """The same squares with the pieces of the sides exchanged."""
        swapped: Squares = np.where(
            self.is_own(squares), squares + self.kinds, np.where(self.is_theirs(squares), squares - self.kinds, 0)
        ).astype(np.int16)
        return swapped

    @cached_property
    def turns(self) -> list[tuple[int, ...]]:
        """For each symmetry but the first where it takes each square; those that are not plain are left out."""
        game, size = self.goal.game, len(self.positions)
        samples = [self.positions[number] for number in np.unique(np.linspace(0, size - 1, SAMPLE, dtype=int)).tolist()]
        turned, side = images(game), self.goal.side
        before = contents(game, samples, side, side)
        turns = []
        for i in range(1, turned.count):
            after = contents(game, [turned.image(mine, theirs, i) for mine, theirs in samples], side, side)
            where = permutation(before, after)
            if where is not None and where not in turns and any(to != at for at, to in enumerate(where)):
                turns.append(where)
        return turns

    @cached_property
    def classes(self) -> list[list[int]]:
        """The squares that symmetries take to each other, class by class."""
        return components(self.ours.shape[1], [pair for turn in self.turns for pair in enumerate(turn)])


def permutation(before: Squares, after: Squares) -> tuple[int, ...] | None:
    """Where each square has gone, if that is plain."""
    same = (before[:, :, None] == after[:, None, :]).all(axis=0)
    image: list[int] = []
    for square, targets in enumerate(same):
        places = [int(to) for to in np.flatnonzero(targets) if to not in image]
        if not places:
            return None
        image.append(square if square in places else places[0])
    return tuple(image)


def components(count: int, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """The numbers below count in groups: those of a pair are in the same one."""
    leader = list(range(count))

    def find(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    for one, other in pairs:
        low, high = sorted((find(one), find(other)))
        leader[high] = low
    groups: dict[int, list[int]] = {}
    for number in range(count):
        groups.setdefault(find(number), []).append(number)
    return list(groups.values())
