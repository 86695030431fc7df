"""A solved game in a few numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.rules.notation import entry_text, value_name
from perfectplay.solvers.table.table_file import mark_field, mark_text
from perfectplay.views.document import Bars, Cell, Document, Line, Notes, Part, Share, Table, Valued
from perfectplay.views.json_facts import Fact, digits, each, facts_in, json_facts
from perfectplay.views.numbers import time_text
from perfectplay.views.result import ResultClass
from perfectplay.words import DRAW, LOSS, WIN, BadArgument, Entry, entry_of

if TYPE_CHECKING:
    from perfectplay.solvers.table.table_header import Header


# The convergence of retrograde analysis: the positions decided in each iteration.
#
# Iteration n decides the positions that are n plies from the end: first all wins and losses, then, from the drawn ends
# backwards, the draws that end. So the trace of a solve follows from how many positions have each entry, whichever
# engine solved the game, and in whatever order.


@dataclass(frozen=True)
class Iteration(metaclass=ResultClass):
    """What one iteration of retrograde analysis decides: the positions that are `distance` plies from the end.

    `number` counts the iterations; the first ones decide wins and losses, the others draws. `total` counts all
    positions decided so far.
    """

    number: int
    distance: int
    won: int
    drawn: int
    lost: int
    total: int

    @property
    def decided(self) -> int:
        """The positions decided in this iteration."""
        return self.won + self.drawn + self.lost

    to_dict = json_facts(Fact("number", "iteration"), "distance", "decided", "total", "won", "drawn", "lost")


def trace_of(counts: Mapping[Entry, int]) -> tuple[Iteration, ...]:
    """The iterations of a solve in which so many positions have each entry."""
    if any(entry.margin is not None for entry in counts):
        raise BadArgument("a game for points has no distances, so its solve has no iterations by distance")
    iterations: list[Iteration] = []
    total = 0
    for values in ((WIN, LOSS), (DRAW,)):
        for distance in sorted({e.distance for e in counts if e.value in values and e.distance is not None}):
            won, drawn, lost = (
                counts.get(Entry(value, distance), 0) if value in values else 0 for value in (WIN, DRAW, LOSS)
            )
            total += won + drawn + lost
            iterations.append(Iteration(len(iterations), distance, won, drawn, lost, total))
    return tuple(iterations)


def trace_parts(counts: Mapping[Entry, int]) -> tuple[Part, ...]:
    """The convergence as a table, and what is left at the end."""
    rows = [
        (
            f"{one.number:,}",
            f"{one.distance:,}",
            *(f"{count:,}" if count else "" for count in (one.won, one.drawn, one.lost)),
            f"{one.decided:,}",
            f"{one.total:,}",
        )
        for one in trace_of(counts)
    ]
    heads = ("iteration", "plies", "won", "drawn", "lost", "decided", "total")
    return Table(rows, heads), Notes(ending(counts.get(Entry(DRAW, None), 0)))


def ending(rest: int) -> str:
    """The last line: the positions that no iteration decides, endless draws."""
    if not rest:
        return "every position is decided"
    return "the rest, " + ("1 position, is an endless draw" if rest == 1 else f"{rest:,} positions, are endless draws")


class TierCount(NamedTuple):
    """How many positions of a tier there are, up to symmetry, and how many of them are won, drawn and lost."""

    tier: int
    positions: int
    classes: int
    wins: int
    draws: int
    losses: int


def tier_count(tier: int, classes: int, counts: Mapping[Entry, int]) -> TierCount:
    """The counts of a tier, given how many of its positions have each entry."""
    values = [sum(n for entry, n in counts.items() if entry.value == value) for value in (WIN, DRAW, LOSS)]
    return TierCount(tier, sum(values), classes, *values)


@dataclass(frozen=True, kw_only=True)
class Summary(metaclass=ResultClass):
    """A solved game: the value and distance of the start, and how many positions are won, drawn and lost.

    In a game for points the start has a margin instead of a distance.

    `positions` are seen by the side to move: a board on which either side can be to move counts once. `classes` counts
    positions up to symmetry, and `classes_by_side` the same with the sides kept apart, so that such a board counts
    twice; None if it was not counted. `endless` counts the draws that never end, `longest` the plies of the longest
    win, loss or draw. `counts` is how many positions have each entry, where no table was written. `tiers` has the
    counts of each tier, where an engine solved the game tier by tier. `checked` is the part of the classes of the table
    that has been checked, 1 for all; None if that is not known.
    """

    game: str
    value: int
    distance: int | None
    positions: int
    classes: int
    wins: int
    draws: int
    losses: int
    endless: int
    longest: int
    margin: int | None = None
    classes_by_side: int | None = None
    engine: str = ""
    seconds: float | None = None
    seconds_in_all: float | None = None
    table: str | None = None
    checked: float | None = None
    bits_per_class: float | None = field(default=None, repr=False)
    counts: Mapping[Entry, int] | None = field(default=None, repr=False)
    tiers: tuple[TierCount, ...] = field(default=(), repr=False)
    why: str | None = field(default=None, repr=False)
    """Why the table was not written."""

    @property
    def start(self) -> Entry:
        """The entry of the start."""
        return entry_of(self.value, self.distance, self.margin)

    def __str__(self) -> str:
        endless = (
            "" if not self.endless else "all endless" if self.endless == self.draws else f"{self.endless:,} endless"
        )
        start = entry_text(self.start)
        counts = f"{self.wins:,} won, {self.draws:,} drawn{endless and f' ({endless})'}, {self.losses:,} lost"
        return f"{self.game}: {start}; {self.positions:,} positions: {counts}"

    def trace(self) -> tuple[Iteration, ...]:
        """The iterations of the solve, if no table was written; `Table.trace` has those of a table."""
        if self.counts is None:
            raise BadArgument(f"this summary of {self.game} has no counts by distance; use table.trace()")
        return trace_of(self.counts)

    def to_dict(self) -> dict[str, object]:
        """The summary as `perfectplay solve` prints it in JSON."""
        counts = Fact("counts", "histogram", lambda counts: [*histogram(counts)])
        table = "table", Fact("checked", encode=mark_field), Fact("why", rare=True)
        return facts_in(
            self,
            *("game", Fact("start", encode=entry_fields, spread=True)),
            *("positions", "classes", "wins", "draws", "losses", "longest", Fact("classes_by_side", rare=True)),
            *each("seconds", "seconds_in_all", encode=digits(4), rare=True),
            *("engine", Fact("tiers", encode=lambda tiers: [one._asdict() for one in tiers], rare=True)),
            *(table if self.counts is None else [counts]),
        )

    def document(self) -> Document:
        """What the start is worth, how many positions have each value and distance, and how the game was solved."""
        return Document(
            Line(f"{self.game}: ", Valued(value_name(self.start), entry_text(self.start))),
            counts_table(self),
            *distance_parts(self.counts or {}),
            origin(self),
            Notes("" if self.why is None else f"the table {self.why}"),
        )


SHARED = ("value", "distance", "positions", "classes", "wins", "draws", "losses", "endless", "longest", "margin")
"""Fields of headers and of summaries."""


def summary_of(header: "Header", game: str) -> Summary:
    """The summary that a table's header gives."""
    return Summary(game=game, **{name: getattr(header, name) for name in SHARED})


def histogram(counts: Mapping[Entry, int]) -> Iterator[dict[str, object]]:
    """How many positions have each entry, as JSON has it."""
    for entry in sorted(counts, key=by_distance):
        yield {**entry_fields(entry), "positions": counts[entry]}


# A solved game as people read it.


def counts_table(found: Summary) -> Table:
    """How many positions there are, and how many of them are won, drawn and lost."""
    endless = f"{'all' if found.endless == found.draws else f'{found.endless:,}'} endless"
    rows: list[tuple[Cell, ...]] = [
        ("positions", f"{found.positions:,}", None, None, f"{found.classes:,} up to symmetry"),
    ]
    for kind, label, count, remark in (
        ("win", "won", found.wins, "for the side to move"),
        ("draw", "drawn", found.draws, endless if found.endless else ""),
        ("loss", "lost", found.losses, ""),
    ):
        share = count / max(1, found.positions)
        rows.append((Valued(kind, label), f"{count:,}", Share(share, kind, silent=True), f"{share:.1%}", remark))
    if found.margin is None:
        rows.append(("longest", f"{found.longest:,}", None, None, "plies to the end"))
    if found.classes_by_side is not None:
        apart = "positions up to symmetry, counted separately for each side to move"
        rows.append(("by side", f"{found.classes_by_side:,}", None, None, apart))
    return Table(rows)


def distance_parts(counts: Mapping[Entry, int]) -> tuple[Part, ...]:
    """How many positions are won, drawn and lost in so many plies, and never end; or have which margin."""
    if any(entry.margin is not None for entry in counts):
        rows = [(f"{entry.margin:+,}", f"{counts[entry]:,}") for entry in sorted(counts, key=by_distance)]
        return (Table(rows, ("points", "positions")),)
    columns: dict[int, tuple[int, int, int]] = {}
    for distance in sorted({entry.distance for entry in counts if entry.distance is not None}):
        won, drawn, lost = (counts.get(Entry(value, distance), 0) for value in (WIN, DRAW, LOSS))
        columns[distance] = (won, drawn, lost)
    rest = counts.get(Entry(DRAW, None), 0)
    return (*([Bars(columns)] if columns else ()), Notes(ending(rest) if rest else ""))


def origin(found: Summary) -> Notes:
    """How the game was solved, where its table is, and how much of that has been checked."""
    by = f"by the {found.engine} engine" if found.engine else ""
    if found.seconds is not None and found.seconds_in_all is not None:
        by = f"in {time_text(found.seconds)} {by}, {time_text(found.seconds_in_all)} in all"
    size = "" if found.bits_per_class is None else f"{found.bits_per_class:,.1f} bits per canonical position in "
    table = "" if found.table is None else f"{size}{found.table}"
    known = found.table is not None or found.checked is not None
    return Notes(
        "; ".join(part for part in (by and f"solved {by}", table) if part),
        mark_text(found.checked, found.classes) if known else "",
    )


def by_distance(entry: Entry) -> tuple[float, int]:
    """The order of entries in a list: the nearest first, endless draws last; the greatest margin first."""
    if entry.margin is not None:
        return -entry.margin, 0
    return (inf if entry.distance is None else entry.distance, -entry.value)


def entry_fields(entry: Entry) -> dict[str, object]:
    """An entry as JSON has it."""
    fields: dict[str, object] = {"value": value_name(entry), "distance": entry.distance}
    return fields if entry.margin is None else {**fields, "margin": entry.margin}
