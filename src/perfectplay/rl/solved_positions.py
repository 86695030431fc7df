"""All positions of a solved game as arrays: what is known of each, as evaluations, datasets and policies need it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.commands.terminal.arguments import Progress
from perfectplay.compiler.compilable import count_moves
from perfectplay.game import Game, Images, canonical
from perfectplay.players.models.game_graph import Graph, graphing, ranges
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import finished
from perfectplay.views.planes import planes, word_arrays
from perfectplay.words import FIRST, SECOND, Position

Numbers = NDArray[np.int64]
"""Positions by number."""


@dataclass(frozen=True, eq=False)
class SolvedPositions:
    """The positions of a solved game by number, images apart, as in its graph."""

    game: Game
    graph: Graph

    @cached_property
    def actions(self) -> int:
        """The number of actions: of move numbers."""
        return count_moves(self.game)

    @cached_property
    def unfinished(self) -> Numbers:
        """The positions in which a move is to be made."""
        return np.flatnonzero(self.graph.going)

    @cached_property
    def words(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The two words of each position."""
        return word_arrays(self.game, [self.graph.position(i) for i in range(self.graph.counts.size)])

    @cached_property
    def plies(self) -> NDArray[np.int64]:
        """The fewest plies from the start to each position, a row for each side to move; -1 where it never is."""
        graph, count = self.graph, self.graph.counts.size
        plies = np.full(2 * count, -1)
        wave, ply = np.array([graph.number(graph.game.start)]), 0
        while wave.size:
            plies[wave] = ply
            number, side = wave % count, wave // count
            edges, _ = ranges(graph.firsts[number], graph.counts[number])
            mover = np.repeat(side, graph.counts[number])
            mover = np.where(graph.again[edges], mover, 1 - mover)
            wave = np.unique(mover * count + graph.children[edges])
            wave, ply = wave[plies[wave] < 0], ply + 1
        return plies.reshape(2, count)

    def met_by(self, side: int) -> Numbers:
        """The unfinished positions in which that side is ever to move."""
        return np.flatnonzero(self.graph.going & (self.plies[side] >= 0))

    @cached_property
    def sides(self) -> NDArray[np.int64]:
        """The side to move by which each position is shown: the first, if it ever is to move there."""
        return np.where(self.plies[FIRST] >= 0, FIRST, SECOND)

    @cached_property
    def classes(self) -> NDArray[np.int64]:
        """The symmetry class of each position, by number; finished positions, too."""
        mine, theirs = canonical_words(self.game, *self.words)
        _, first = np.unique(mine, return_inverse=True)
        _, second = np.unique(theirs, return_inverse=True)
        _, classes = np.unique(first * (int(second.max()) + 1) + second, return_inverse=True)
        return np.asarray(classes, np.int64)

    def position(self, number: int) -> Position:
        """The position of that number."""
        return self.graph.position(number)

    def text(self, number: int, side: int | None = None) -> str:
        """The position as text, with this side to move or the usual one."""
        return show_position(self.game, self.position(number), int(self.sides[number]) if side is None else side)

    def move_name(self, edge: int, side: int | None = None) -> str:
        """The name of an edge's move."""
        number = int(self.graph.parents[edge])
        mover = int(self.sides[number]) if side is None else side
        return move_name(self.game, self.position(number), mover, int(self.graph.moves[edge]))

    def observations(self, numbers: Numbers) -> NDArray[np.float32]:
        """The planes of these positions."""
        mine, theirs = self.words
        return planes(self.game, mine[numbers], theirs[numbers]).astype(np.float32)

    def legal(self, numbers: Numbers) -> NDArray[np.bool_]:
        """The legal moves of these positions: (positions, actions)."""
        mask = np.zeros((numbers.size, self.actions), bool)
        edges, rows = self.edges_of(numbers)
        mask[rows, self.graph.moves[edges]] = True
        return mask

    def edges_of(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """All edges of these positions in a row, and the place of each one's position among them."""
        counts = self.graph.counts[numbers]
        edges, _ = ranges(self.graph.firsts[numbers], counts)
        return edges, np.repeat(np.arange(numbers.size), counts)

    def batches(self, size: int) -> Iterator[Numbers]:
        """The unfinished positions, so many at a time."""
        return (self.unfinished[begin : begin + size] for begin in range(0, self.unfinished.size, size))


def canonical_words(game: Game, mine: NDArray[Any], theirs: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The words of the canonical position of each position's class."""
    if isinstance(game.symmetries, Images):
        smallest = canonical(game)
        return word_arrays(game, [smallest(*position) for position in zip(mine.tolist(), theirs.tolist(), strict=True)])
    best = mine, theirs
    for permutation in game.symmetries[1:]:
        image = tuple(
            sum((((word >> square) & 1) << place for square, place in enumerate(permutation)), np.zeros_like(word))
            for word in (mine, theirs)
        )
        less = (image[0] < best[0]) | ((image[0] == best[0]) & (image[1] < best[1]))
        best = np.where(less, image[0], best[0]), np.where(less, image[1], best[1])
    return best


def solved_positions(game: Game, what: str, progress: Progress | None = None) -> SolvedPositions:
    """The positions of a solved game, kept for the next time; raises TooBig for any other, saying what needs them."""
    cache = positions_cache(game)
    if not cache:
        solved_oracle(game, what)
        cache.append(SolvedPositions(game, finished(graphing(game, symmetric=False), progress)))
    return cache[0]


@lru_cache(maxsize=4)
def positions_cache(game: Game) -> list[SolvedPositions]:
    """A list that holds the positions of the game once they are known."""
    return []
