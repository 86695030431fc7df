"""Whether a table is right, found out from the rules and the table alone, whoever made it.

Every entry must follow from its children's, the nearer from the farther, so by induction all wins and losses are
right; and a draw must have a drawing move and no winning one, so neither side can do better.
"""

from random import Random

from perfectplay.bits import bit_numbers
from perfectplay.game import levels
from perfectplay.notation import entry_text
from perfectplay.solve.steps import Step, Steps
from perfectplay.table.table import Table
from perfectplay.words import DRAW, ONGOING, WIN, BadPosition, BadTable, Entry

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


def check_start(table: Table) -> None:
    """Raises BadTable unless the start is there as the header says."""
    header = table.header
    try:
        right = table.lookup(table.game.start) == Entry(header.value, header.distance)
    except BadPosition:
        right = False
    if not right:
        raise wrong(table, "the start is not what its header says")
    if header.wins + header.draws + header.losses != header.positions or header.endless > header.draws:
        raise wrong(table, "its counts do not add up")


def wrong(table: Table, why: str) -> BadTable:
    """The error for a table that is whole but not right."""
    return BadTable(f"{table.reader.name} is wrong: {why}")


def check_entry(table: Table, key: int, entry: Entry) -> list[int]:
    """The keys of the children; raises BadTable if the position is not canonical or its entry does not follow."""
    game, position = table.game, table.unkey(key)
    if table.smallest(*position) != position or table.key(*position) != key:
        raise wrong(table, f"{position} is not the canonical form of its class")
    outcome = game.outcome(*position)
    children = [game.play(*position, move) for move in bit_numbers(game.moves(*position))] if outcome == ONGOING else []
    try:
        entries = [table.lookup(child).before() for child in children]
    except BadPosition as fault:
        raise wrong(table, f"after {position}, {fault}") from None
    right = max(entries, key=Entry.preference) if outcome == ONGOING else Entry(outcome, 0)
    if entry != right:
        raise wrong(table, f"{position} has {entry_text(entry)}, but its moves give {entry_text(right)}")
    return [table.key_of(child) for child in children]


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


def check_counts(table: Table, counts: dict[Entry, int]) -> None:
    """Raises BadTable unless the header has these counts."""
    header = table.header
    wins = sum(count for entry, count in counts.items() if entry.value == WIN)
    draws = sum(count for entry, count in counts.items() if entry.value == DRAW)
    longest = max((entry.distance for entry in counts if entry.distance is not None), default=0)
    found = (sum(counts.values()), wins, draws, counts.get(Entry(DRAW, None), 0), longest)
    if found != (header.positions, header.wins, header.draws, header.endless, header.longest):
        raise wrong(table, f"it counts {header.positions:,} positions and {header.wins:,} wins, not as found: {found}")
