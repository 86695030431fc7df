"""The view of a sweep: the headline, what stands out, the maps of the first measure, and a table of the variants."""

from typing import Any, Protocol

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import folded, framed, listed, more, note, notes, table, valued
from perfectplay.insight.sweeps.heat_map import STYLE
from perfectplay.insight.sweeps.sweep_maps import DrawnMaps, drawn_maps
from perfectplay.insight.sweeps.sweep_words import (
    HOWS,
    UNKNOWN,
    Column,
    Facts,
    cell_text,
    columns_of,
    headline,
    reasons,
    result_words,
    sweep_remarks,
)
from perfectplay.views.charts import tag

MOST_ROWS, MOST_MAPS, MOST_CELLS = 40, 12, 240
"""The rows of the table, and the maps and their cells that are drawn."""


class Swept(Protocol):
    """A sweep, which gives its facts as plain values."""

    def facts(self) -> dict[str, Any]:
        """The sweep as `--json` prints it."""


def sweep_view(sweep: Swept) -> Markup:
    """The whole sweep."""
    facts = sweep.facts()
    columns = columns_of(facts)
    told = [
        f"{what}: {why} ({', '.join(games[:3])}{', …' if games[3:] else ''})" for what, why, games in reasons(facts)
    ]
    return framed(
        headline(facts),
        notes(sweep_remarks(facts)),
        maps_of(drawn_maps(facts, columns[0].name)) if columns else "",
        variants(facts["rows"][:MOST_ROWS], columns),
        more(len(facts["rows"]) - MOST_ROWS, "variants"),
        folded("What is not solved, and why", listed(told)) if told else "",
    )


def maps_of(drawn: DrawnMaps) -> Markup:
    """The maps of a column with their legend, as many as a notebook should keep."""
    figures: list[list[Markup]] = []
    left, cells = 0, 0
    for line in drawn.lines:
        figures.append([])
        for title, drawing in line:
            cells += drawing.count("<rect")
            if sum(map(len, figures)) < MOST_MAPS and (cells <= MOST_CELLS or not figures[0]):
                figures[-1].append(tag("div", tag("p", tag("strong", title)), Markup(drawing)))
            else:
                left += 1
    keys = [
        tag("span", Markup(key.drawing), key.words, style="display:inline-flex;align-items:center;gap:6px")
        for key in drawn.keys
    ]
    return tag(
        "div",
        Markup("<style>{}</style>").format(Markup(STYLE)),
        note(f"{drawn.column.label.capitalize()}: {drawn.column.sentence}"),
        tag("div", *keys, class_="ppv-boards ppv-q", style="align-items:center"),
        *(tag("div", *line, class_="ppv-boards") for line in figures if line),
        more(left, "map" if left == 1 else "maps"),
        style="--pp-heat-paper:var(--ppv-paper)",
    )


def variants(rows: list[Facts], columns: list[Column]) -> Markup:
    """The table of these variants."""
    shown = [one for one in columns if one.form != "value"]
    return table(
        ("variant", "result", "known", *(one.label for one in shown)),
        (
            (
                row["game"],
                valued(row["value"], result_words(row) if row["value"] or row["bounds"] else UNKNOWN),
                " ".join(HOWS[row["how"]][:2]),
                *(cell_text(row, one) for one in shown),
            )
            for row in rows
        ),
    )
