"""Retrograde analysis of all positions at once, for games of any kind, including games with cycles."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines import array_kernels, graph_kernels
from perfectplay.game import Game
from perfectplay.solvers.expansion import (
    GradeArray,
    Run,
    earlier_of,
    ends_of,
    expanded,
    judged,
    scale_of,
    start_keys,
    ungraded,
)
from perfectplay.solvers.position_graph import Parents, PositionGraph
from perfectplay.solvers.sorted_keys import Keys, index_of, unique
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.table.grades import TWO_BYTE_POINTS, TWO_BYTES
from perfectplay.words import DRAW, LOSS, REPEATS, WIN, BadGame, Entry, TooBig

SCALE = TWO_BYTES
ENDLESS = SCALE.grade(Entry(DRAW, None))
FARTHEST = [SCALE.grade(Entry(value, SCALE.longest)) for value in (LOSS, DRAW, WIN)]
TOO_FAR = f"some positions are {SCALE.longest:,} plies or more from the end, more than a table can hold"
WON = SCALE.grade(Entry(WIN, 1))
AT_ONCE = 1 << 20
"""Positions looked through at a time."""
Wave = NDArray[np.int32]
"""Numbers of positions that are equally far from the end."""


@dataclass
class Reached:
    """The positions reached so far, sorted, and the frontier: those not yet expanded."""

    known: Keys
    frontier: Keys


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
    if graph.kernels.POINTS:
        yield from graded_by_points(graph, grades, parents)
    else:
        yield from graded_by_distance(graph, grades, parents, mixed=bool(known))
    return grades


def graded_by_distance(graph: PositionGraph, grades: GradeArray, parents: Parents, mixed: bool) -> Steps[None]:
    """Grades all positions from those that have a grade, the nearest first: wins and losses, then draws."""
    lost, earlier, size = SCALE.longest + 1, earlier_of(SCALE), grades.size
    least_drawn, most_drawn = SCALE.grade(Entry(DRAW, SCALE.longest)), SCALE.grade(Entry(DRAW, 0))
    drawn = lambda here: (here >= least_drawn) & (here <= most_drawn)  # noqa: E731
    known = lambda here: (here != 0) & (here != ENDLESS)  # noqa: E731
    done = 0
    for wanted in (lambda here: known(here) & ~drawn(here), drawn):
        seeds = seeded(graph.pool, grades, wanted)
        wave: list[Wave] = []
        distance = 0
        while wave or seeds:
            if not wave:
                distance = min(seeds)
            wave = [*wave, *seeds.pop(distance, [])]
            done += sum(part.size for part in wave)
            wave = spread(
                graph,
                wave,
                lambda part, at, out: graph_kernels.spread(
                    part, at, grades, graph.waiting, *parents, earlier, lost, out
                ),
            )
            yield Step("backward", done, size)
            distance += 1
    if any((grades == grade).any() for grade in FARTHEST):
        raise TooBig(TOO_FAR)
    grades[grades == 0] = ENDLESS


def seeded(pool: ThreadPool, grades: GradeArray, wanted: Callable[[GradeArray], Any]) -> dict[int, list[Wave]]:
    """The numbers of the positions whose grades are wanted, by distance."""
    far = distances()

    def found(part: slice) -> dict[int, Wave]:
        places = np.flatnonzero(wanted(grades[part]))
        away = far[grades[part][places]]
        places = (places + part.start).astype(np.int32)
        return {int(distance): places[away == distance] for distance in np.unique(away)}

    seeds: dict[int, list[Wave]] = defaultdict(list)
    parts = [slice(begin, min(begin + AT_ONCE, grades.size)) for begin in range(0, grades.size, AT_ONCE)]
    for own in pool.map(found, parts):
        for distance, places in own.items():
            seeds[distance].append(places)
    return dict(seeds)


def spread(graph: PositionGraph, wave: list[Wave], kernel: Callable[[Wave, int, Wave], tuple[int, int]]) -> list[Wave]:
    """The positions that a wave decides."""

    def decided(part: Wave) -> list[Wave]:
        at, room, found = 0, 1 << 16, []
        while at < part.size:
            out = np.empty(room, np.int32)
            end, count = kernel(part, at, out)
            if end == at:
                room *= 2  # one batch has more parents
            at = end
            if count:
                found.append(out[:count].copy())
        return found

    parts = [part[piece] for part in wave for piece in graph.pool.parts(part.size)]
    return [part for found in graph.pool.map(decided, parts) for part in found]


def graded_by_points(graph: PositionGraph, grades: GradeArray, parents: Parents) -> Steps[None]:
    """Grades all positions by their margins, each when all its children are graded; raises Repeats."""
    earlier, done = earlier_of(TWO_BYTE_POINTS), 0
    wave = [np.flatnonzero(grades).astype(np.int32)]
    while wave:
        joined = np.concatenate(wave)
        done += joined.size
        yield Step("backward", done, grades.size)
        wave = spread(
            graph,
            [joined],
            lambda part, at, out: graph_kernels.spread_margins(part, at, grades, graph.waiting, *parents, earlier, out),
        )
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
