"""Verifies a large table with compiled rules, by binary search in a sorted array; shares no algorithm with the solver.

The rules are compiled as written, without the solver's guards, so a fault in the rewriting of rules cannot affect both.
Where the two differ, the interpreted rules decide.
"""

from typing import Any

import numpy as np

from perfectplay.engines.compiled import load_kernels
from perfectplay.engines.numba_compat import NumbaError
from perfectplay.game import start_is_symmetric
from perfectplay.notation import number_of
from perfectplay.solvers.engine import cores
from perfectplay.solvers.expansion import Run
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table_checks import check_counts, check_entry, wrong
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.table.grades import earlier_both_ways
from perfectplay.table.table import Table
from perfectplay.words import BadTable, Entry, NotCompiled

PART = 1 << 20


def verified_by_kernels(table: Table) -> Steps[None]:
    """Checks every class; raises BadTable."""
    run = yield from all_blocks(table)
    if (np.diff(run.keys) <= 0).any():
        raise wrong(table, "its keys are not in order")
    try:
        yield from checked_by(load_kernels(table.game, guards=False), table, run)
    except (WrongEntry, BadTable, NotCompiled, NumbaError, ArithmeticError, IndexError) as fault:
        if isinstance(fault, WrongEntry):
            check_entry(table, *fault.entry)  # by the interpreted rules
        try:
            yield from checked_by(load_kernels(table.game), table, run)
        except WrongEntry as again:
            check_entry(table, *again.entry)
            raise wrong(table, f"{table.unkey(again.entry[0])} does not follow from its children") from None


class WrongEntry(Exception):
    """A key whose entry does not follow from its children's, by compiled rules."""

    def __init__(self, key: int, entry: Entry) -> None:
        super().__init__(key)
        self.entry = key, entry


def checked_by(kernels: Any, table: Table, run: Run) -> Steps[None]:
    """Checks every class by these compiled rules; raises WrongEntry at the first wrong one, or BadTable."""
    pool, scale = ThreadPool(cores()), table.reader.grades
    met = np.zeros(len(table), np.uint8)
    met[np.searchsorted(run.keys, table.key_of(table.game.start))] = 1
    ends = np.array(scale.ends(), run.grades.dtype)
    earlier = np.array(earlier_both_ways(scale), run.grades.dtype)

    def first_fault(begin: int) -> int:
        here = slice(begin, begin + PART)
        found = int(kernels.first_fault(run.keys[here], run.grades[here], *run, earlier, ends, met))
        return begin + found if found >= 0 else -1

    begins = range(0, len(table), PART)
    for i in range(0, len(begins), pool.threads):
        for at in pool.map(first_fault, begins[i : i + pool.threads]):
            if at >= 0:
                raise WrongEntry(int(run.keys[at]), scale.entry(int(run.grades[at])))
        yield Step("checking", min(len(table), begins[i] + pool.threads * PART), len(table))
    if not met.all():
        raise wrong(table, f"{number_of(len(table) - int(met.sum()), 'position')} cannot be reached")
    if start_is_symmetric(table.game):
        counts = np.zeros(scale.size, np.int64)
        kernels.weigh(*run, counts)
        check_counts(table, {scale.entry(grade): int(count) for grade, count in enumerate(counts) if count})


def all_blocks(table: Table) -> Steps[Run]:
    """The whole table as arrays."""
    size, wide = table.header.block, table.header.grade_bytes
    run = Run(np.empty(len(table), np.int64), np.empty(len(table), np.uint8 if wide == 1 else np.uint32))
    for number in range(len(table.reader.firsts)):
        here = slice(number * size, (number + 1) * size)
        block = table.reader.block(number)
        run.keys[here], run.grades[here] = block.keys(), np.array(list(block.all_grades()))
        if number % 100 == 0:
            yield Step("reading", number * size, len(table))
    return run
