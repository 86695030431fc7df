"""The complete solution by compiled kernels on all cores: which solver, how much memory, what to keep on disk."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from perfectplay.game import Game, start_is_symmetric
from perfectplay.solve import cyclic, layered
from perfectplay.solve.checkpoints import Saved
from perfectplay.solve.expansion import Run, check_closed, classes, judged, start_keys
from perfectplay.solve.forecast import Forecast, expected_positions, longest_game, refuse
from perfectplay.solve.sample_check import Entries
from perfectplay.solve.sorted_keys import Keys, index_of
from perfectplay.solve.steps import Step, Steps
from perfectplay.solve.thread_pool import ThreadPool
from perfectplay.table.grades import BYTE, Grades
from perfectplay.words import Entry

ENOUGH = 200_000
"""Positions after which a first forecast is made."""
SURE = 2_000_000
"""Positions after which it is trusted within a factor of 1.5; before, a wrong no would be worse than a late one."""
HELD = 150 << 20
"""What Python, numba and the code take."""
WIDEST = 0.2
"""The share of the widest level."""
BOTH_WAYS = 2.5
"""How much longer a solve takes than its forward pass."""

Memory = Callable[[int, float, int], int]
"""The bytes for so many positions with so many children each and keys of so many bytes."""


class Solved(NamedTuple):
    """Every class with its grade, as runs that have nothing in common; how many positions have each entry."""

    scale: Grades
    runs: list[Run]
    counts: Counter[Entry]
    start: Entry


class Work(NamedTuple):
    """What a solve is given: the rules compiled, threads, memory, a folder for progress."""

    game: Game
    kernels: Any
    pool: ThreadPool
    memory: int
    saved: Saved


def retrograde(work: Work, resume: bool) -> Steps[Solved]:
    """The solution; goes on from what was saved if it shall and can."""
    facts = work.saved.load() if resume else {}
    if not facts:
        work.saved.forget()
    symmetric = start_is_symmetric(work.game)
    try:
        if facts.get("kind") == "circular":
            raise layered.NotLayered
        return (yield from by_levels(work, symmetric, facts))
    except layered.NotLayered:
        return (yield from in_circles(work, symmetric, facts))


def by_levels(work: Work, symmetric: bool, facts: dict[str, Any]) -> Steps[Solved]:
    """The solution of a game whose positions fall into levels; raises NotLevelled for any other."""
    _, kernels, pool, _, saved = work
    levels = [judge_ends(kernels, pool, saved.array(f"keys-{i}")) for i in range(facts.get("levels", 0))]
    solved = facts.get("solved", 0)
    if not solved:
        sizes = [level.keys.size for level in levels[:-1]]  # the last of those saved comes again
        steps = layered.forward(work.game, kernels, pool, symmetric, levels)
        for step in watched(work, steps, memory_by_level, lambda: levels[-1].keys, longest_game(work.game), sizes):
            saved.keep(keys_of(levels), {"kind": "levelled", "levels": len(levels)})
            yield step
    reached = levels
    if not symmetric:
        levels = [judge_ends(kernels, pool, classes(kernels, pool, run.keys)) for run in levels]
        for level, below in pairwise(levels):
            check_closed(kernels, pool, level, below.keys, np.array(BYTE.ends(), np.uint8))
    for i in range(1, solved + 1):
        levels[-i] = Run(levels[-i].keys, saved.array(f"grades-{len(levels) - i}"))
    solved = solved or 1
    scale = layered.scale_for(levels)
    for step in layered.backward(kernels, pool, levels, solved):
        solved += 1
        done = {f"grades-{i}": levels[i].grades for i in range(len(levels) - solved, len(levels))}
        saved.keep(keys_of(reached) | done, {"kind": "levelled", "levels": len(levels), "solved": solved})
        yield step
    counts = np.zeros(scale.size, np.int64)
    for run, level in zip(reached, levels, strict=True):
        counts += counted(work, None if symmetric else run, level, scale)
    total = sum(level.keys.size for level in levels)
    yield Step("counting", total, total)
    return Solved(scale, levels, entries_of(scale, counts), scale.entry(int(levels[0].grades[0])))


def judge_ends(kernels: Any, pool: ThreadPool, keys: Keys) -> Run:
    """The positions with these keys, the ended ones graded."""
    run = Run(keys, np.empty(keys.size, np.uint8))
    judged(kernels, pool, run, np.array(BYTE.ends(), np.uint8), 0)
    return run


def keys_of(levels: list[Run]) -> dict[str, Any]:
    """The keys of all levels, by the names that they are saved under."""
    return {f"keys-{i}": level.keys for i, level in enumerate(levels)}


def in_circles(work: Work, symmetric: bool, facts: dict[str, Any]) -> Steps[Solved]:
    """The solution of a game of any kind."""
    game, kernels, pool, _, saved = work
    reached = cyclic.first_reached(game, symmetric)
    if facts.get("kind") == "circular":
        reached = cyclic.Reached(saved.array(f"known-{facts['known']}"), saved.array(f"frontier-{facts['known']}"))
    steps = cyclic.forward(kernels, pool, symmetric, reached)
    for step in watched(work, steps, memory_at_once, lambda: reached.frontier, None, []):
        keep_reached(saved, reached)
        yield step
    keep_reached(saved, reached)
    keys = reached.known
    if not symmetric:
        keys = classes(kernels, pool, reached.known)
        check_closed(kernels, pool, Run(keys, np.empty(keys.size, np.uint16)), keys, cyclic.ENDS)
    run = yield from cyclic.backward(kernels, pool, keys)
    counts = counted(work, None if symmetric else Run(reached.known, run.grades), run, cyclic.SCALE)
    yield Step("counting", keys.size, keys.size)
    first = np.searchsorted(keys, start_keys(game, symmetric=True)[0])
    start = cyclic.SCALE.entry(int(run.grades[first]))
    return Solved(cyclic.SCALE, [run], entries_of(cyclic.SCALE, counts), start)


def keep_reached(saved: Saved, reached: cyclic.Reached) -> None:
    """Saves what has been reached, if it is time; under names of their own, since both arrays change every time."""
    names = [f"{name}-{reached.known.size}" for name in ("known", "frontier")]
    arrays = dict(zip(names, (reached.known, reached.frontier), strict=True))
    saved.keep(arrays, {"kind": "circular", "known": reached.known.size})


def counted(work: Work, positions: Run | None, level: Run, scale: Grades) -> Any:
    """How many positions have each grade: those given, or else all images of the level's."""
    _, kernels, pool, _, _ = work

    def weigh(part: slice) -> Any:
        counts = np.zeros(scale.size, np.int64)
        if positions is None:
            kernels.weigh(level.keys[part], level.grades[part], counts)
        else:
            kernels.count_grades(positions.keys[part], level.grades, counts, *index)
        return counts

    if positions is not None:
        index = index_of(pool, level.keys)
    parts = pool.parts((positions or level).keys.size)
    return np.sum(pool.map(weigh, parts), axis=0)


def entries_of(scale: Grades, counts: Any) -> Counter[Entry]:
    """How many positions have each entry."""
    return Counter({scale.entry(int(grade)): int(counts[grade]) for grade in np.flatnonzero(counts)})


def in_runs(game: Game, scale: Grades, runs: list[Run]) -> Entries:
    """The entries of a solution that is not written."""
    ends = np.cumsum([run.keys.size for run in runs])

    def key_at(place: int) -> int:
        number = int(np.searchsorted(ends, place, side="right"))
        return int(runs[number].keys[place - ends[number]])

    def entry_of(key: int) -> Entry | None:
        for keys, grades in runs:
            at = int(np.searchsorted(keys, key))
            if at < keys.size and keys[at] == key:
                return scale.entry(int(grades[at]))
        return None

    return Entries(
        game,
        int(ends[-1]),
        lambda places: [key_at(place) for place in places],
        lambda keys: {key: entry_of(key) for key in keys},
    )


def memory_by_level(positions: int, children: float, key_bytes: int) -> int:
    """The memory for so many positions with so many children each, solved level by level."""
    return HELD + int(positions * (key_bytes + 1 + WIDEST * children * (8 + key_bytes)))


def memory_at_once(positions: int, children: float, key_bytes: int) -> int:
    """The memory for so many positions with so many children each, solved all at once."""
    return HELD + int(positions * (2 * key_bytes + 20 + children * 8))


def watched(
    work: Work,
    steps: Steps[None],
    memory: Memory,
    newest: Callable[[], Keys],
    longest: int | None,
    sizes: list[int],
) -> Iterator[Step]:
    """The steps, one of them with a forecast; raises TooBig as soon as it is plain that the memory will not do.

    `newest` gives the keys of the newest positions, `longest` the longest game, `sizes` the plies that are done.
    """
    begin, told = time.monotonic(), False
    for step in steps:
        begin, took = time.monotonic(), time.monotonic() - begin
        sizes.append(step.done - sum(sizes))
        if step.ahead and (told or step.done >= ENOUGH):
            expected = expected_positions(sizes, longest)
            wide = newest().itemsize
            needed = memory(expected, step.ahead / sizes[-1], wide)
            now = HELD + step.done * wide + step.ahead * (8 + wide)
            forecast = Forecast(expected, max(needed, now), BOTH_WAYS * took * expected / sizes[-1], longest is None)
            doubt = max(1.5, SURE / step.done) if longest else 1
            if max(now, needed / doubt) > work.memory:
                raise refuse(work.game, forecast, work.memory)
            total = max(expected, step.done) if longest else None
            step = replace(step, total=total, note="" if told else str(forecast))
            told = True
        yield step
