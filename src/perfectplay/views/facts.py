"""Any record as a table of its facts: the document of records that say no more."""

import re
from collections.abc import Mapping, Sequence

from perfectplay.views.document import Cell, Document, Line, Notes, Seen, Table, Valued, more

MOST_ROWS, MOST_ITEMS, MOST_LETTERS = 40, 12, 300
"""The rows, the items in a row and the letters of a text that are shown."""


def facts_document(name: str, brief: str, facts: Mapping[str, object]) -> Document:
    """The facts by name, below the name of their class as words and a brief text."""
    rows = [(name.replace("_", " "), fact_cell(fact)) for name, fact in facts.items() if fact not in (None, "", [], {})]
    return Document(
        re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize(),
        Notes(brief if len(brief) <= MOST_LETTERS else ""),
        Table(rows[:MOST_ROWS]),
        more(len(rows) - MOST_ROWS, "facts"),
    )


def report_document(name: str, lines: Sequence[str], facts: Mapping[str, object]) -> Document:
    """The lines of a report on files; for eyes with its facts by name."""
    seen = facts_document(name, "\n".join(lines), facts)
    return Document(seen.title, Seen(*seen.parts, told=Notes(*lines)), silent=True)


def fact_cell(fact: object) -> Cell:
    """A fact as people read it; of long ones the beginning, and how much more there is."""
    if isinstance(fact, Mapping):
        return beginning([Line(f"{str(name).replace('_', ' ')}: ", fact_cell(one)) for name, one in fact.items()])
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return beginning([fact_cell(one) for one in fact])
    text = fact_text(fact)
    return Valued(text, text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…")


def fact_text(fact: object) -> str:
    """A single fact as text."""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, int):
        return f"{fact:,}"
    return "–" if fact is None else f"{fact:.6g}" if isinstance(fact, float) else str(fact)


def beginning(items: list[Cell]) -> Line:
    """The first items, and how many more there are."""
    shown: list[Cell] = items[:MOST_ITEMS]
    if len(items) > MOST_ITEMS:
        shown.append(f"{len(items) - MOST_ITEMS:,} more")
    return Line(*[part for item in shown for part in (", ", item)][1:])
