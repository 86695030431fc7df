"""A sweep as small multiples: a map over the two sizes that vary most, for each choice of everything else."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, product
from typing import Any, NamedTuple

from perfectplay.insight.sweeps.heat_map import (
    BOUNDED,
    ESTIMATED,
    MISSING,
    PROVEN,
    RESULTS,
    HeatCell,
    Scale,
    heat_map,
    sample_svg,
    scale_of,
    scale_svg,
    width_for,
)
from perfectplay.insight.sweeps.measures import Row, Skipped, Swept
from perfectplay.insight.sweeps.sweep_words import (
    ESTIMATE,
    UNKNOWN,
    Column,
    cell_text,
    cell_words,
    column_of,
    estimate_in,
    family_text,
    number_in,
    number_text,
)

NOTHING = ""
"""How a cell is known where no variant is; else the `how` of its row, or "estimated" for an estimate."""
NOWHERE = "·"
"""The cell of a variant that is not there, as text."""
Size = int | bool | str


class Cell(NamedTuple):
    """A cell of a map: its variant, the printed text, the number or None, how it is known, and all of that in words.

    `mark` says how it is drawn.
    """

    game: str
    text: str
    number: float | None
    how: str
    words: str
    mark: str = MISSING


class SmallMultiple(NamedTuple):
    """A map over two sizes: its title, the name and the labels of both axes, and the cells row by row.

    An axis that nothing varies along has no name, and one label, which is empty.
    """

    title: str
    x: str
    columns: tuple[str, ...]
    y: str
    rows: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]


def maps(swept: Swept, name: str, axes: tuple[str, str] | None = None) -> list[SmallMultiple]:
    """The small multiples of a column, family by family; `axes` are the sizes across and down, if both are varied."""
    column = column_of(swept.measures, name)
    multiples: list[SmallMultiple] = []
    for family in dict.fromkeys(row.variant.family for row in swept.rows):
        rows = [row for row in swept.rows if row.variant.family == family]
        multiples += family_maps(rows, column, skipped_of(swept.skipped, family, rows[0].variant.sizes), axes)
    return multiples


def family_maps(
    rows: Sequence[Row], column: Column, skipped: dict[tuple[Size, ...], Skipped], axes: tuple[str, str] | None
) -> list[SmallMultiple]:
    """The small multiples of one family."""
    values = varying_sizes(rows)
    across, down = choose_axes(values, axes)
    others = [name for name in values if name not in (across, down)]
    others.sort(key=lambda name: not is_switch(values[name]))
    _, family, sizes = rows[0].variant
    names = tuple(sizes)
    by_sizes = {sizes_key(row.variant.sizes, names): row for row in rows}
    multiples = []
    for facet in product(*(values[name] for name in others)):
        fixed = {**sizes, **dict(zip(others, facet, strict=True))}
        cells = tuple(
            tuple(
                cell_at(sizes_key({**fixed, across: x, down: y}, names), by_sizes, skipped, column)
                for x in values.get(across, [""])
            )
            for y in values.get(down, [""])
        )
        if any(cell.how for line in cells for cell in line):
            title = map_title(family, others, facet)
            x_labels, y_labels = (tuple(map(size_text, values.get(name, [""]))) for name in (across, down))
            multiples.append(SmallMultiple(title, across, x_labels, down, y_labels, cells))
    return multiples


def varying_sizes(rows: Sequence[Row]) -> dict[str, list[Size]]:
    """The distinct values of each size that varies, in order."""
    names = rows[0].variant.sizes
    distinct = {name: {plain_size(row.variant.sizes.get(name)) for row in rows} for name in names}
    order = {name: sorted(sizes, key=lambda size: (isinstance(size, str), size)) for name, sizes in distinct.items()}
    return {name: sizes for name, sizes in order.items() if len(sizes) > 1}


def choose_axes(values: dict[str, list[Size]], axes: tuple[str, str] | None) -> tuple[str, str]:
    """The sizes across and down: these axes, or the two with most values; switches only if no number varies."""
    if axes is not None and {*axes} <= {*values} and axes[0] != axes[1]:
        return axes
    numbers = [name for name in values if not is_switch(values[name])] or [*values]
    most = sorted(numbers, key=lambda name: -len(values[name]))[:2]
    across, down = [*(name for name in numbers if name in most), "", ""][:2]
    return across, down


def cell_at(
    sizes: tuple[Size, ...],
    rows: dict[tuple[Size, ...], Row],
    skipped: dict[tuple[Size, ...], Skipped],
    column: Column,
) -> Cell:
    """The cell of the variant of these sizes, or an empty one that says why there is none."""
    row = rows.get(sizes)
    if row is None:
        one = skipped.get(sizes)
        return Cell("", "", None, NOTHING, f"{one.game}: {one.why}" if one else "no variant")
    game, how, text = row.variant.game, row.facts.how, cell_text(row, column, short=True)
    mark = MISSING if text == UNKNOWN else BOUNDED if column.form == "value" and row.facts.value is None else PROVEN
    if estimate_in(row, column) is not None:
        how = mark = ESTIMATED
    return Cell(game, text, number_in(row, column), how, f"{game}: {cell_words(row, column)}", mark)


def map_title(family: str, names: Sequence[str], values: Sequence[Size]) -> str:
    """The title of a map: lines, misere, k=3; switches that are off are left out, as in the names of games."""
    entries = [(name, value) for name, value in zip(names, values, strict=True) if value is not False]
    parts = (name if value is True else f"{name}={size_text(value)}" for name, value in entries)
    return ", ".join((family_text(family), *parts))


def skipped_of(skipped: Sequence[Skipped], family: str, sizes: Mapping[str, Any]) -> dict[tuple[Size, ...], Skipped]:
    """The family's skipped variants by their sizes, as far as these can be read from their names."""
    numbers = [name for name, value in sizes.items() if not isinstance(value, bool)]
    by_sizes: dict[tuple[Size, ...], Skipped] = {}
    for one in skipped:
        name, _, text = one.game.rpartition(":")
        pairs = re.findall(r"(?:(\w+)=)?(\w+)", text)
        plain_numbers = [value for keyword, value in pairs if not keyword]
        if name != family or len(plain_numbers) > len(numbers):
            continue
        by_name = dict(zip(numbers, plain_numbers, strict=False)) | {
            keyword: value for keyword, value in pairs if keyword
        }
        off = {name: "false" for name, value in sizes.items() if isinstance(value, bool)}
        texts = {**{name: size_text(plain_size(value)) for name, value in sizes.items()}, **off, **by_name}
        by_sizes[tuple(parse_size(texts.get(name, "")) for name in sizes)] = one
    return by_sizes


def parse_size(text: str) -> Size:
    """The size that the text means."""
    return {"true": True, "false": False}.get(text, int(text) if text.isdecimal() else text)


def sizes_key(sizes: Mapping[str, Any], names: Sequence[str]) -> tuple[Size, ...]:
    """The sizes in order, to find a variant by."""
    return tuple(plain_size(sizes.get(name)) for name in names)


def plain_size(value: Any) -> Size:
    """A size that can be compared: a list of numbers becomes text, 3,4,5."""
    return value if isinstance(value, int | str) else "" if value is None else ",".join(map(str, value))


def is_switch(values: Sequence[Size]) -> bool:
    """Whether a size is true or false."""
    return all(isinstance(value, bool) for value in values)


def size_text(value: Size) -> str:
    """A size as it stands in a name: 3, true."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# The maps of a sweep drawn: the same for its page and for documents.


class Key(NamedTuple):
    """An entry of a legend: a drawing, the words beside it, and the sign that stands for it as text."""

    drawing: str
    words: str
    sign: str = ""


class DrawnMaps(NamedTuple):
    """The maps of a column with their drawings, the scale of all of them, and the legend of what they contain.

    Maps in one line differ in one size or switch only, and belong beside each other.
    """

    column: Column
    scale: Scale
    lines: list[list[tuple[SmallMultiple, str]]]
    keys: list[Key]


def drawn_maps(
    swept: Swept, name: str, link: Callable[[str], str] | None = None, axes: tuple[str, str] | None = None
) -> DrawnMaps:
    """The small multiples of a column, all on one scale; a cell opens the link of its variant, if there is one."""
    column, multiples = column_of(swept.measures, name), maps(swept, name, axes)
    cells = [cell for one in multiples for line in one.cells for cell in line]
    numbers = [cell.number for cell in cells if cell.number is not None]
    scale = Scale(RESULTS) if column.form == "value" else scale_of(numbers, column.target)
    wide = width_for(HeatCell(cell.text) for cell in cells)
    beside = groupby(multiples, key=lambda one: one.title.rpartition(", ")[0])
    lines = [[(one, map_svg(one, scale, column, link, wide)) for one in line] for _, line in beside]
    return DrawnMaps(column, scale, lines, [*scale_keys(scale, numbers, column), *mark_keys(cells, scale)])


def map_svg(one: SmallMultiple, scale: Scale, column: Column, link: Callable[[str], str] | None, wide: float) -> str:
    """A map as SVG."""
    over = " and ".join(name for name in (one.x, one.y) if name)
    label = f"{column.label} of {one.title}{f' by {over}' if over else ''}"
    lines = [
        [
            HeatCell(cell.text, cell.number, cell.words, link(cell.game) if link and cell.game else "", cell.mark)
            for cell in line
        ]
        for line in one.cells
    ]
    return heat_map(one.columns, one.rows, lines, scale, one.x, one.y, label, wide)


def scale_keys(scale: Scale, numbers: list[float], column: Column) -> list[Key]:
    """The legend of the shades: an entry for each result, or one for the whole scale."""
    if column.form == "value":
        words = (("W", 1, "the first player wins"), ("D", 0, "draw"), ("L", -1, "the first player loses"))
        return [Key(sample_svg(HeatCell(letter, value), scale), text, letter) for letter, value, text in words]
    if not numbers:
        return []
    ends = [number_text(one, column.form, short=True) for one in (scale.low, scale.high)]
    about = f", with {number_text(column.target, column.form)} in the middle" if column.target is not None else ""
    return [Key(scale_svg(scale), f"{' to '.join(ends)}{about}{', logarithmic' if scale.logarithmic else ''}")]


def mark_keys(cells: list[Cell], scale: Scale) -> list[Key]:
    """The ways of drawing a cell that these cells need explained."""
    texts = {cell.text for cell in cells}
    marks = {cell.mark for cell in cells if cell.text}
    entries = (
        (
            any(text[1:2].isdigit() for text in texts) and scale.kind == RESULTS,
            "W5",
            PROVEN,
            "with the plies to the end",
        ),
        (any(text[1:2] in ("+", "−") for text in texts), "W+3", PROVEN, "with the margin in points"),
        (BOUNDED in marks, "D..W", BOUNDED, "bounds: the result is one of these, or between them"),
        (ESTIMATED in marks, ESTIMATE, ESTIMATED, "estimated from random games, not proven"),
        (MISSING in marks, UNKNOWN, MISSING, "unknown"),
        ("" in texts, "", MISSING, "no variant of these sizes"),
    )
    return [
        Key(sample_svg(HeatCell(text, mark=mark), scale), words, text or NOWHERE)
        for there, text, mark, words in entries
        if there
    ]
