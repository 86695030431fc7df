"""Verifies a table from the rules and the table alone, whatever made it.

Every entry must follow from its children's, the nearer from the farther, so by induction all wins and losses are
right; and a draw must have a drawing move and no winning one, so neither side can do better. A small table is checked
at all positions of the game by the interpreted rules; a large one in all symmetry classes, with all their images, by
compiled rules, and in a sample by the interpreted ones.
"""

from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.validity.full_check import check_start, fault_in_all, wrong
from perfectplay.solvers.validity.sample_check import SAMPLE, fault_in_sample, in_table

SMALL = 30_000
"""Classes up to which plain Python is faster than loading numba."""


def verify_table(table: Table, seed: int = 1) -> Steps[int]:
    """Checks all classes and returns their number; raises BadTable at the first that is wrong."""
    check_start(table)
    if len(table) <= SMALL or table.game.key is None:
        fault = yield from fault_in_all(table)
        if fault is not None:
            raise wrong(table, fault.text)
    else:
        from perfectplay.solvers.validity.verify_compiled import verify_by_kernels  # imports numba

        yield from verify_by_kernels(table, check_random_classes(table, SAMPLE, seed))
    return len(table)


def verify_sample(table: Table, size: int, seed: int) -> Steps[int]:
    """Checks `size` random classes, spread evenly over the table, and some positions met in play; returns `size`."""
    check_start(table)
    yield from check_random_classes(table, size, seed)
    return size


def check_random_classes(table: Table, size: int, seed: int) -> Steps[None]:
    """Checks `size` classes, and some positions met in play, by the interpreted rules; raises BadTable."""
    for count, fault in fault_in_sample(in_table(table), size, seed):
        if fault is not None:
            raise wrong(table, fault.text)
        yield Step("checking a sample", min(count, size), size)
