"""Verifies a table from the rules and the table alone, whatever made it.

Every entry must follow from its children's, the nearer from the farther, so by induction all wins and losses are
right; and a draw must have a drawing move and no winning one, so neither side can do better. A small table is checked
at all positions of the game by the interpreted rules; a large one in all symmetry classes by compiled rules, and in a
sample by the interpreted ones.
"""

from perfectplay.game import levels
from perfectplay.notation import number_of
from perfectplay.solvers.sample_check import SAMPLE, fault_in_sample, in_table
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table_checks import check_counts, check_entry, check_start, follows, wrong
from perfectplay.table.table import Table
from perfectplay.words import BadPosition, Entry, Position

SMALL = 30_000
"""Classes up to which plain Python is faster than loading numba."""


def verified(table: Table, seed: int = 1) -> Steps[int]:
    """Checks all classes and returns their number; raises BadTable at the first that is wrong."""
    check_start(table)
    if len(table) <= SMALL or table.game.key is None:
        yield from verified_interpreted(table)
    else:
        from perfectplay.solvers.verify_compiled import verified_by_kernels  # imports numba

        yield from verified_by_kernels(table, sample_checked(table, SAMPLE, seed))
    return len(table)


def sampled(table: Table, size: int, seed: int) -> Steps[int]:
    """Checks `size` random classes, spread evenly over the table, and some positions met in play; returns `size`."""
    check_start(table)
    yield from sample_checked(table, size, seed)
    return size


def sample_checked(table: Table, size: int, seed: int) -> Steps[None]:
    """Checks `size` classes, and some positions met in play, by the interpreted rules; raises BadTable."""
    for done, fault in fault_in_sample(in_table(table), size, seed):
        if fault is not None:
            raise wrong(table, fault.text)
        yield Step("checking a sample", min(done, size), size)


def verified_interpreted(table: Table) -> Steps[None]:
    """Checks every class, and every position of the game, by the interpreted rules."""
    met = {table.key_of(table.game.start)}
    last = -1
    for number in range(len(table.reader.firsts)):
        block = table.reader.block(number)
        for key, grade in zip(block.keys(), block.all_grades(), strict=True):
            if key <= last:
                raise wrong(table, "its keys are not in order")
            last = key
            met.update(check_entry(table, key, table.reader.grades.entry(grade)))
        yield Step("checking", number * table.header.block, len(table))
    if len(met) != len(table):
        raise wrong(table, f"{number_of(len(table) - len(met), 'position')} cannot be reached")
    check_counts(table, interpreted_counts(table))


def interpreted_counts(table: Table) -> dict[Entry, int]:
    """The number of reachable positions with each entry; checks that each follows from its own children's entries."""
    known: dict[Position, Entry] = {}
    for layer in levels(table.game):
        for position in layer:
            known[position] = found_in(table, position)
    counts: dict[Entry, int] = {}
    for position, entry in known.items():
        follows(table, position, entry, known.__getitem__)
        counts[entry] = counts.get(entry, 0) + 1
    return counts


def found_in(table: Table, position: Position) -> Entry:
    """The entry of a reachable position; raises BadTable if it has none, or if its key does not invert."""
    number = table.key(*position)
    if table.unkey(number) != position:
        raise wrong(table, f"key: the key of {position} is {number}, and unkey({number}) is {table.unkey(number)}")
    try:
        return table.lookup(position)
    except BadPosition as fault:
        raise wrong(table, str(fault)) from None
