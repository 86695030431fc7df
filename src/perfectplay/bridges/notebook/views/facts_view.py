"""Any result as a table of its facts: the view of records that have no picture of their own."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import framed, joined, more, note, table, valued

MOST_ROWS, MOST_ITEMS, MOST_LETTERS = 40, 12, 300
"""The rows, the items in a row and the letters of a text that are shown."""


def facts_view(record: Any) -> Markup:
    """The record's facts, name by name."""
    facts: dict[str, object] = record.to_dict()
    rows = [(name.replace("_", " "), shown(fact)) for name, fact in facts.items() if fact not in (None, "", [], {})]
    said = str(record)
    brief = "" if said == repr(record) or len(said) > MOST_LETTERS else said
    title = words_of(type(record).__name__)
    return framed(title, note(brief), table(("", ""), rows[:MOST_ROWS]), more(len(rows) - MOST_ROWS, "facts"))


def words_of(name: str) -> str:
    """The name of a class as words: Lost game."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()


def shown(fact: object) -> Markup:
    """A fact as people read it; of long ones the beginning, and how much more there is."""
    if isinstance(fact, Mapping):
        return cut([joined((str(name).replace("_", " "), ": ", shown(one))) for name, one in fact.items()])
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return cut([shown(one) for one in fact])
    text = plain(fact)
    return valued(text, text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…")


def plain(fact: object) -> str:
    """A single fact as text."""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, int):
        return f"{fact:,}"
    return "–" if fact is None else f"{fact:.6g}" if isinstance(fact, float) else str(fact)


def cut(items: list[Markup]) -> Markup:
    """The first items, and how many more there are."""
    rest = [f"{len(items) - MOST_ITEMS:,} more"] if len(items) > MOST_ITEMS else []
    return Markup(", ").join([*items[:MOST_ITEMS], *rest])
