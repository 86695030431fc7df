"""A solved game as a graph of arrays: every position with what it is worth, every move as an edge to a position.

Positions are numbered. The edges of a position stand side by side, in the order of its legal moves, so whatever is
known of all moves of all positions is one array, and a sum or a maximum over each position's moves one operation.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, canonical, moves_again, start_is_symmetric
from perfectplay.solvers.engine import cores
from perfectplay.solvers.forecast import free_memory, in_bytes
from perfectplay.solvers.memory.interpreted import SMALL, Reached, entries_of
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import Step, Steps, finished
from perfectplay.solvers.table.table import keys_of
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.words import LOSS, WIN, BadPosition, Entry, Move, Position, TooBig, entry_of

Numbers = NDArray[Any]
"""One for each position or for each edge: floats, or for exact work fractions as objects."""

BYTES_A_POSITION, BYTES_AN_EDGE = 100, 60
"""The most memory that probabilities take."""
TOP = 1 << 20
"""A win after d plies scores TOP - d, a loss d - TOP, a draw 0; more plies than any distance."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Reachable positions, or one of each symmetry class, and their moves."""

    game: Game
    number: Callable[[Position], int]
    """The number of a position, or of its class."""
    position: Callable[[int], Position]
    """The position of that number."""
    counts: NDArray[np.int64]
    """How many moves each position has."""
    children: NDArray[np.int32]
    """For each edge the number of the position it leads to."""
    again: NDArray[np.bool_]
    """For each edge whether the same side moves again."""
    values: NDArray[np.int8]
    """What each position is worth to the side to move."""
    distances: NDArray[np.int32]
    """The plies to the end, -1 for an endless draw and in games for points."""
    margins: NDArray[np.int32] | None = None
    """The points by which the side to move will be ahead, in games for points."""
    of_classes: bool = False
    """Whether each position stands for all its images, and is the canonical one."""

    @cached_property
    def firsts(self) -> NDArray[np.int64]:
        """Where the edges of each position begin, and where the last one's end."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    @cached_property
    def going(self) -> NDArray[np.bool_]:
        """The positions in which the game is not over."""
        return self.counts > 0

    @cached_property
    def parents(self) -> NDArray[np.int64]:
        """For each edge the number of the position it comes from."""
        return np.repeat(np.arange(self.counts.size), self.counts)

    @cached_property
    def targets(self) -> NDArray[np.int32]:
        """For each edge where it leads: the number of the position, ~number if the same side moves again."""
        return np.where(self.again, ~self.children, self.children)

    def target(self, position: Position, move: Move) -> int:
        """The same for a move of a position, which may be an image of the one in the graph."""
        number = self.number(self.game.play(*position, move))
        return ~number if moves_again(self.game, position, move) else number

    @cached_property
    def extra_turns(self) -> bool:
        """Whether a side ever moves again."""
        return bool(self.again.any())

    def after(self, same: Numbers, other: Numbers, edges: Any = slice(None)) -> Numbers:
        """For each edge, or these, what its child has: the first if the same side moves again, else the second."""
        children = self.children[edges]
        numbers: Numbers = other[children]
        if self.extra_turns:
            again = self.again[edges]
            numbers[again] = same[children[again]]
        return numbers

    @cached_property
    def results(self) -> NDArray[np.int8]:
        """For each edge what the position it leads to is worth to the mover."""
        return self.after(self.values, -self.values)

    @cached_property
    def scores(self) -> NDArray[np.int32]:
        """For each edge its score for the mover: quick wins are best, then draws, all alike, then late losses.

        In games for points it is the margin.
        """
        if self.margins is not None:
            return self.after(self.margins, -self.margins)
        return self.results.astype(np.int32) * (TOP - self.distances[self.children] - 1)

    @cached_property
    def ends(self) -> bool:
        """Whether every game ends: no move ever leads back."""
        over = ~self.going
        while True:
            more = self.over_edges(np.maximum, ~over[self.children], np.zeros(self.counts.size)) == 0
            if more.sum() == over.sum():
                return bool(over.all())
            over = more

    @property
    def every(self) -> NDArray[np.bool_]:
        """All edges."""
        return np.ones(self.children.size, bool)

    @property
    def wins_at_once(self) -> NDArray[np.int64]:
        """1 for the edges that win at once, else 0."""
        return np.where(self.ended_as(WIN), 1, 0)

    @property
    def winning_replies(self) -> NDArray[np.int64]:
        """For each edge how many moves then win at once for the other side; more than any number if it has won.

        There is none if the same side moves again.
        """
        here = self.over_edges(np.add, self.wins_at_once, np.zeros(self.counts.size, np.int64))
        replies = self.after(np.zeros_like(here), here)
        replies[self.ended_as(LOSS)] = TOP
        return replies

    def ended_as(self, value: int) -> NDArray[np.bool_]:
        """The edges that end the game with that value to the mover."""
        edges: NDArray[np.bool_] = ~self.going[self.children] & (self.results == value)
        return edges

    def rated(self, among: NDArray[np.bool_], rate: Callable[[Game, Position, Move], float]) -> Numbers:
        """These edges by a function of one move; the others are 0."""
        ratings = np.zeros(self.children.size)
        for edge in np.flatnonzero(among).tolist():
            ratings[edge] = rate(self.game, self.position(int(self.parents[edge])), int(self.moves[edge]))
        return ratings

    @cached_property
    def moves(self) -> NDArray[np.int64]:
        """For each edge the number of its move."""
        legal = (bit_numbers(self.game.moves(*self.position(i))) for i in np.flatnonzero(self.going).tolist())
        return np.fromiter((move for moves in legal for move in moves), np.int64, self.children.size)

    def entry(self, number: int) -> Entry:
        """The entry of a position."""
        return self.entries(np.array([number]))[0]

    def entries(self, numbers: NDArray[np.int64]) -> list[Entry]:
        """The entries of positions."""
        margins = repeat(None) if self.margins is None else self.margins[numbers].tolist()
        return [*map(entry_with, self.values[numbers].tolist(), self.distances[numbers].tolist(), margins)]

    def edges(self, number: int) -> slice:
        """The edges of a position."""
        return slice(int(self.firsts[number]), int(self.firsts[number + 1]))

    def over_edges(self, operation: np.ufunc, edges: Numbers, ended: Numbers) -> Numbers:
        """For each position the sum, the maximum or so over its edges; where the game has ended, what is given."""
        result = ended.astype(edges.dtype)
        if edges.size:
            result[self.going] = operation.reduceat(edges, self.firsts[:-1][self.going])
        return result

    def best(self, edges: Numbers, among: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """The edges that are the greatest of their position, or of those among which to choose."""
        if among is not None:
            edges = np.where(among, edges, edges.min(initial=0) - 1)
        most = self.over_edges(np.maximum, edges, np.zeros(self.counts.size))
        return np.asarray(edges == most[self.parents], bool)

    def normalised(self, edges: Numbers, exact: bool = False) -> Numbers:
        """The edges' weights as probabilities: those of a position add up to 1."""
        weights = fractions(edges) if exact else edges.astype(float)
        total = self.over_edges(np.add, weights, np.zeros(self.counts.size))
        return weights / total[self.parents]


@lru_cache(maxsize=1 << 12)
def entry_with(value: int, distance: int, margin: int | None) -> Entry:
    """The entry that a graph has as these numbers."""
    return entry_of(value, None if distance < 0 else distance, margin)


def fractions(numbers: Numbers) -> Numbers:
    """The same numbers as fractions, without loss."""
    from fractions import Fraction

    result = np.empty(numbers.size, object)
    result[:] = [Fraction(number) for number in numbers.tolist()]
    return result


@lru_cache(maxsize=4)
def graph_for(game: Game, symmetric: bool = True) -> Graph:
    """The graph of a game that is solved or small, kept for the next time; raises TooBig for any other."""
    return finished(graphing(game, symmetric))


def graphing(game: Game, symmetric: bool) -> Steps[Graph]:
    """The graph, in steps: of classes if `symmetric`, where that is worth while."""
    solved_oracle(game)
    table = kept_table(game)
    if table is None or table.header.positions <= SMALL:
        reach = Reached(game, SMALL)
        while reach.next_ply():
            yield Step("positions", len(reach.positions))
        if len(reach.positions) <= SMALL:
            return plain_graph(game, reach)
    return (yield from compiled_graph(game, symmetric))


def plain_graph(game: Game, reach: Reached) -> Graph:
    """The graph of a small game."""

    def number(position: Position) -> int:
        place = reach.numbers.get(position)
        if place is None:
            raise BadPosition(f"{position} cannot be reached in {game.name} by legal play from the start")
        return place

    children = np.array([child for here in reach.children for child in here], np.int32)
    again = np.zeros(children.size, bool)
    if game.again is not None:
        turns = zip(reach.children, reach.again, strict=True)
        again[:] = [turn >> place & 1 for here, turn in turns for place in range(len(here))]
    return Graph(
        game,
        number,
        reach.positions.__getitem__,
        np.array([len(here) for here in reach.children], np.int64),
        children,
        again,
        *entry_arrays(game, entries_of(reach)),
    )


def entry_arrays(
    game: Game, entries: list[Entry]
) -> tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.int32] | None]:
    """The values, the distances and in games for points the margins of these entries, as a graph has them."""
    return (
        np.array([entry.value for entry in entries], np.int8),
        np.array([-1 if entry.distance is None else entry.distance for entry in entries], np.int32),
        None if game.margin is None else np.array([entry.margin for entry in entries], np.int32),
    )


def compiled_graph(game: Game, symmetric: bool) -> Steps[Graph]:
    """The graph of a game of many positions, by compiled rules; one position stands for all its images."""
    from perfectplay.compiler.compiled import load_kernels  # numba: only when it is wanted
    from perfectplay.solvers.memory import cyclic
    from perfectplay.solvers.memory.expansion import Run, scale_of, start_keys, ungraded
    from perfectplay.solvers.memory.position_graph import PositionGraph
    from perfectplay.solvers.memory.sorted_keys import sorted_pairs
    from perfectplay.solvers.thread_pool import ThreadPool

    ruled = game if symmetric and start_is_symmetric(game) else replace(game, symmetries=())
    kernels, pool, memory = load_kernels(ruled), ThreadPool(cores()), int(0.8 * free_memory())
    exploration = PositionGraph(kernels, pool, symmetric=True)
    exploration.add(start_keys(ruled, symmetric=True))
    for step in exploration.explore():
        check_memory(game, exploration.count, exploration.edges, memory)
        yield step
    grades = yield from cyclic.graded(exploration, {})
    run, scale = Run(*sorted_pairs(pool, *exploration.positions(grades))), scale_of(kernels)
    counts, targets = cyclic.numbered(kernels, pool, ungraded(scale, run.keys))
    check_memory(game, run.keys.size, targets.size, memory)
    again = targets < 0
    kinds, places = np.unique(run.grades, return_inverse=True)
    values, distances, margins = entry_arrays(game, [scale.entry(grade) for grade in kinds.tolist()])
    smallest, (key, unkey) = canonical(ruled), keys_of(ruled)

    def number(position: Position) -> int:
        target = run.keys.dtype.type(key(*smallest(*position)))  # any other type has all keys converted
        place = int(np.searchsorted(run.keys, target))
        if place == run.keys.size or run.keys[place] != target:
            raise BadPosition(f"{position} cannot be reached in {game.name} by legal play from the start")
        return place

    return Graph(
        ruled,
        number,
        lambda place: unkey(int(run.keys[place])),
        counts.astype(np.int64),
        np.where(again, ~targets, targets),
        again,
        values[places],
        distances[places],
        None if margins is None else margins[places],
        of_classes=ruled is game,
    )


def check_memory(game: Game, positions: int, edges: int, memory: int) -> None:
    """Raises TooBig if the graph will not fit."""
    needed = positions * BYTES_A_POSITION + edges * BYTES_AN_EDGE
    if needed > memory:
        raise TooBig(
            f"win probabilities of {game.name} take {in_bytes(needed)} of memory or more; {in_bytes(memory)} are free"
        )


# The positions of a graph by the longest game that can follow, so that one pass settles each of them.


Places = NDArray[np.int64]
"""Numbers of positions or of edges."""


class Layer(NamedTuple):
    """Unfinished positions after which the longest game takes equally many plies, and their edges.

    `begins` is where each position's edges begin among these. All edges lead to layers before.
    """

    positions: Places
    edges: Places
    begins: Places


@lru_cache(maxsize=4)
def layers(graph: Graph) -> list[Layer]:
    """The layers, those first whose games end after one ply; positions from which a game may never end have none."""
    by_child = np.argsort(graph.children, kind="stable")
    arriving = np.bincount(graph.children, minlength=graph.counts.size)
    firsts = np.cumsum(arriving) - arriving
    waiting = graph.counts.copy()
    result: list[Layer] = []
    wave = np.flatnonzero(~graph.going)
    while True:
        edges = by_child[ranges(firsts[wave], arriving[wave])[0]]
        parents, arrivals = np.unique(graph.parents[edges], return_counts=True)
        waiting[parents] -= arrivals
        wave = parents[waiting[parents] == 0]
        if not wave.size:
            return result
        result.append(Layer(wave, *ranges(graph.firsts[wave], graph.counts[wave])))


def ranges(firsts: Places, counts: Places) -> tuple[Places, Places]:
    """Numbers from each of `firsts` on, as many as `counts` says, in a row; and where each of them begins."""
    begins = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) + np.repeat(firsts - begins, counts), begins
