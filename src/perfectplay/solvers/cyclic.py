"""Retrograde analysis of all positions at once, for games of any kind, including games with cycles."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines import array_kernels
from perfectplay.game import Game
from perfectplay.solvers.expansion import (
    Run,
    earlier_of,
    ends_of,
    expanded,
    judged,
    scale_of,
    start_keys,
    ungraded,
)
from perfectplay.solvers.sorted_keys import Keys, index_of, unique
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.table.grades import TWO_BYTE_POINTS, TWO_BYTES
from perfectplay.words import DRAW, LOSS, REPEATS, WIN, BadGame, Entry, TooBig

SCALE = TWO_BYTES
ENDLESS = SCALE.grade(Entry(DRAW, None))
FARTHEST = [SCALE.grade(Entry(value, SCALE.longest)) for value in (LOSS, DRAW, WIN)]
TOO_FAR = f"some positions are {SCALE.longest:,} plies or more from the end, more than a table can hold"
AT_ONCE = 1 << 22
"""Positions propagated between two steps."""


@dataclass
class Reached:
    """The positions reached so far, sorted, and the frontier: those not yet expanded."""

    known: Keys
    frontier: Keys


class Edges(NamedTuple):
    """The parents of all positions in compressed sparse row form, and how many children each position waits for."""

    starts: NDArray[np.int64]
    parents: NDArray[np.int32]
    waiting: NDArray[np.uint8]


def first_reached(game: Game, symmetric: bool) -> Reached:
    """The start alone."""
    keys = start_keys(game, symmetric)
    return Reached(keys, keys)


def forward(kernels: Any, pool: ThreadPool, symmetric: bool, reached: Reached) -> Steps[None]:
    """Expands the frontier until all reachable positions are known."""
    scale = scale_of(kernels)
    while reached.frontier.size:
        run = ungraded(scale, reached.frontier)
        children, _ = judged(kernels, pool, run, ends_of(scale), 0)
        yield Step("forward", reached.known.size, ahead=sum(children))
        add(reached, expanded(kernels, pool, run, children, symmetric))


def add(reached: Reached, fresh: Keys) -> None:
    """Adds the fresh keys; the new ones become the frontier."""
    known = reached.known
    kind = np.int64 if np.int64 in (known.dtype, fresh.dtype) else np.int32
    merged, new = np.empty(known.size + fresh.size, kind), np.empty(fresh.size, kind)
    count = array_kernels.merge_new(known.astype(kind, copy=False), fresh.astype(kind, copy=False), merged, new)
    merged.resize(known.size + count, refcheck=False)  # in place: a copy would double the memory
    new.resize(count, refcheck=False)
    reached.known, reached.frontier = merged, new


def united(pool: ThreadPool, keys: Keys, others: Keys) -> Keys:
    """All these keys, sorted and distinct."""
    if not (keys.size and others.size):
        return keys if keys.size else others
    return unique(pool, np.concatenate([keys, others]), int(max(keys[-1], others[-1])))


def backward(kernels: Any, pool: ThreadPool, keys: Keys, beyond: Run | None = None) -> Steps[Run]:
    """All positions with their grades: wins and losses in order of distance, then draws; or margins.

    Positions that stay undecided are endless draws; in a game for points, Repeats is raised. `beyond` are children in
    other tiers, with their grades.
    """
    run = ungraded(scale_of(kernels), keys)
    numbers, _ = judged(kernels, pool, run, ends_of(scale_of(kernels)), 0)
    own = None
    if beyond is not None and beyond.keys.size:
        run, own = merged(run, beyond)
        numbers = pool.map(lambda part: kernels.count_children(run.keys[part], run.grades[part]), pool.parts(len(own)))
    if run.keys.size >= 2**31:
        raise TooBig(f"{run.keys.size:,} positions are too many: at most {2**31 - 1:,} can be numbered")
    found = edges(kernels, pool, run, numbers)
    yield Step("backward", 0, keys.size)
    yield from graded_by_points(run, found) if kernels.POINTS else graded_by_distance(run, found, own is not None)
    return run if own is None else Run(keys, run.grades[own])


def merged(run: Run, beyond: Run) -> tuple[Run, NDArray[np.bool_]]:
    """Both in key order, and which of them are the first's."""
    keys = np.concatenate([run.keys, beyond.keys])
    order = np.argsort(keys, kind="stable")
    return Run(keys[order], np.concatenate([run.grades, beyond.grades])[order]), order < run.keys.size


@lru_cache(maxsize=1)
def distances() -> NDArray[np.int32]:
    """The distance of each grade, -1 for an endless draw and for 0."""
    found = [SCALE.entry(grade).distance for grade in range(1, SCALE.size)]
    return np.array([-1, *(-1 if distance is None else distance for distance in found)], np.int32)


def graded_by_distance(run: Run, edges: Edges, mixed: bool) -> Steps[None]:
    """Grades all positions from those that have a grade, the nearest first; `mixed`: not all of these are finished."""
    size, lost, earlier = run.keys.size, SCALE.longest + 1, earlier_of(SCALE)
    least_drawn, most_drawn = SCALE.grade(Entry(DRAW, SCALE.longest)), SCALE.grade(Entry(DRAW, 0))
    queue = np.empty(size, np.int32)
    drawn = (run.grades >= least_drawn) & (run.grades <= most_drawn)
    known = (run.grades != 0) & (run.grades != ENDLESS)
    decided = 0
    for wave in (np.flatnonzero(known & ~drawn), np.flatnonzero(drawn)):
        head = tail = decided
        seeds = by_distance(run, wave) if mixed else {0: wave}
        distance = 0
        while head < tail or seeds:
            if head == tail:
                distance = min(seeds)
            here = seeds.pop(distance, wave[:0])
            queue[tail : tail + here.size] = here
            stop = tail = tail + here.size
            while head < stop:
                most = min(AT_ONCE, stop - head)
                head, tail = array_kernels.spread(run.grades, *edges, queue, head, tail, most, earlier, lost)
                yield Step("backward", head, size)
            distance += 1
        decided = tail
    if any((run.grades == grade).any() for grade in FARTHEST):
        raise TooBig(TOO_FAR)
    run.grades[run.grades == 0] = ENDLESS


def by_distance(run: Run, places: NDArray[np.int64]) -> dict[int, NDArray[np.int64]]:
    """The places with each distance."""
    far = distances()[run.grades[places]]
    return {int(distance): places[far == distance] for distance in np.unique(far)}


def graded_by_points(run: Run, edges: Edges) -> Steps[None]:
    """Grades all positions by their margins, each when all its children are graded; raises Repeats."""
    size = run.keys.size
    queue, best, earlier = np.empty(size, np.int32), np.zeros(size, np.uint16), earlier_of(TWO_BYTE_POINTS)
    ends = np.flatnonzero(run.grades)
    head, tail = 0, ends.size
    queue[:tail] = ends
    while head < tail:
        head, tail = array_kernels.spread_margins(run.grades, best, *edges, queue, head, tail, AT_ONCE, earlier)
        yield Step("backward", head, size)
    if tail < size:
        raise Repeats


class Repeats(BadGame):
    """A game for points has cycles."""

    def __init__(self) -> None:
        super().__init__(f"the game {REPEATS}")


def edges(kernels: Any, pool: ThreadPool, run: Run, numbers: list[int]) -> Edges:
    """The edges between these positions, where each part has this number of children."""
    counts, children = numbered_children(kernels, pool, run, numbers)
    starts = np.zeros(run.keys.size + 2, np.int64)
    array_kernels.count_parents(children, starts)
    np.cumsum(starts, out=starts)
    parents = np.empty(children.size, np.int32)
    array_kernels.fill_parents(children, counts, starts, parents)
    return Edges(starts, parents, counts)


def numbered(kernels: Any, pool: ThreadPool, run: Run) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The number of children of each position, and all children, concatenated; grades the finished positions."""
    numbers, _ = judged(kernels, pool, run, ends_of(scale_of(kernels)), 0)
    return numbered_children(kernels, pool, run, numbers)


def numbered_children(
    kernels: Any, pool: ThreadPool, run: Run, numbers: list[int]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The same where each part has this number of children; a child in which the same side moves again is ~child."""
    children = np.empty(sum(numbers), np.int32)
    counts = np.empty(run.keys.size, np.uint8)
    index, parts, stops = index_of(pool, run.keys), pool.parts(run.keys.size), np.cumsum(numbers).tolist()

    def number(i: int) -> None:
        out = children[stops[i] - numbers[i] : stops[i]]
        kernels.number_children(run.keys[parts[i]], run.grades[parts[i]], out, counts[parts[i]], *index)

    pool.map(number, range(len(parts)))
    return counts, children
