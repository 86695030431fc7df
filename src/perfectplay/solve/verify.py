"""Whether a table is right, found out from the rules and the table alone, whoever made it.

Every entry must follow from its children's, the nearer from the farther, so by induction all wins and losses are
right; and a draw must have a drawing move and no winning one, so neither side can do better.
"""

from random import Random

from perfectplay.game import levels
from perfectplay.solve.checks import check_counts, check_entry, check_start, wrong
from perfectplay.solve.steps import Step, Steps
from perfectplay.table.table import Table
from perfectplay.words import Entry

SMALL = 30_000
"""Classes up to which plain Python is quicker than loading numba."""


def verified(table: Table) -> Steps[int]:
    """The number of classes that were checked, all of them; raises BadTable at the first that is wrong."""
    check_start(table)
    if len(table) <= SMALL or table.game.key is None:
        yield from verified_plainly(table)
    else:
        from perfectplay.solve.verify_compiled import verified_by_kernels  # numba: only when it is wanted

        yield from verified_by_kernels(table)
    return len(table)


def sampled(table: Table, size: int, seed: int) -> Steps[int]:
    """The same for so many classes chosen by chance."""
    check_start(table)
    rng, reader = Random(seed), table.reader
    for done in range(size):
        at = rng.randrange(len(table))
        keys, grades = reader.block(at // reader.header.block)
        at %= reader.header.block
        check_entry(table, keys[at], reader.grades.entry(grades[at]))
        if done % 100 == 0:
            yield Step("checking", done, size)
    return size


def verified_plainly(table: Table) -> Steps[None]:
    """Checks every class by the interpreted rules."""
    met = {table.key_of(table.game.start)}
    last = -1
    for number in range(len(table.reader.firsts)):
        keys, grades = table.reader.block(number)
        for key, grade in zip(keys, grades, strict=True):
            if key <= last:
                raise wrong(table, "its keys are not in order")
            last = key
            met.update(check_entry(table, key, table.reader.grades.entry(grade)))
        yield Step("checking", number * table.header.block, len(table))
    if len(met) != len(table):
        raise wrong(table, f"{len(table) - len(met):,} positions cannot be reached")
    check_counts(table, plain_counts(table))


def plain_counts(table: Table) -> dict[Entry, int]:
    """How many reachable positions have each entry."""
    counts: dict[Entry, int] = {}
    for level in levels(table.game):
        for position in level:
            entry = table.lookup(position)
            counts[entry] = counts.get(entry, 0) + 1
    return counts
