"""A sweep in the terminal: what stands out, a table, and the maps of one column, in colours where there are any."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from perfectplay.commands.terminal.streams import can_print
from perfectplay.insight.sweeps.heat_map import RESULTS, Scale, ink_on, scale_of, shade, shades
from perfectplay.insight.sweeps.sweep_maps import SmallMultiple, maps
from perfectplay.insight.sweeps.sweep_words import (
    HOWS,
    UNKNOWN,
    Column,
    cell_text,
    column_of,
    columns_of,
    family_text,
    headline,
    reasons,
    sweep_remarks,
)
from perfectplay.rules.notation import number_of

MOST_ROWS, MOST_REASONS, MOST_MAPS = 100, 8, 12
"""The rows, reasons and maps that are printed; files have all."""
GAP = "  "
MISSING = "·"
"""The cell of a variant that is not there."""
SIGNS = {MISSING: "no such variant", UNKNOWN: "unknown"}
PLAIN = str.maketrans({"●": "*", "◐": "+", "↔": "~", "≈": "~", "✕": "x", "–": "-", "−": "-", "·": "."})
"""What stands for these signs where a terminal knows only ASCII."""


def draw_sweep(console: Console, facts: dict[str, Any], column: str, axes: tuple[str, str] | None) -> None:
    """Prints the sweep."""
    put(console, Text(f"{headline(facts)}.", style="bold"))
    for remark in sweep_remarks(facts):
        put(console, Text(remark))
    console.print()
    for line in table_lines(facts):
        put(console, line)
    for line in reason_lines(facts):
        put(console, line)
    shown = column_of(facts, column)
    found = [one for one in maps(facts, column, axes) if len(one.columns) > 1]
    numbers = [cell.number for one in found for line in one.cells for cell in line if cell.number is not None]
    scale = Scale(RESULTS) if shown.form == "value" else scale_of(numbers, shown.target)
    for one in found[:MOST_MAPS]:
        console.print()
        for line in map_lines(one, shown, scale):
            put(console, line)
    printed = {cell.text or MISSING for one in found[:MOST_MAPS] for line in one.cells for cell in line}
    signs = [f"{sign} {means}" for sign, means in SIGNS.items() if sign in printed]
    if signs:
        put(console, Text("\n" + "; ".join(signs)))
    if len(found) > MOST_MAPS:
        put(console, Text(f"\n{number_of(len(found) - MOST_MAPS, 'more map')}: a report (.html) has them all"))


def put(console: Console, line: Text) -> None:
    """Prints the line: in ASCII where the terminal knows no more, without blanks at its end where it has no colours."""
    if console.color_system is None:
        line.rstrip()
    if not can_print(line.plain):
        spans, line = line.spans, Text(line.plain.translate(PLAIN), style=line.style)
        line.spans = spans
    console.print(line, soft_wrap=True)


def table_lines(facts: dict[str, Any]) -> Iterator[Text]:
    """A line for each variant, with the first column of each measure."""
    asked = [column_of(facts, name) for name in ("value", "positions", *(one["name"] for one in facts["measures"]))]
    estimated = [one for one in columns_of(facts) if one not in asked and one.name != "seconds"]
    columns = [*asked, *estimated]
    rows = facts["rows"][:MOST_ROWS]
    cells = [[row["game"], HOWS[row["how"]][1], *(cell_text(row, column) for column in columns)] for row in rows]
    heads = ["variant", "known", *(column.label for column in columns)]
    widths = [max(len(line[place]) for line in [heads, *cells]) for place in range(len(heads))]
    yield Text(aligned(heads, widths), style="bold")
    for line in cells:
        yield Text(aligned(line, widths))
    if estimated:
        yield Text("≈ is an estimate from random games: nothing is proven. Files have its 95% confidence interval.")
    if len(facts["rows"]) > MOST_ROWS:
        yield Text(f"{number_of(len(facts['rows']) - MOST_ROWS, 'more variant')}: a file has them all")


def reason_lines(facts: dict[str, Any]) -> Iterator[Text]:
    """A line for each reason why variants were skipped, failed or are not known completely."""
    found = reasons(facts)
    if found:
        yield Text()
    for what, why, games in found[:MOST_REASONS]:
        others = f" and {number_of(len(games) - 1, 'other')}" if len(games) > 1 else ""
        yield Text(f"{what}: {family_text(games[0])}{others}: {why}")
    if len(found) > MOST_REASONS:
        yield Text(f"{number_of(len(found) - MOST_REASONS, 'more reason')}: a report (.html) has them all")


def aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The cells side by side: two to the left, the numbers to the right."""
    texts = [
        cell.ljust(wide) if i < 2 else cell.rjust(wide)
        for i, (cell, wide) in enumerate(zip(cells, widths, strict=True))
    ]
    return GAP.join(texts).rstrip()


def map_lines(one: SmallMultiple, column: Column, scale: Scale) -> Iterator[Text]:
    """A map: its title, its columns, and its rows with a coloured cell for each variant."""
    axes = " by ".join(axis for axis in (one.y, one.x) if axis)
    yield Text(f"{column.label}, {one.title}: {axes}" if axes else f"{column.label}, {one.title}", style="bold")
    wide = max(len(text) for text in [*one.columns, *(cell.text or MISSING for line in one.cells for cell in line)]) + 2
    margin = max(map(len, one.rows))
    yield Text(" " * (margin + 1) + "".join(text.center(wide) for text in one.columns).rstrip())
    for label, line in zip(one.rows, one.cells, strict=True):
        found = Text(label.rjust(margin) + " ")
        for cell in line:
            text = (cell.text or MISSING).center(wide)
            colour = None if cell.number is None else shades()[shade(scale, cell.number)][0]
            found.append(text, style="" if colour is None else f"{ink_on(colour)} on {colour}")
        yield found
