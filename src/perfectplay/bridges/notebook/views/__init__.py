"""Views: every result draws itself in a notebook, as HTML that needs no script and keeps its look when exported."""

from collections.abc import Callable
from typing import Any

from perfectplay.bridges.notebook.views.analysis_views import analysis_view, explanation_view
from perfectplay.bridges.notebook.views.certificate_views import certificate_view, class_view, rules_view
from perfectplay.bridges.notebook.views.comparison_views import comparison_view, cyclic_view
from perfectplay.bridges.notebook.views.game_views import game_view, match_view
from perfectplay.bridges.notebook.views.listed_view import listed_view
from perfectplay.bridges.notebook.views.puzzle_views import puzzle_set_view, puzzle_view
from perfectplay.bridges.notebook.views.review_view import review_view
from perfectplay.bridges.notebook.views.standings_view import standings_view
from perfectplay.views.document import Record
from perfectplay.views.document_html import html
from perfectplay.views.facts import facts_document

VIEWS: dict[str, Callable[[Any], str]] = {
    "Analysis": analysis_view,
    "Certificate": certificate_view,
    "ClassReport": class_view,
    "Comparison": comparison_view,
    "CyclicComparison": cyclic_view,
    "Explanation": explanation_view,
    "Game": game_view,
    "Listed": listed_view,
    "Match": match_view,
    "Puzzle": puzzle_view,
    "PuzzleSet": puzzle_set_view,
    "Review": review_view,
    "RulesReport": rules_view,
    "Standings": standings_view,
}
"""How records are drawn, by the names of their classes; others are a table of their facts."""


def view_of(record: object) -> str:
    """The record as HTML."""
    known = (VIEWS[kind.__name__] for kind in type(record).__mro__ if kind.__name__ in VIEWS)
    if isinstance(record, Record):
        return html(record.document())
    return str(next(known, lambda one: html(facts_document(one)))(record))


def drawn(record: object) -> str | None:
    """The same, or None if it cannot be drawn, so that a notebook shows the text instead."""
    try:
        return view_of(record)
    except Exception:  # whatever a user's rules do: a drawing must never hide the result
        return None
