"""Views: every result draws itself in a notebook, as HTML that needs no script and keeps its look when exported."""

from collections.abc import Callable
from typing import Any

from perfectplay.commands.play.match import Match
from perfectplay.game import Game
from perfectplay.views.document_html import html
from perfectplay.views.facts import facts_document
from perfectplay.views.game_document import game_document
from perfectplay.views.result import Record

VIEWS: dict[str, Callable[[Any], str]] = {}
"""How records are drawn, by the names of their classes; others are a table of their facts."""


def view_of(record: object) -> str:
    """The record as HTML."""
    known = (VIEWS[kind.__name__] for kind in type(record).__mro__ if kind.__name__ in VIEWS)
    if isinstance(record, Game):
        return html(game_document(record))
    if isinstance(record, Record | Match):
        return html(record.document())
    return str(next(known, lambda one: html(facts_document(type(one).__name__, "", one.to_dict())))(record))


def drawn(record: object) -> str | None:
    """The same, or None if it cannot be drawn, so that a notebook shows the text instead."""
    try:
        return view_of(record)
    except Exception:  # whatever a user's rules do: a drawing must never hide the result
        return None
