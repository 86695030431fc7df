"""Alpha-beta with a transposition table and iterative deepening.

A cutoff proves a bound, not a value, and only to some depth; a table that treats bounds as exact gives wrong values.
So each entry has its kind (exact, lower or upper bound) and its depth, infinite if no line reached the horizon.
The depth grows until it is infinite at the root; a quick win is found before long lines are searched.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, moves_again
from perfectplay.solvers.scores import entry_of_score
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, Entry, Move, PointsEntry, Position, TooBig

# Measures the cost of a search: nodes, cache size and seconds.


CLOCK = 1024
"""Nodes between two readings of the clock, which cost more than a node."""


@dataclass
class Meter:
    """Counts the nodes of one search, stops it at its limits, and exposes its cache and the move that it chooses."""

    most: int
    seconds: float = inf
    nodes: int = 0
    cache: Mapping[Position, Any] = field(default_factory=dict)
    move: Move | None = None
    """The move that the search would play. Each call sets it on its way back, the root's call last."""
    scores: Mapping[Move, int] = field(default_factory=dict)
    """The score of each move at the root, if the search finds them all."""
    begin: float = field(default_factory=perf_counter)

    def visit(self) -> None:
        """Counts one node; raises TooBig at the limit of nodes or seconds."""
        if self.nodes == self.most:
            raise TooBig(f"stopped after {self.most:,} nodes")
        if self.nodes % CLOCK == 0 and self.passed() > self.seconds:
            raise TooBig(f"stopped after {self.seconds:g} seconds")
        self.nodes += 1

    def restart(self) -> None:
        """Sets the clock to zero: what was prepared until now is no part of the search."""
        self.begin = perf_counter()

    def passed(self) -> float:
        """The seconds since the search began."""
        return perf_counter() - self.begin


Search = Callable[[Game, Position, Meter], Entry]
"""Finds the value of a position, and the distance or None; the game must end."""


class Measured(NamedTuple):
    """The result and the cost of a search; a stopped search has no entry, but a reason."""

    entry: Entry | None
    stopped: str | None
    seconds: float
    meter: Meter


def measure(search: Search, game: Game, position: Position, meter: Meter) -> Measured:
    """Runs the search until it ends or the meter stops it."""
    entry, stopped = None, None
    try:
        entry = search(game, position, meter)
    except TooBig as reason:
        stopped = reason
    except RecursionError:  # a game of several hundred plies, or one with undetected cycles
        stopped = TooBig("too deep for recursion")
    seconds = meter.passed()  # before the reason is made into words, which may take a forecast
    return Measured(entry, None if stopped is None else str(stopped), seconds, meter)


UPPER, EXACT, LOWER = -1, 0, 1
"""The true value is at most, equal to, or at least the stored value."""


class TableEntry(NamedTuple):
    """A table entry: a value or a bound on it, valid to that depth."""

    value: int
    bound: int
    depth: float


HORIZON = TableEntry(DRAW, EXACT, 0)

Table = dict[Position, TableEntry]


def bounds(game: Game, position: Position, meter: Meter) -> Entry:
    """The value of the position, searched with depth 0, 1, 2, ... until no line reaches the horizon."""
    table: Table = {}
    depth, entry = 0, HORIZON
    while entry.depth < inf:
        entry = look(game, position, depth, table, meter)
        depth += 1
    return value_entry(game, entry.value)


def look(game: Game, position: Position, depth: int, table: Table, meter: Meter, mind_depth: bool = True) -> TableEntry:
    """The value of the position to that depth; positions beyond the horizon count as draws."""
    meter.cache = table
    least, most = (LOSS, WIN) if game.margin is None else (-LONGER, LONGER)

    def search(position: Position, depth: int, alpha: int, beta: int) -> TableEntry:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return TableEntry(end_value(game, position, outcome), EXACT, inf)
        if depth == 0:
            return HORIZON
        entry = table.get(position)
        if entry and (entry.depth >= depth or not mind_depth) and settles(entry, alpha, beta):
            return entry
        best, deep, choice = least, inf, None
        for move, after, sign in children(game, position):
            low = max(alpha, best)
            child = search(after, depth - 1, *((low, beta) if sign == 1 else (-beta, -low)))
            if sign * child.value > best or choice is None:
                best, choice = max(best, sign * child.value), move
            if best >= beta:
                deep = child.depth + 1  # this move alone proves the cutoff
                break
            deep = min(deep, child.depth + 1)
        meter.move = choice
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        table[position] = TableEntry(best, bound, deep)
        return table[position]

    return search(position, depth, least, most)


def settles(entry: TableEntry, alpha: float, beta: float) -> bool:
    """Whether the entry decides a search with the window (alpha, beta)."""
    if entry.bound == LOWER:
        return entry.value >= beta
    return entry.bound == EXACT or entry.value <= alpha


# The rules as the algorithms of the ladder use them: extra turns as signs, points or plies as scores.


LONGER = 1 << 60
"""The score of a win at the root: more plies than any machine can search, and more points than any game has.

The usual 10 or 50 fails in longer games, where a late win would score below a draw.
"""


def children(game: Game, position: Position) -> Iterator[tuple[Move, Position, int]]:
    """The moves, where they lead, and the sign that makes a score there a score for the side that moves.

    It is 1 if the same side moves again, else -1.
    """
    for move in bit_numbers(game.moves(*position)):
        yield move, game.play(*position, move), 1 if moves_again(game, position, move) else -1


def end_value(game: Game, position: Position, outcome: int) -> int:
    """The value of a finished position with that outcome; its points, where the game has them."""
    return outcome if game.margin is None else game.margin(*position)


def end_score(game: Game, position: Position, outcome: int, depth: int) -> int:
    """The score of a finished position at that depth: a quick win is greater than a late one, unless points count."""
    return outcome * (LONGER - depth) if game.margin is None else game.margin(*position)


def value_entry(game: Game, value: int) -> Entry:
    """The entry of a value, of which the distance is not known."""
    return Entry(value, None) if game.margin is None else PointsEntry(value)


def score_entry(game: Game, score: int) -> Entry:
    """The entry of a score."""
    return entry_of_score(score, LONGER) if game.margin is None else PointsEntry(score)


# Common ways to make a search of a game with cycles end, and their results.
#
# Each of them scores as a draw what it does not search to the end. So the wins and losses that they report are real,
# but a reported draw may be a win or a loss. Only negamax reports distances, which may be wrong.


class Repair(NamedTuple):
    """A way to make an endless search end, with a one-line description."""

    name: str
    about: str
    find: Callable[[int, Game, Position, Meter], Entry]
    """Searches to the given depth."""


def cut_off(depth: int, game: Game, position: Position, meter: Meter, repeats: bool) -> Entry:
    """The value if the game were drawn after `depth` plies, and unless it `repeats`, as soon as a position repeats.

    It is that of minimax cut off at the depth; alpha-beta only makes it faster.
    """
    path: set[Position] = set()

    def value(position: Position, depth: int, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome
        if depth == 0 or position in path:
            return DRAW
        if not repeats:
            path.add(position)
        for _, child, sign in children(game, position):
            window = (alpha, beta) if sign == 1 else (-beta, -alpha)
            alpha = max(alpha, sign * value(child, depth - 1, *window))
            if alpha >= beta:
                break
        path.discard(position)
        return alpha

    return Entry(value(position, depth, LOSS, WIN), None)


def with_table(depth: int, game: Game, position: Position, meter: Meter, mind_depth: bool) -> Entry:
    """The value with a transposition table, of which only entries of sufficient depth are used, or all."""
    return Entry(look(game, position, depth, {}, meter, mind_depth).value, None)


def negamax(depth: int, game: Game, position: Position, meter: Meter) -> Entry:
    """The value and distance by negamax with alpha-beta and bound flags; a win scores the plies that are left.

    Each move at the root is searched in full. An entry is used if its search was deep enough; but its score counts the
    plies that were left there, so the distance may be wrong, and moves that are the same may get different scores.
    """
    table: dict[Position, TableEntry] = {}
    meter.cache = table

    def score(position: Position, depth: int, alpha: int, beta: int) -> int:
        meter.visit()
        outcome = game.outcome(*position)
        if outcome != ONGOING:
            return outcome * (depth + 1)
        entry = table.get(position)
        if entry and entry.depth >= depth and settles(entry, alpha, beta):
            return entry.value
        if depth == 0:
            return DRAW
        best = -LONGER
        for _, child, sign in children(game, position):
            low = max(alpha, best)
            best = max(best, sign * score(child, depth - 1, *((low, beta) if sign == 1 else (-beta, -low))))
            if best >= beta:
                break
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        table[position] = TableEntry(best, bound, depth)
        return best

    meter.visit()
    if depth:
        window = (-LONGER, LONGER)
        meter.scores = {move: sign * score(child, depth - 1, *window) for move, child, sign in children(game, position)}
    best = max(meter.scores.values(), default=DRAW)
    return Entry(DRAW, None) if best == DRAW else Entry(WIN if best > 0 else LOSS, depth + 1 - abs(best))


REPAIRS = (
    Repair("horizon", "cut off at the depth; a draw beyond it", partial(cut_off, repeats=True)),
    Repair("repetition", "the same, and a repeated position on the path is a draw", partial(cut_off, repeats=False)),
    Repair("table", "horizon with a transposition table that ignores depth", partial(with_table, mind_depth=False)),
    Repair(
        "deep table",
        "horizon with a transposition table that uses only entries of sufficient depth",
        partial(with_table, mind_depth=True),
    ),
    Repair("negamax", "deep table with scores that count the plies left: an entry's counts those left there", negamax),
)
