"""The conditions that a table must meet: for its start, its counts, and each entry given those of its children."""

from perfectplay.bits import bit_numbers
from perfectplay.game import end_entry, moves_again
from perfectplay.rules.notation import entry_text
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.table.table_header import Header
from perfectplay.words import DRAW, ONGOING, WIN, BadPosition, BadTable, Entry, Lookup, Position


def check_start(table: Table) -> None:
    """Raises BadTable unless the start has the entry in the header."""
    header = table.header
    try:
        right = table.lookup(table.game.start) == header.start
    except BadPosition:
        right = False
    if not right:
        raise wrong(table, "the start differs from its header")
    if header.wins + header.draws + header.losses != header.positions or header.endless > header.draws:
        raise wrong(table, "its counts do not add up")


def wrong(table: Table, why: str) -> BadTable:
    """The error for a table that is intact but wrong."""
    return BadTable(f"{table.reader.name} is wrong: {why}")


def check_entry(table: Table, key: int, entry: Entry) -> list[int]:
    """The keys of the children; raises BadTable if the position is not canonical or its entry does not follow."""
    position = table.unkey(key)
    if table.smallest(*position) != position or table.key(*position) != key:
        raise wrong(table, f"{position} is not the canonical form of its class")
    return [table.key_of(child) for child in follows(table, position, entry, table.lookup)]


def follows(table: Table, position: Position, entry: Entry, lookup: Lookup) -> list[Position]:
    """The children of the position; raises BadTable unless its entry follows from theirs."""
    game = table.game
    outcome = game.outcome(*position)
    legal = bit_numbers(game.moves(*position)) if outcome == ONGOING else []
    children = [game.play(*position, move) for move in legal]
    repeats = [moves_again(game, position, move) for move in legal]
    try:
        entries = [lookup(child).before(again) for child, again in zip(children, repeats, strict=True)]
    except BadPosition as fault:
        raise wrong(table, f"after {position}, {fault}") from None
    right = max(entries, key=Entry.preference) if outcome == ONGOING else end_entry(game, position)
    if entry != right:
        raise wrong(table, f"{position} has {entry_text(entry)}, but its moves give {entry_text(right)}")
    return children


def fault_of_counts(header: Header, counts: dict[Entry, int]) -> str | None:
    """The fault of the counts of a header, if these are right."""
    wins = sum(count for entry, count in counts.items() if entry.value == WIN)
    draws = sum(count for entry, count in counts.items() if entry.value == DRAW)
    longest = max((entry.distance for entry in counts if entry.distance is not None), default=0)
    totals = (sum(counts.values()), wins, draws, counts.get(Entry(DRAW, None), 0), longest)
    if totals == (header.positions, header.wins, header.draws, header.endless, header.longest):
        return None
    return f"its header has {header.positions:,} positions and {header.wins:,} wins; found: {totals}"
