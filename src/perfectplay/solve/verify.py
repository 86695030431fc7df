"""Whether a table is right, found out from the rules and the table alone, whoever made it.

Every entry must follow from its children's, the nearer from the farther, so by induction all wins and losses are
right; and a draw must have a drawing move and no winning one, so neither side can do better. A small table is checked
in all positions of the game by the interpreted rules; a large one in all classes by compiled rules, and in a sample by
the interpreted ones.
"""

from perfectplay.game import levels
from perfectplay.solve.sample_check import SAMPLE, fault_in_sample, in_table
from perfectplay.solve.steps import Step, Steps
from perfectplay.solve.table_checks import check_counts, check_entry, check_start, follows, wrong
from perfectplay.table.table import Table
from perfectplay.words import BadPosition, Entry, Position

SMALL = 30_000
"""Classes up to which plain Python is quicker than loading numba."""


def verified(table: Table, seed: int = 1) -> Steps[int]:
    """The number of classes that were checked, all of them; raises BadTable at the first that is wrong."""
    check_start(table)
    if len(table) <= SMALL or table.game.key is None:
        yield from verified_plainly(table)
    else:
        from perfectplay.solve.verify_compiled import verified_by_kernels  # numba: only when it is wanted

        yield from sample_checked(table, SAMPLE, seed)
        yield from verified_by_kernels(table)
    return len(table)


def sampled(table: Table, size: int, seed: int) -> Steps[int]:
    """The same for so many classes chosen by chance, spread over the table, and some positions met in play."""
    check_start(table)
    yield from sample_checked(table, size, seed)
    return size


def sample_checked(table: Table, size: int, seed: int) -> Steps[None]:
    """Checks so many classes, and some positions met in play, by the interpreted rules; raises BadTable."""
    for done, fault in fault_in_sample(in_table(table), size, seed):
        if fault is not None:
            raise wrong(table, fault.text)
        yield Step("checking a sample", min(done, size), size)


def verified_plainly(table: Table) -> Steps[None]:
    """Checks every class, and every position of the game, by the interpreted rules."""
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
    """How many reachable positions have each entry, which must follow from its children's, whatever its class says."""
    known: dict[Position, Entry] = {}
    for level in levels(table.game):
        for position in level:
            known[position] = found_in(table, position)
    counts: dict[Entry, int] = {}
    for position, entry in known.items():
        follows(table, position, entry, known.__getitem__)
        counts[entry] = counts.get(entry, 0) + 1
    return counts


def found_in(table: Table, position: Position) -> Entry:
    """The entry of a reachable position; raises BadTable if it has none, or shares its key with another."""
    number = table.key(*position)
    if table.unkey(number) != position:
        raise wrong(table, f"key: that of {position} is {number}, and unkey makes {table.unkey(number)} of it")
    try:
        return table.lookup(position)
    except BadPosition as fault:
        raise wrong(table, str(fault)) from None
