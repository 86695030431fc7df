"""A sweep as a document: what stands out, the maps of one column, a row for each variant, and what is not solved."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from perfectplay.insight.sweeps.heat_map import STYLE, Scale, ink_on, shade, shades
from perfectplay.insight.sweeps.measures import Row, Swept
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
from perfectplay.rules.notation import number_of
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

MOST_ROWS, MOST_REASONS, MOST_MAPS, MOST_CELLS = 100, 8, 12, 600
"""The rows, the reasons, the maps and their cells that are shown; files have all."""
ESTIMATED = f"{ESTIMATE} is an estimate from random games: nothing is proven. Files have its 95% confidence interval."


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
        Notes(ESTIMATED if any(estimate_in(row, one) for row in swept.rows for one in columns) else ""),
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
