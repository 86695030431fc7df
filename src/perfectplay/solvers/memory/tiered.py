"""Retrograde analysis tier by tier: forward from the lowest tier, back from the highest.

A move never leads to a lower tier. So a tier is complete when all below it are expanded, and it can be graded when all
above it are. In memory are the positions of one tier and their children; the others rest on disk once they are many.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.solvers.checkpoints import CheckpointFolder
from perfectplay.solvers.forecast import Forecast, refuse
from perfectplay.solvers.memory import cyclic
from perfectplay.solvers.memory.expansion import Run, classes, ends_of, expanded, judged, scale_of, start_keys, ungraded
from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.memory.work import Solved, Work, counted, entries_of, memory_at_once
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.summary import tier_count
from perfectplay.words import REPEATS, BadGame

TIERED = "tiers"
"""The kind of such a checkpoint."""
IN_MEMORY = 64 << 20
"""Bytes of finished tiers that stay in memory."""


class Shelf:
    """The positions of all tiers by name, in memory while they are few, else on disk, where a solve can resume."""

    def __init__(self, saved: CheckpointFolder, facts: dict[str, Any]) -> None:
        self.saved = saved
        self.arrays: dict[str, NDArray[Any]] = {name: saved.memory_map(name) for name in facts.get("arrays", ())}
        self.explored: list[int] = facts.get("explored", [])
        self.graded: list[int] = facts.get("graded", [])

    def put(self, arrays: dict[str, NDArray[Any]], without: list[str]) -> None:
        """Adds these arrays, takes away those of these names, and writes all to disk if it is time."""
        self.arrays = {name: self.arrays[name] for name in self.arrays if name not in without} | arrays
        held = sum(array.nbytes for array in self.arrays.values() if not isinstance(array, np.memmap))
        facts = {"kind": TIERED, "explored": self.explored, "graded": self.graded}
        if held > IN_MEMORY:
            self.saved.keep_now(self.arrays, facts)
        else:
            self.saved.keep(self.arrays, facts)
        for name in self.saved.there.keys() & self.arrays.keys():
            if not isinstance(self.arrays[name], np.memmap) and self.arrays[name].size:
                self.arrays[name] = self.saved.memory_map(name)

    def waiting(self) -> dict[int, list[str]]:
        """The tiers that are not explored yet, each with the names of the keys by which it is entered."""
        found: dict[int, list[str]] = defaultdict(list)
        for name in self.arrays:
            kind, _, tiers = name.partition(" ")
            if kind == "entered":
                found[int(tiers.partition(" ")[0])].append(name)
        return found


def solved_by_tiers(work: Work, symmetric: bool, facts: dict[str, Any]) -> Steps[Solved]:
    """The solution of a game with tiers."""
    game, kernels, _, _, saved = work
    shelf = Shelf(saved, facts if facts.get("kind") == TIERED else {})
    yield from explored(work, symmetric, shelf)
    yield from graded(work, symmetric, shelf)
    scale = scale_of(kernels)
    total = np.zeros(scale.size, np.int64)
    for tier in shelf.explored:
        run = tier_run(shelf, symmetric, tier)
        positions = None if symmetric else Run(shelf.arrays[f"keys {tier}"], run.grades)
        own = counted(work, positions, run, scale)
        total += own
        found = tier_count(tier, run.keys.size, entries_of(scale, own))
        yield Step("counting", run.keys.size, detail=f"tier {tier}", tier=found)
    runs = [tier_run(shelf, symmetric, tier) for tier in shelf.explored]
    first = tier_run(shelf, symmetric, shelf.explored[0])
    at = np.searchsorted(first.keys, start_keys(game, symmetric=True)[0])
    counts: Counter[Any] = entries_of(scale, total)
    return Solved(scale, runs, counts, scale.entry(int(first.grades[at])))


def tier_run(shelf: Shelf, symmetric: bool, tier: int) -> Run:
    """The classes of a graded tier."""
    return Run(shelf.arrays[f"{'keys' if symmetric else 'classes'} {tier}"], shelf.arrays[f"grades {tier}"])


def explored(work: Work, symmetric: bool, shelf: Shelf) -> Steps[None]:
    """Puts all reachable positions on the shelf, tier by tier from the lowest; raises BadGame."""
    game, kernels, pool, _, _ = work
    if not shelf.explored and not shelf.waiting():
        assert game.tier is not None
        shelf.put({f"entered {int(game.tier(*game.start))} start": start_keys(game, symmetric)}, [])
    done = sum(array.size for name, array in shelf.arrays.items() if name.startswith("keys "))
    while waiting := shelf.waiting():
        tier = min(waiting)
        entered = np.empty(0, np.int32)
        for name in waiting[tier]:
            entered = cyclic.united(pool, entered, shelf.arrays[name])
        reached = cyclic.Reached(entered, entered)
        higher: dict[int, Keys] = {}
        while reached.frontier.size:
            run = ungraded(scale_of(kernels), reached.frontier)
            children, _ = judged(kernels, pool, run, ends_of(scale_of(kernels)), 0)
            check_memory(work, reached.known.size, sum(children) / run.keys.size)
            yield Step("forward", done + reached.known.size, ahead=sum(children), detail=f"tier {tier}")
            fresh = expanded(kernels, pool, run, children, symmetric) if sum(children) else run.keys[:0]
            tiers = tiers_of(kernels, fresh)
            if fresh.size and tiers.min() < tier:
                raise decreasing(work, run.keys, tier)
            cyclic.add(reached, fresh[tiers == tier])
            for other in np.unique(tiers[tiers > tier]).tolist():
                higher[other] = cyclic.united(pool, higher.get(other, fresh[:0]), fresh[tiers == other])
        found = {f"keys {tier}": reached.known}
        if not symmetric:
            found[f"classes {tier}"] = classes(kernels, pool, reached.known)
        shelf.explored.append(tier)
        done += reached.known.size
        shelf.put(found | {f"entered {other} {tier}": keys for other, keys in higher.items()}, waiting[tier])


def check_memory(work: Work, positions: int, children: float) -> None:
    """Raises TooBig if a tier of so many positions will not fit."""
    needed = memory_at_once(positions, children, 8)
    if needed > work.memory:
        raise refuse(work.game, Forecast(positions, needed, 0.0, least=True), work.memory)


def tiers_of(kernels: Any, keys: Keys) -> NDArray[np.int64]:
    """The tier of each position."""
    tiers = np.empty(keys.size, np.int64)
    kernels.tiers_of(keys, tiers)
    return tiers


def decreasing(work: Work, keys: Keys, tier: int) -> BadGame:
    """The error for rules whose tier decreases after one of these positions."""
    game, kernels = work.game, work.kernels
    for number in keys.tolist():
        position = kernels.unkey(number)
        legal = kernels.moves(*position) if kernels.outcome(*position) == 2 else 0
        for move in range(int(legal).bit_length()):
            child = kernels.play(*position, move) if legal >> move & 1 else position
            if kernels.tier(*child) < tier:
                wrong = f"tier decreases from {tier} to {kernels.tier(*child)} by move {move} at {position}"
                return BadGame(f"the rules break the contract: {wrong}; run perfectplay check for details")
    return BadGame(f"the tiers of {game.name} differ between a position and its image; run perfectplay check")


def graded(work: Work, symmetric: bool, shelf: Shelf) -> Steps[None]:
    """Grades all tiers from the highest to the lowest, and puts the grades on the shelf; raises BadGame."""
    total = sum(shelf.arrays[f"{'keys' if symmetric else 'classes'} {tier}"].size for tier in shelf.explored)
    done = sum(shelf.arrays[f"grades {tier}"].size for tier in shelf.graded)
    for number, tier in reversed([*enumerate(shelf.explored, 1)]):
        if tier in shelf.graded:
            continue
        keys = np.asarray(shelf.arrays[f"{'keys' if symmetric else 'classes'} {tier}"])
        label = f"tier {tier}, {number} of {len(shelf.explored)}"
        try:
            steps = cyclic.backward(work.kernels, work.pool, keys, beyond(work, symmetric, shelf, tier, keys))
            run = yield from labelled(steps, done, total, label)
        except cyclic.Repeats:
            raise BadGame(f"{work.game.name} {REPEATS}") from None
        done += keys.size
        shelf.graded.append(tier)
        shelf.put({f"grades {tier}": run.grades}, [])


def labelled(steps: Steps[Run], done: int, total: int, label: str) -> Steps[Run]:
    """The steps of one tier as steps of the whole solve."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        yield Step(step.phase, done + step.done, total, detail=label)


def beyond(work: Work, symmetric: bool, shelf: Shelf, tier: int, keys: Keys) -> Run:
    """The children of these positions in higher tiers, with their grades; raises BadGame if one is missing."""
    kernels, pool = work.kernels, work.pool
    run = ungraded(scale_of(kernels), keys)
    children, _ = judged(kernels, pool, run, ends_of(scale_of(kernels)), 0)
    fresh = expanded(kernels, pool, run, children, symmetric=True) if sum(children) else keys[:0]
    tiers = tiers_of(kernels, fresh)
    fresh, tiers = fresh[tiers != tier], tiers[tiers != tier]
    return Run(fresh, known_grades(shelf, symmetric, fresh, tiers))


def known_grades(shelf: Shelf, symmetric: bool, keys: Keys, tiers: NDArray[np.int64]) -> NDArray[np.uint16]:
    """The grades of classes in tiers that are graded."""
    grades = np.zeros(keys.size, np.uint16)
    for other, here in parted(tiers):
        known = tier_run(shelf, symmetric, other) if other in shelf.graded else Run(keys[:0], grades[:0])
        places = np.searchsorted(known.keys, keys[here])
        if known.keys.size == 0 or (known.keys[np.minimum(places, known.keys.size - 1)] != keys[here]).any():
            raise BadGame("tier: images of a position have different tiers or children; run perfectplay check")
        grades[here] = known.grades[places]
    return grades


def parted(tiers: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Each tier with the places where it is."""
    for tier in np.unique(tiers).tolist():
        yield tier, np.flatnonzero(tiers == tier)
