"""Retrograde analysis of all positions at once, for games of any kind, including games with cycles."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.kernels import array_kernels, graph_kernels
from perfectplay.solvers.memory.expansion import (
    GradeArray,
    Run,
    earlier_of,
    ends_of,
    judged,
    scale_of,
)
from perfectplay.solvers.memory.position_graph import Parents, PositionGraph
from perfectplay.solvers.memory.sorted_keys import Keys, index_of, unique
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.grades import TWO_BYTE_POINTS, TWO_BYTES
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import DRAW, LOSS, REPEATS, WIN, BadGame, Entry, TooBig

SCALE = TWO_BYTES
ENDLESS = SCALE.grade(Entry(DRAW, None))
FARTHEST = [SCALE.grade(Entry(value, SCALE.longest)) for value in (LOSS, DRAW, WIN)]
TOO_FAR = f"some positions are {SCALE.longest:,} plies or more from the end, more than a table can hold"
WON = SCALE.grade(Entry(WIN, 1))
AT_ONCE = 1 << 20
"""Positions looked through at a time."""
ROOM = 1 << 16
"""Positions decided before a thread needs more room."""
Wave = NDArray[np.int32]
"""Numbers of positions that are equally far from the end."""


@dataclass
class Reached:
    """The positions reached so far, sorted, and the frontier: those not yet expanded."""

    known: Keys
    frontier: Keys


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
    """All these positions with their grades; `beyond` are children in other tiers, with theirs.

    Positions that stay undecided are endless draws; in a game for points, Repeats is raised.
    """
    graph = PositionGraph(kernels, pool, symmetric=True)
    graph.add(keys)
    if beyond is not None:
        graph.add(beyond.keys, known=True)
    for step in graph.explore(closed=True):
        yield Step("linking", step.done, keys.size)
    known = {} if beyond is None else {keys.size: beyond.grades}
    grades = yield from graded(graph, known)
    return Run(keys, grades[: keys.size])


@lru_cache(maxsize=1)
def distances() -> NDArray[np.int32]:
    """The distance of each grade, -1 for an endless draw and for 0."""
    found = [SCALE.entry(grade).distance for grade in range(1, SCALE.size)]
    return np.array([-1, *(-1 if distance is None else distance for distance in found)], np.int32)


def graded(graph: PositionGraph, known: dict[int, GradeArray]) -> Steps[GradeArray]:
    """The grades of all positions of a graph by number; `known` are those of positions from some number on."""
    scale, pool = scale_of(graph.kernels), graph.pool
    parents = yield from graph.parents()
    grades = np.empty(graph.top, np.uint16)
    regrade = np.zeros(1 << 8 * graph.ended.itemsize, np.uint16)
    regrade[graph.ends] = ends_of(scale)
    if graph.kernels.POINTS:
        regrade[:] = np.arange(regrade.size)

    def regraded(part: slice) -> None:
        grades[part] = regrade[graph.ended[part]]
        if graph.drop:
            grades[part][(graph.ended[part] == 0) & (graph.waiting[part] == 0)] = WON

    pool.map(regraded, pool.parts(graph.top))
    for begin, stop in graph.spare:
        grades[begin:stop], graph.waiting[begin:stop] = ENDLESS, 0
    for begin, own in known.items():
        grades[begin : begin + own.size] = own
    yield from (graded_by_points if graph.kernels.POINTS else graded_by_distance)(graph, grades, parents)
    return grades


def graded_by_distance(graph: PositionGraph, grades: GradeArray, parents: Parents) -> Steps[None]:
    """Grades all positions from those that have a grade, the nearest first: wins and losses, then draws."""
    lost, earlier = SCALE.longest + 1, earlier_of(SCALE)

    def decide(part: Wave, at: int, out: Wave) -> Any:
        return graph_kernels.spread(part, at, grades, graph.waiting, *parents, earlier, lost, out)

    done = 0
    for drawn in (False, True):
        seeds = seeded(graph.pool, grades, drawn)
        wave: list[Wave] = []
        distance = 0
        while wave or seeds:
            if not wave:
                distance = min(seeds)
            wave += seeds.pop(distance, [])
            done += sum(part.size for part in wave)
            wave = spread(graph.pool, wave, decide)
            yield Step("backward", done, grades.size)
            distance += 1
    if any((grades == grade).any() for grade in FARTHEST):
        raise TooBig(TOO_FAR)
    grades[grades == 0] = ENDLESS


def seeded(pool: ThreadPool, grades: GradeArray, drawn: bool) -> dict[int, list[Wave]]:
    """The numbers of the positions with a grade by distance: of those drawn after some plies, or of those decided."""
    least, most, far = SCALE.grade(Entry(DRAW, SCALE.longest)), SCALE.grade(Entry(DRAW, 0)), distances()

    def found(part: slice) -> dict[int, Wave]:
        here = grades[part]
        wanted = (here != 0) & (here != ENDLESS) & (((here >= least) & (here <= most)) == drawn)
        places = np.flatnonzero(wanted)
        away = far[here[places]]
        places += part.start
        return {int(distance): places[away == distance].astype(np.int32) for distance in np.unique(away)}

    seeds: dict[int, list[Wave]] = defaultdict(list)
    parts = [slice(begin, min(begin + AT_ONCE, grades.size)) for begin in range(0, grades.size, AT_ONCE)]
    for own in pool.map(found, parts):
        for distance, places in own.items():
            seeds[distance].append(places)
    return seeds


def spread(pool: ThreadPool, wave: list[Wave], decide: Callable[[Wave, int, Wave], Any]) -> list[Wave]:
    """The positions that a wave decides; `decide` writes some of them and returns where it ended, and their number."""

    def decided(part: Wave) -> list[Wave]:
        at, room, found = 0, ROOM, []
        while at < part.size:
            out = np.empty(room, np.int32)
            end, count = decide(part, at, out)
            if end == at:
                room *= 2  # a single batch has more parents
            at = end
            if count:
                found.append(out[:count].copy())
        return found

    parts = [part[piece] for part in wave for piece in pool.parts(part.size)]
    return [part for found in pool.map(decided, parts) for part in found]


def graded_by_points(graph: PositionGraph, grades: GradeArray, parents: Parents) -> Steps[None]:
    """Grades all positions by their margins, each when all its children are graded; raises Repeats."""
    earlier, done = earlier_of(TWO_BYTE_POINTS), 0

    def decide(part: Wave, at: int, out: Wave) -> Any:
        return graph_kernels.spread_margins(part, at, grades, graph.waiting, *parents, earlier, out)

    wave = np.flatnonzero(grades).astype(np.int32)
    while wave.size:
        done += wave.size
        yield Step("backward", done, grades.size)
        wave = np.concatenate([wave[:0], *spread(ThreadPool(1), [wave], decide)])
    if done < grades.size:
        raise Repeats


class Repeats(BadGame):
    """A game for points has cycles."""

    def __init__(self) -> None:
        super().__init__(f"the game {REPEATS}")


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
