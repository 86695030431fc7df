"""Checks a solution completely by compiled rules: every class, all its images, and whether each child is one.

The loop is the one that solves a small game. Where it refuses a position, or fails there, the interpreted rules decide.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.checks.contract import in_one_line
from perfectplay.compiler.compiled import LOOKING, load_kernels
from perfectplay.compiler.numba_compat import NumbaError
from perfectplay.game import Game
from perfectplay.rules.notation import entry_text, number_of
from perfectplay.rules.rule_faults import fault_of_rules
from perfectplay.solvers.memory.expansion import Run, start_keys
from perfectplay.solvers.memory.small_solve import AT_ONCE, COUNT, MARGIN, OUTCOME, TIER, Facts, facts_of
from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.grades import Scale, earlier_both_ways
from perfectplay.solvers.table.table import keys_of
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validity.sample_check import Fault, PositionChecker
from perfectplay.words import ONGOING, NotCompiled, Position

COMPILED_FAULTS = (NotCompiled, NumbaError, ArithmeticError, IndexError)
"""What compiled rules may raise where the interpreted ones do not."""


def fault_in_run(game: Game, run: Run, scale: Scale, pool: ThreadPool) -> Steps[Fault | None]:
    """The first fault in keys, symmetries, tiers and entries of all classes, in key order; None if there is none."""
    kernels = load_kernels(game, LOOKING)
    keys = run.keys.astype(np.int64)
    first = int(np.searchsorted(keys, start_keys(game, symmetric=True)[0]))
    walk = Walk(game, kernels, Run(keys, run.grades), scale)
    yield Step("checking", 0, keys.size)
    faults = [*pool.map(walk.fault, pool.parts(keys.size)), walk.fault_of_tiers(), walk.fault_of_strangers(first)]
    yield Step("checking", keys.size, keys.size)
    return next((fault for fault in faults if fault is not None), None)


def facts_or_fault(game: Game, kernels: Any, keys: Keys) -> tuple[Facts, Keys] | Fault:
    """The same as `facts_of`, after a full look at all images; or the first fault."""
    facts = np.empty((keys.size, 5), np.int64)
    buffer, no_others, chunks = np.empty(AT_ONCE * kernels.MOST_MOVES, np.int64), np.empty(0, np.int64), []
    begin = 0
    while begin < keys.size:
        part = slice(begin, begin + AT_ONCE)
        try:
            count = int(kernels.look(keys[part], facts[part], buffer, no_others, True))
        except COMPILED_FAULTS:
            place = place_of_error(kernels, keys[part], buffer)
            if place is None:
                raise
            count = -1 - place
        if count >= 0:
            chunks.append(buffer[:count].copy())
        else:
            part = slice(begin, begin - count)
            position = keys_of(game)[1](int(keys[part][-1]))
            try:
                text = PositionChecker(game, 1).fault_of_class(position)
            except Exception as error:  # whatever the rules do
                text = str(fault_of_rules(error) or in_one_line(error))
            if text is not None:
                return Fault(text, position)
            facts[part], children = facts_of(kernels, keys[part])  # raises BadGame
            chunks.append(children)
        begin = part.stop
    return facts, np.concatenate(chunks)


def place_of_error(kernels: Any, keys: Keys, buffer: Keys) -> int | None:
    """The place of the first class at which compiled rules raise an error; None if they raise none again."""
    facts, no_others = np.empty((1, 5), np.int64), np.empty(0, np.int64)
    for place in range(keys.size):
        try:
            kernels.look(keys[place : place + 1], facts, buffer, no_others, True)
        except COMPILED_FAULTS:
            return place
    return None


class Walk:
    """Derives the entries of classes from their children's, part by part."""

    def __init__(self, game: Game, kernels: Any, run: Run, scale: Scale) -> None:
        self.game, self.kernels, self.run, self.scale = game, kernels, run, scale
        self.earlier, self.ends = np.array(earlier_both_ways(scale)), np.array(scale.ends())
        self.is_child = np.zeros(run.keys.size, np.bool_)
        self.tiers = np.zeros(run.keys.size, np.int64)
        self.edges: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        """The places of parents and of their children, where there are tiers."""

    def fault(self, part: slice) -> Fault | None:
        """The first class of a part whose entry is wrong, or that has a child without an entry."""
        keys, grades = self.run
        answer = facts_or_fault(self.game, self.kernels, keys[part])
        if isinstance(answer, Fault):
            return answer
        facts, below = answer
        again = below < 0
        below = np.where(again, ~below, below)
        places = np.minimum(np.searchsorted(keys, below), keys.size - 1)
        parents = part.start + np.repeat(np.arange(facts.shape[0]), facts[:, COUNT])
        lacking = keys[places] != below
        if lacking.any():
            position = self.position(int(parents[lacking.argmax()]))
            return Fault(f"after {position}, a child cannot be reached: it has no entry", position)
        self.is_child[places] = True
        if self.kernels.TIERED:
            self.tiers[part] = facts[:, TIER]
            self.edges.append((parents, places))
        before = self.earlier[grades[places].astype(np.int64) + self.scale.size * again]
        ongoing = facts[:, OUTCOME] == ONGOING
        right = self.ends[np.minimum(facts[:, OUTCOME], 1) + 1]
        if self.kernels.POINTS:
            right = self.ends[1] + facts[:, MARGIN]
        if before.size:
            starts = np.cumsum(facts[:, COUNT]) - facts[:, COUNT]
            right[ongoing] = np.maximum.reduceat(before, starts[ongoing])
        wrong = right != grades[part]
        if not wrong.any():
            return None
        at = int(wrong.argmax())
        position = self.position(part.start + at)
        entry, best = (entry_text(self.scale.entry(int(grade))) for grade in (grades[part][at], right[at]))
        return Fault(f"{position} has {entry}, but its moves give {best}", position)

    def fault_of_tiers(self) -> Fault | None:
        """The first class with a child of a lower tier."""
        for parents, places in self.edges:
            falls = self.tiers[places] < self.tiers[parents]
            if falls.any():
                parent, child = int(parents[falls.argmax()]), int(places[falls.argmax()])
                position = self.position(parent)
                text = f"tier decreases from {self.tiers[parent]} to {self.tiers[child]} at {position}"
                return Fault(text, position)
        return None

    def fault_of_strangers(self, start: int) -> Fault | None:
        """The fault where classes are no children of any other."""
        self.is_child[start] = True
        if self.is_child.all():
            return None
        text = f"{number_of(int((~self.is_child).sum()), 'position')} cannot be reached"
        return Fault(text, self.position(int(self.is_child.argmin())))

    def position(self, place: int) -> Position:
        """The canonical position of the class at that place."""
        return keys_of(self.game)[1](int(self.run.keys[place]))
