"""All positions of a solved game looked at as puzzles at once: one operation on arrays for each condition."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import legal_moves
from perfectplay.insight.puzzles.puzzle_lines import MOST_CHOICES, MOST_PLIES, SolutionLine
from perfectplay.insight.strategies.kept_result import edges_of
from perfectplay.players.models.game_graph import TOP, Graph
from perfectplay.players.models.levels import ALL, USUAL
from perfectplay.players.named.one_ply_players import A_BLOCK, GRAIN, RANDOM_PLIES
from perfectplay.words import DRAW, FIRST, SECOND, WIN

UNREACHED = -1
FORK_PLIES = 3
"""A double threat wins in so many plies: the move, any reply, the win."""
Mask = NDArray[np.bool_]
Places = NDArray[np.int64]


class PuzzlePositions(NamedTuple):
    """Positions that are puzzles, by number, and the probability that each level solves each: a row a position."""

    places: Places
    success: NDArray[np.float64]


class Scan:
    """The properties that make positions of a graph puzzles, each computed once, for all positions or edges."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @cached_property
    def keeps(self) -> Mask:
        """The edges that keep the result."""
        return np.asarray(self.graph.results == self.graph.values[self.graph.parents])

    @cached_property
    def choices(self) -> NDArray[np.int64]:
        """The number of moves of each position that keep the result."""
        return self.total(self.keeps)

    @cached_property
    def sensible(self) -> Mask:
        """The edges that a sensible player may take: a win at once, else those that leave the fewest wins at once."""
        return A_BLOCK.edges(self.graph)

    @cached_property
    def sides(self) -> NDArray[np.int8]:
        """A side that can be to move in each position after sensible play of both sides; UNREACHED if none can.

        Of two it is the one for which fewer plies are needed, then the first.
        """
        graph, sides = self.graph, np.full(self.graph.counts.size, UNREACHED, np.int8)
        newest = np.array([graph.number(graph.game.start)])
        sides[newest] = FIRST
        while newest.size:
            edges = edges_of(graph, newest)
            edges = edges[self.sensible[edges] & (sides[graph.children[edges]] == UNREACHED)]
            movers, children = sides[graph.parents[edges]], graph.children[edges]
            next_sides = np.where(graph.again[edges], movers, 1 - movers)
            for side in (SECOND, FIRST):  # the first side is written last, and stays
                sides[children[next_sides == side]] = side
            newest = np.unique(children)
        return sides

    def total(self, edges: Mask) -> NDArray[np.int64]:
        """The number of these edges of each position."""
        return self.graph.over_edges(np.add, edges.astype(np.int64), np.zeros(self.graph.counts.size))

    @cached_property
    def puzzling(self) -> Mask:
        """The positions in which exactly one of several moves keeps a win or a draw, reached by sensible play."""
        graph = self.graph
        only = (self.choices == 1) & (graph.counts > 1) & (graph.values >= DRAW)
        return np.asarray(only & (self.sides != UNREACHED))

    @cached_property
    def obvious(self) -> Mask:
        """The positions in which a player who only takes wins and stops wins at once is sure to find a good move."""
        return np.asarray(self.total(self.sensible & ~self.keeps) == 0)

    @cached_property
    def misleading(self) -> Mask:
        """The positions in which none of the moves that look best to a hasty player keeps the result."""
        graph = self.graph
        ended = np.where(graph.going, 0.0, graph.values)
        expected = ended
        for _ in range(RANDOM_PLIES):
            mean = graph.over_edges(np.add, graph.after(expected, -expected), ended)
            expected = np.where(graph.going, mean / np.maximum(graph.counts, 1), ended)
        looks = np.rint(GRAIN * graph.after(expected, -expected))
        return np.asarray(self.total(graph.best(looks, self.sensible) & self.keeps) == 0)

    @cached_property
    def forking(self) -> Mask:
        """The positions in which a double threat may win."""
        if self.graph.margins is not None:
            return np.ones(self.graph.counts.size, bool)
        return np.asarray(self.graph.distances == FORK_PLIES)

    def puzzles(self, values: tuple[int, ...], among: Mask | bool, plies: int | None) -> PuzzlePositions:
        """The puzzles of these values: wins in so many plies, or if that is None, all but the long and the obvious."""
        graph = self.graph
        mask = self.puzzling & np.isin(graph.values, values) & among
        if plies is None:
            short = (graph.values != WIN) | (graph.distances <= MOST_PLIES)
            at_once = graph.over_edges(np.maximum, graph.wins_at_once, np.zeros(graph.counts.size)) > 0
            mask &= short & ~at_once & ~self.obvious
        else:
            mask &= (graph.values == WIN) & (graph.distances == plies)
            mask &= ~self.obvious if plies > 1 else True
        places = np.flatnonzero(mask)
        return PuzzlePositions(places, self.success(places))

    @cached_property
    def answers(self) -> NDArray[np.int64]:
        """The edge that each position's line takes for the solver: the best, and of several the first."""
        return self.first(self.graph.best(self.graph.scores, self.keeps))

    @cached_property
    def replies(self) -> NDArray[np.int64]:
        """The same for the other side: it resists longest; where no distance tells, it leaves the fewest choices."""
        graph = self.graph
        trouble = -np.where(graph.going, self.choices, TOP)[graph.children]
        timed = (graph.values != DRAW) & (graph.margins is None)
        resistance = np.where(timed[graph.parents], graph.scores, trouble)
        return self.first(graph.best(resistance, self.keeps))

    def first(self, edges: Mask) -> NDArray[np.int64]:
        """The first of these edges of each position."""
        size = self.graph.children.size
        places = np.where(edges, np.arange(size), size)
        return self.graph.over_edges(np.minimum, places, np.full(self.graph.counts.size, size))

    @cached_property
    def sight_shares(self) -> dict[int, NDArray[np.float64]]:
        """For each sight of a level, and each position, the probability that one of the moves it likes is good."""
        shares, graph = {}, self.graph
        for sight in sorted({level.sight for level in USUAL} - {ALL}):
            seen = (TOP - np.abs(graph.scores) <= sight) & (graph.margins is None)  # as `difficulty` has it
            liked = graph.best(np.where(seen, graph.scores, 0))
            shares[sight] = self.total(liked & self.keeps) / np.maximum(self.total(liked), 1)
        return shares

    def keep_rates(self, places: Places) -> NDArray[np.float64]:
        """The probability that each level keeps the result in each of these positions."""
        luck, rows = self.choices[places] / self.graph.counts[places], []
        for level in USUAL:
            noise = float(level.noise)
            rows.append(
                noise * luck + (1 - noise) * (self.sight_shares[level.sight][places] if level.sight != ALL else 1)
            )
        return np.array(rows).T

    def success(self, places: Places) -> NDArray[np.float64]:
        """The probability that each level keeps the result all along the line from each of these positions."""
        graph, probabilities = self.graph, np.ones((places.size, len(USUAL)))
        at, turns = places.copy(), np.zeros(places.size, np.int64)
        solving, running = np.ones(places.size, bool), np.ones(places.size, bool)
        timed = (graph.values[places] == WIN) & (graph.margins is None)
        while running.any():
            acts = running & solving
            probabilities[acts] *= self.keep_rates(at[acts])
            turns[acts] += 1
            edges = np.where(solving, self.answers[at], self.replies[at])[running]
            at[running] = graph.children[edges]
            solving[running] ^= ~graph.again[edges]
            solved = ~timed & solving & ((self.choices[at] > 1) | (turns >= MOST_CHOICES))
            running &= graph.going[at] & ~solved
        return probabilities

    def solution(self, place: int) -> SolutionLine:
        """The line of a position of the graph, as the levels were measured on it."""
        graph, number = self.graph, place
        side = solver = int(self.sides[place])
        position = graph.position(place)
        timed = graph.values[place] == WIN and graph.margins is None
        line = SolutionLine(position, side, [], [])
        while graph.going[number]:
            choice = side == solver
            if choice and not timed and line.moves and (self.choices[number] > 1 or line.turns >= MOST_CHOICES):
                break
            target = graph.targets[(self.answers if choice else self.replies)[number]]
            move = next(move for move in legal_moves(graph.game, position) if graph.target(position, move) == target)
            position, side = line.play(graph.game, position, side, move)
            number = graph.number(position)
        return line
