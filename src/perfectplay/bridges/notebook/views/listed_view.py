"""The view of a list of records of one kind: a table with a row for each."""

from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import framed, more, table
from perfectplay.rules.notation import number_of
from perfectplay.views.charts import tag

MOST = 200
"""The records that are listed."""
Columns = dict[str, Callable[[Any], object]]

COLUMNS: dict[str, tuple[str, Columns]] = {
    "GameInfo": (
        "game",
        {
            "game": lambda one: tag("strong", one.name),
            "sizes": lambda one: one.sizes.replace(",", ", "),
            "also called": lambda one: ", ".join(one.aliases),
            "what it is": lambda one: one.summary,
            "with best play": lambda one: one.known,
        },
    ),
    "PlayerInfo": (
        "player",
        {
            "player": lambda one: tag("strong", one.usage or one.name),
            "what it does": lambda one: one.summary,
            "plays": lambda one: one.games,
        },
    ),
    "Kept": (
        "item",
        {
            "kind": lambda one: one.kind,
            "game": lambda one: one.game,
            "size in bytes": lambda one: f"{one.size:,}",
            "path": lambda one: one.path,
        },
    ),
}
"""For each class of records what one of them is called, and the columns."""


def listed_view(records: Sequence[Any]) -> Markup:
    """The records, a row each."""
    if not records:
        return framed("nothing")
    one, columns = COLUMNS[type(records[0]).__name__]
    rows = [[cell(record) for cell in columns.values()] for record in records[:MOST]]
    many = "item kept" if one == "item" else one
    title = number_of(len(records), many, "items kept" if one == "item" else "")
    return framed(title, table(tuple(columns), rows), more(len(records) - MOST, f"{one}s"))
