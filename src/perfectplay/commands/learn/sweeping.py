"""Sweeps over variants of the rules: the truth about each, as rows for a DataFrame, as a file, or for people."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from perfectplay import __version__
from perfectplay.commands.kinds import enough
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.insight.sweeps.finding import VariantLimits
from perfectplay.insight.sweeps.heat_map import STYLE, Scale, ink_on, shade, shades
from perfectplay.insight.sweeps.measures import (
    ESTIMATED,
    FAILED,
    MEASURES,
    Row,
    Size,
    Swept,
    measures_named,
    table_of,
)
from perfectplay.insight.sweeps.sweep_maps import NOWHERE, Cell as MapCell, SmallMultiple, drawn_maps
from perfectplay.insight.sweeps.sweep_words import (
    ESTIMATE,
    HOWS,
    SECONDS,
    UNKNOWN,
    Column,
    cell_text,
    cell_words,
    columns_of,
    estimate_in,
    family_text,
    headline,
    number_text,
    reasons,
    result_words,
    sweep_remarks,
)
from perfectplay.insight.sweeps.sweeping import Event, Plan, in_order, plan_sweep, sweep_events
from perfectplay.processes.folders import PathLike, path_of
from perfectplay.rules.notation import number_of
from perfectplay.rules.outputs import CSV, HTML, JSON, PARQUET, FileKind, Output, output_by_ending
from perfectplay.solvers.engine import cores
from perfectplay.solvers.forecast import in_time
from perfectplay.solvers.steps import Step
from perfectplay.views.document import (
    Beside,
    Cell,
    Document,
    Drawing,
    Drawn,
    Folded,
    Hover,
    Line,
    List,
    Notes,
    Part,
    Seen,
    Strong,
    Table,
    Tinted,
    Valued,
)
from perfectplay.views.result import ResultClass
from perfectplay.words import BadArgument, require

MOST_ROWS, MOST_REASONS, MOST_MAPS, MOST_CELLS = 100, 8, 12, 600
"""The rows, the reasons, the maps and their cells that are shown; files have all."""
ESTIMATES = f"{ESTIMATE} is an estimate from random games: nothing is proven. Files have its 95% confidence interval."


class Sweep(list[dict[str, Any]], metaclass=ResultClass):
    """The variants of a sweep, a dictionary each, in the order in which they were asked for.

    All have the same keys: `game`, its sizes, `how` its value is known (solved, searched, bounds, estimated or
    failed), `value` for the first player, `distance`, `positions`, the columns of the measures, and `seconds`; and
    where any variant has them, `margin`, `bounds`, `estimates` and `why`. None stands for what is unknown.
    `skipped` has the variants that cannot be, and why. pandas.DataFrame and polars.DataFrame take it as it is.
    """

    def __init__(self, swept: Swept) -> None:
        columns = [column for measure in swept.measures for column in measure.columns]
        super().__init__(table_of(swept.rows, columns, [column for one in MEASURES for column in one.columns]))
        self.swept = swept
        self.skipped = {one.game: one.why for one in swept.skipped}

    def __repr__(self) -> str:
        return f"<Sweep: {headline(self.swept.rows)}>"

    def document(self) -> Document:
        """What stands out, the maps of the first measure, a row for each variant, and what is not solved, and why."""
        return sweep_document(self.swept)

    def to_dict(self) -> dict[str, Any]:
        """The rows, and the variants that cannot be."""
        return {"variants": list(self), "skipped": self.skipped}

    def to_html(self, axes: tuple[str, str] | None = None) -> str:
        """The report, one page that needs nothing else; `axes` are the sizes across and down the maps."""
        from perfectplay.exports.page.sweep_page import sweep_page  # jinja2: only when it is wanted

        return sweep_page(self.swept, axes)

    def to_csv(self) -> str:
        """The rows as CSV; the numbers of a list stand in one cell, apart by blanks."""
        sink = io.StringIO()
        writer = csv.writer(sink, lineterminator="\n")
        writer.writerow(self[0] if self else ())
        writer.writerows([csv_cell(value) for value in row.values()] for row in self)
        return sink.getvalue()

    def to_json(self) -> str:
        """The rows as JSON, as `perfectplay sweep --json` prints them."""
        return json.dumps(list(self))

    def to_parquet(self) -> bytes:
        """The rows as a Parquet file."""
        arrow, parquet = require("pyarrow", "parquet", "a Parquet file"), require("pyarrow.parquet", "parquet", "it")
        sink = io.BytesIO()
        rows = [{**row, "estimates": json.dumps(row["estimates"])} if row.get("estimates") else row for row in self]
        table = arrow.Table.from_pylist(rows).replace_schema_metadata({"perfectplay": __version__})
        parquet.write_table(table, sink, compression="zstd")
        return sink.getvalue()

    def save(self, path: PathLike, axes: tuple[str, str] | None = None, *, force: bool = False) -> None:
        """Writes the file, in the format that its name ends in: .csv, .json, .parquet or .html.

        A file that perfectplay did not write is only replaced with force=True.
        """
        target = output_of_sweep(path, force)
        target.write(FORMATS[target.kind](self, axes))


def csv_cell(value: object) -> object:
    """The value as it stands in a cell of CSV: switches as in names, lists apart by blanks."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return json.dumps(value) if isinstance(value, dict) else value


FORMATS: dict[FileKind, Callable[[Sweep, tuple[str, str] | None], bytes]] = {
    CSV: lambda sweep, axes: sweep.to_csv().encode(),
    JSON: lambda sweep, axes: (sweep.to_json() + "\n").encode(),
    PARQUET: lambda sweep, axes: sweep.to_parquet(),
    HTML: lambda sweep, axes: sweep.to_html(axes).encode(),
}
"""What the kinds of files have."""


def output_of_sweep(path: PathLike, force: bool = False) -> Output:
    """The file to write; raises BadArgument before any work if that cannot be."""
    target = output_by_ending(path, [*FORMATS], force)
    if target.kind == PARQUET:
        require("pyarrow", "parquet", "a Parquet file")
    return target


def plan_of(
    variants: Sequence[str | os.PathLike[str]],
    measures: Sequence[str],
    seconds: float,
    memory: int | str | None,
    jobs: int | None,
    resume: bool,
) -> Plan:
    """What is to be done; raises BadArgument or BadGame for what cannot be."""
    if not isinstance(measures, list | tuple) or not all(isinstance(name, str) for name in measures):
        raise BadArgument(f'measures={measures!r} is not a list of names, such as ["fairness", "depth"]')
    if not variants:
        raise BadArgument("no variants are asked for; give a text such as 'lines:3..5,3..5,3'")
    if isinstance(variants[0], list | tuple):
        raise BadArgument("give the texts one after another, not as a list: sweep('lines:3..4,3,3', 'nim:1..3')")
    asked = [path_of("variants", one) for one in variants]
    found, used = measures_named(measures), jobs or cores()
    limit = None if memory is None else enough(memory)
    return plan_sweep(asked, found, VariantLimits(float(seconds), limit, max(1, cores() // used), resume, used))


def check_axes(plan: Plan, axes: tuple[str, str] | None) -> None:
    """Raises BadArgument unless both are sizes of a family that is swept."""
    families: dict[str, list[dict[str, Size]]] = {}
    for variant, _ in plan.variants:
        families.setdefault(variant.family, []).append(variant.sizes)
    there = dict.fromkeys(name for sizes in families.values() for name in sizes[0])
    varied = [name for name in there if any(len({one.get(name) for one in sizes}) > 1 for sizes in families.values())]
    for axis in axes or ():
        if axis not in there:
            raise BadArgument(f"no size is called {axis!r}; there are {', '.join(there) or 'none'}")
        if axis not in varied:
            raise BadArgument(f"{axis} is the same for all variants; these sizes differ: {', '.join(varied) or 'none'}")


def sweep_into(rows: list[Row], plan: Plan, progress: Progress | None) -> None:
    """Does what is planned; the list has the rows so far, in the order in which they were asked for."""
    found: list[Row] = []
    for event in sweep_events(plan):
        if event.row is not None:
            found.append(event.row)
        rows[:] = in_order(plan, found)
        if progress is not None:
            progress(step_of(plan, event, len(found)))


def step_of(plan: Plan, event: Event, done: int) -> Step:
    """The event as progress: how many variants are done, a line about the one that is, and what is going on."""
    line = row_line(event.row) if event.row is not None and event.fresh else ""
    note = "\n".join(text for text in (line, event.warning) if text)
    left = f"about {in_time(event.seconds_left)} left" if event.seconds_left > 0 else ""
    return Step(
        "sweeping",
        done,
        len(plan.variants),
        note=note,
        detail="; ".join(text for text in (left, event.running) if text),
    )


def row_line(row: Row) -> str:
    """What came out of a variant, in a line."""
    facts = row.facts
    if facts.how == FAILED:
        return f"{row.variant.game}: failed: {facts.why}"
    if facts.how == ESTIMATED:
        text = "nothing proven, random games played"
    else:
        text = f"{result_words(row)} ({HOWS[facts.how][1]})"
    positions = "" if facts.positions is None else f", {number_of(facts.positions, 'position')}"
    why = f"; {facts.why}" if facts.why else ""
    return f"{row.variant.game}: {text}{positions}, {number_text(facts.seconds, 'seconds')}{why}"


def sweep_of(plan: Plan, rows: Sequence[Row]) -> Sweep:
    """The result, with these rows."""
    return Sweep(Swept(plan.texts, rows, plan.skipped, plan.measures))


# A sweep as a document: what stands out, the maps of one column, a row for each variant, and what is not solved.


def sweep_document(swept: Swept, column: str | None = None, axes: tuple[str, str] | None = None) -> Document:
    """The sweep with maps of this column, or of the first; `axes` are the sizes across and down."""
    columns = columns_of(swept)
    mapped = column if column in [one.name for one in columns] else columns[0].name if columns else None
    told = [reason_text(*one) for one in reasons(swept)]
    why = "Not solved or skipped, and why" if swept.skipped else "Not solved, and why"
    return Document(
        headline(swept.rows),
        Notes(*sweep_remarks(swept)),
        *(() if mapped is None else map_parts(swept, mapped, axes)),
        variants(swept.rows[:MOST_ROWS], columns),
        rest(len(swept.rows) - MOST_ROWS, "variant", "a file"),
        Notes(ESTIMATES if any(estimate_in(row, one) for row in swept.rows for one in columns) else ""),
        Folded(why, List(told[:MOST_REASONS]), rest(len(told) - MOST_REASONS, "reason")),
    )


def variants(rows: Sequence[Row], columns: Sequence[Column]) -> Table:
    """A row for each variant: its result, how it is known and in which time, and its numbers."""
    numbers = [one for one in columns if one.form not in ("value", SECONDS)]
    return Table(
        [
            (
                row.variant.game,
                Valued(row.facts.value, result_words(row) if row.facts.value or row.facts.bounds else UNKNOWN),
                Hover(" ".join(HOWS[row.facts.how][:2]), number_text(row.facts.seconds, SECONDS)),
                *(number_cell(row, one) for one in numbers),
            )
            for row in rows
        ],
        ("variant", "result", "known", *(one.label for one in numbers)),
    )


def number_cell(row: Row, column: Column) -> Cell:
    """The number of a variant in a column; of an estimate also its interval."""
    text = cell_text(row, column)
    return Hover(text, cell_words(row, column)) if estimate_in(row, column) else text


def reason_text(what: str, why: str, games: Sequence[str]) -> str:
    """Why variants are not known completely, or cannot be."""
    others = f" and {number_of(len(games) - 1, 'other')}" if len(games) > 1 else ""
    return f"{what}: {family_text(games[0])}{others}: {why}"


def map_parts(swept: Swept, column: str, axes: tuple[str, str] | None) -> Iterator[Part]:
    """The maps of a column with their legend, as many as there is room for; a single cell is no map."""
    drawn = drawn_maps(swept, column, axes=axes)
    found = [(one, svg) for line in drawn.lines for one, svg in line if len(one.columns) > 1]
    if not found:
        return
    cells = accumulate(len(one.rows) * len(one.columns) for one, _ in found)
    kept = found[: min(MOST_MAPS, max(1, sum(count <= MOST_CELLS for count in cells)))]
    signs = [(Drawn(key.drawing, key.sign), f" {key.words}") for key in drawn.keys if key.sign]
    yield Notes(
        f"{drawn.column.label.capitalize()}: {drawn.column.sentence}",
        Line(*[part for sign in signs for part in ("; ", *sign)][1:]) if signs else None,
    )
    yield Seen(
        Drawing(f"<style>{STYLE}.ppv{{--pp-heat-paper:var(--ppv-paper)}}</style>", ""),
        Notes(*(Line(Drawn(key.drawing), f" {key.words}") for key in drawn.keys if not key.sign)),
    )
    for line in drawn.lines:
        if beside := [pair for pair in line if pair in kept]:
            yield Beside(*(Drawing(svg, map_table(one, drawn.scale), map_title(one)) for one, svg in beside))
    yield rest(len(found) - len(kept), "map")


def rest(count: int, what: str, where: str = "a report (.html)") -> Notes:
    """How many more there are than are shown, and where; nothing if there are none."""
    return Notes(f"{number_of(count, f'more {what}')}: {where} has them all" if count > 0 else "")


def map_title(one: SmallMultiple) -> Strong:
    """The title of a map, with its axes."""
    axes = " by ".join(axis for axis in (one.y, one.x) if axis)
    return Strong(f"{one.title}: {axes}" if axes else one.title)


def map_table(one: SmallMultiple, scale: Scale) -> Table:
    """A map as a table, its cells in the colours of the scale."""
    wide = max(len(text) for text in [*one.columns, *(cell.text or NOWHERE for line in one.cells for cell in line)]) + 2
    heads = "".join(text.center(wide) for text in one.columns)
    rows = zip(one.rows, one.cells, strict=True)
    return Table([(label, Line(*(map_cell(cell, scale, wide) for cell in line))) for label, line in rows], ("", heads))


def map_cell(cell: MapCell, scale: Scale, wide: int) -> Cell:
    """A cell of a map, so wide."""
    text = (cell.text or NOWHERE).center(wide)
    if cell.number is None:
        return text
    colour = shades()[shade(scale, cell.number)][0]
    return Tinted(text, ink_on(colour), colour)
