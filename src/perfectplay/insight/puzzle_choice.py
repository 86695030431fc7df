"""Which puzzles make a set: by kind and difficulty, no two alike, in an order that the seed decides."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np

from perfectplay.insight.puzzle_kinds import Kind
from perfectplay.insight.puzzle_lines import Solution, difficulties, tricks
from perfectplay.insight.puzzle_scan import Scan
from perfectplay.solvers.oracle import Oracle
from perfectplay.solvers.steps import Step, Steps

TRIED = 20_000
"""Positions of a table that are tried one by one, at most; so few are never exhausted by an ordinary set."""
STEP = 50
"""Candidates between two steps of progress."""


class Candidate(NamedTuple):
    """A position with its solution, and the probability that each level finds it."""

    line: Solution
    success: list[float]
    origin: int | None = None
    """The game that it comes from, if it was played: a set has only one from each."""

    @property
    def difficulty(self) -> int:
        """1 to 10."""
        return int(difficulties(np.array([self.success]))[0])


class Chosen(NamedTuple):
    """Puzzles, the easiest first, and whether all candidates were looked at to find them."""

    puzzles: list[Candidate]
    all: bool


class Wish(NamedTuple):
    """What is asked for: a kind, wins in so many plies if that is not None, and the least and greatest difficulty."""

    kind: Kind
    plies: int | None
    least: int
    most: int


def in_table(scan: Scan, wish: Wish, rng: Random) -> Iterator[Candidate | None]:
    """The positions of the graph that fit, in random order, TRIED of them at most."""
    found = scan.found(wish.kind.values, wish.kind.among(scan), wish.plies)
    grades = difficulties(found.success)
    fitting = np.flatnonzero((grades >= wish.least) & (grades <= wish.most))
    for i in shuffled(fitting.size, rng):
        yield Candidate(scan.solution(int(found.places[fitting[i]])), found.success[fitting[i]].tolist())


def shuffled(size: int, rng: Random) -> Iterator[int]:
    """The numbers below `size` in random order, TRIED of them at most."""
    moved: dict[int, int] = {}
    for i in range(min(size, TRIED)):
        j = rng.randrange(i, size)
        yield moved.get(j, j)
        moved[j] = moved.get(i, i)


def choosing(oracle: Oracle, candidates: Iterator[Candidate | None], wish: Wish, count: int) -> Steps[Chosen]:
    """So many of the candidates that fit, no two of which share a trick."""
    met: set[object] = set()
    found: list[Candidate] = []
    tried = 0
    for tried, one in enumerate(candidates, 1):
        if tried % STEP == 1:
            yield Step("puzzles", len(found), count)
        if one is None or not wish.least <= one.difficulty <= wish.most:
            continue
        line, mine = one.line, {*tricks(oracle.game, one.line)} | {("game", one.origin)} - {("game", None)}
        if met.intersection(mine) or not wish.kind.holds(oracle, line.position, line.side, line.moves[0]):
            continue
        met.update(mine)
        found.append(one)
        if len(found) == count:
            break
    found.sort(key=lambda one: (one.difficulty, -sum(one.success)))
    return Chosen(found, len(found) < count and tried < TRIED)
