"""Retrograde analysis of all positions at once, for games of any kind, including games with cycles."""

from dataclasses import dataclass
from typing import Any

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
from perfectplay.words import DRAW, LOSS, WIN, Entry, TooBig

SCALE = TWO_BYTES
FARTHEST = [SCALE.grade(Entry(value, SCALE.longest)) for value in (LOSS, DRAW, WIN)]
TOO_FAR = f"some positions are {SCALE.longest:,} plies or more from the end, more than a table can hold"
AT_ONCE = 1 << 22
"""Positions propagated between two steps."""


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


def backward(kernels: Any, pool: ThreadPool, keys: Keys) -> Steps[Run]:
    """All positions with their grades: wins and losses in order of distance, then draws; or margins.

    Positions that stay undecided are endless draws; in a game for points they are refused.
    """
    if keys.size >= 2**31:
        raise TooBig(f"{keys.size:,} positions are too many: at most {2**31 - 1:,} can be numbered")
    run = ungraded(scale_of(kernels), keys)
    waiting, starts, parents = edges(kernels, pool, run)
    yield Step("backward", 0, keys.size)
    if kernels.POINTS:
        return (yield from graded_by_points(run, waiting, starts, parents))
    earlier = earlier_of(SCALE)
    lost = SCALE.longest + 1
    drawn = SCALE.grade(Entry(DRAW, 0))
    queue = np.empty(keys.size, np.int32)
    decided = 0
    for wave in (np.flatnonzero((run.grades != 0) & (run.grades != drawn)), np.flatnonzero(run.grades == drawn)):
        head, tail = decided, decided + wave.size
        queue[head:tail] = wave
        while head < tail:
            head, tail = array_kernels.spread(
                run.grades, starts, parents, waiting, queue, head, tail, AT_ONCE, earlier, lost
            )
            yield Step("backward", head, keys.size)
        decided = tail
    if any((run.grades == grade).any() for grade in FARTHEST):
        raise TooBig(TOO_FAR)
    run.grades[run.grades == 0] = SCALE.grade(Entry(DRAW, None))
    return run


def graded_by_points(
    run: Run, waiting: NDArray[np.uint8], starts: NDArray[np.int64], parents: NDArray[np.int32]
) -> Steps[Run]:
    """All positions with the grades of their margins, each when all its children are graded; raises BadGame."""
    size = run.keys.size
    queue, best, earlier = np.empty(size, np.int32), np.zeros(size, np.uint16), earlier_of(TWO_BYTE_POINTS)
    ends = np.flatnonzero(run.grades)
    head, tail = 0, ends.size
    queue[:tail] = ends
    while head < tail:
        head, tail = array_kernels.spread_margins(
            run.grades, best, starts, parents, waiting, queue, head, tail, AT_ONCE, earlier
        )
        yield Step("backward", head, size)
    if tail < size:
        raise Repeats
    return run


class Repeats(Exception):
    """A game for points has cycles."""


def edges(kernels: Any, pool: ThreadPool, run: Run) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32]]:
    """The number of children of each position, and the parents of all positions in compressed sparse row form."""
    counts, children = numbered(kernels, pool, run)
    starts = np.zeros(run.keys.size + 2, np.int64)
    array_kernels.count_parents(children, starts)
    np.cumsum(starts, out=starts)
    parents = np.empty(children.size, np.int32)
    array_kernels.fill_parents(children, counts, starts, parents)
    return counts, starts, parents


def numbered(kernels: Any, pool: ThreadPool, run: Run) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The number of children of each position, and all children, concatenated; grades the finished positions.

    A child in which the same side moves again is ~child.
    """
    numbers, _ = judged(kernels, pool, run, ends_of(scale_of(kernels)), 0)
    children = np.empty(sum(numbers), np.int32)
    counts = np.empty(run.keys.size, np.uint8)
    index, parts, stops = index_of(pool, run.keys), pool.parts(run.keys.size), np.cumsum(numbers).tolist()

    def number(i: int) -> None:
        out = children[stops[i] - numbers[i] : stops[i]]
        kernels.number_children(run.keys[parts[i]], run.grades[parts[i]], out, counts[parts[i]], *index)

    pool.map(number, range(len(parts)))
    return counts, children
