"""The maps of a sweep drawn: the same for its page and for notebooks."""

from collections.abc import Callable
from itertools import groupby
from typing import NamedTuple

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
from perfectplay.insight.sweeps.sweep_maps import Cell, SmallMultiple, maps
from perfectplay.insight.sweeps.sweep_words import ESTIMATE, UNKNOWN, Column, Facts, column_of, number_text


class Key(NamedTuple):
    """An entry of a legend: a drawing, and the words beside it."""

    drawing: str
    words: str


class DrawnMaps(NamedTuple):
    """The maps of a column: the column, the title and the drawing of each, and the legend of what they contain.

    Maps in one line differ in one size or switch only, and belong beside each other.
    """

    column: Column
    lines: list[list[tuple[str, str]]]
    keys: list[Key]


def drawn_maps(
    facts: Facts, name: str, link: Callable[[str], str] | None = None, axes: tuple[str, str] | None = None
) -> DrawnMaps:
    """The small multiples of a column, all on one scale; a cell opens the link of its variant, if there is one."""
    column, multiples = column_of(facts, name), maps(facts, name, axes)
    cells = [cell for one in multiples for line in one.cells for cell in line]
    numbers = [cell.number for cell in cells if cell.number is not None]
    scale = Scale(RESULTS) if column.form == "value" else scale_of(numbers, column.target)
    wide = width_for(HeatCell(cell.text) for cell in cells)
    beside = groupby(multiples, key=lambda one: one.title.rpartition(", ")[0])
    lines = [[(one.title, map_svg(one, scale, column, link, wide)) for one in line] for _, line in beside]
    return DrawnMaps(column, lines, [*scale_keys(scale, numbers, column), *mark_keys(cells, scale)])


def map_svg(one: SmallMultiple, scale: Scale, column: Column, link: Callable[[str], str] | None, wide: float) -> str:
    """A map as SVG."""
    over = " and ".join(name for name in (one.x, one.y) if name)
    label = f"{column.label} of {one.title}{f' by {over}' if over else ''}"
    lines = [[heat_cell(cell, link) for cell in line] for line in one.cells]
    return heat_map(one.columns, one.rows, lines, scale, one.x, one.y, label, wide)


def heat_cell(cell: Cell, link: Callable[[str], str] | None) -> HeatCell:
    """The cell as it is drawn."""
    address = link(cell.game) if link is not None and cell.game else ""
    return HeatCell(cell.text, cell.number, cell.words, address, mark_of(cell.text))


def mark_of(text: str) -> str:
    """How a cell of this text is drawn."""
    if text in ("", UNKNOWN):
        return MISSING
    return ESTIMATED if text.startswith(ESTIMATE) else BOUNDED if ".." in text else PROVEN


def scale_keys(scale: Scale, numbers: list[float], column: Column) -> list[Key]:
    """The legend of the shades: an entry for each result, or one for the whole scale."""
    if column.form == "value":
        words = (("W", 1, "the first player wins"), ("D", 0, "draw"), ("L", -1, "the first player loses"))
        return [Key(sample_svg(HeatCell(letter, value), scale), text) for letter, value, text in words]
    if not numbers:
        return []
    ends = [number_text(one, column.form, short=True) for one in (scale.low, scale.high)]
    about = f", with {number_text(column.target, column.form)} in the middle" if column.target is not None else ""
    return [Key(scale_svg(scale), f"{' to '.join(ends)}{about}{', logarithmic' if scale.logarithmic else ''}")]


def mark_keys(cells: list[Cell], scale: Scale) -> list[Key]:
    """The ways of drawing a cell that these cells need explained."""
    texts = {cell.text for cell in cells}
    marks = {mark_of(text) for text in texts if text}
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
    return [Key(sample_svg(HeatCell(text, mark=mark), scale), words) for there, text, mark, words in entries if there]
