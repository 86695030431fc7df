"""Results: what a function returns and a command prints, with facts for programs and a document for people."""

from collections.abc import Callable
from typing import Any

from perfectplay.views.document import Document
from perfectplay.views.document_text import text
from perfectplay.views.facts import facts_document
from perfectplay.words import Brief


class ResultClass(Brief):
    """The class of classes of results: `to_dict()` has the facts as in JSON, `document()` is what people are shown.

    A class that defines `document()` has its text as `str()`, unless it has a text of its own; without one, people are
    shown the facts, name by name. Every result draws itself in a notebook.
    """

    def __new__(mcls, name: str, bases: tuple[type, ...], fields: dict[str, Any], **more: Any) -> "ResultClass":
        """The class, with what all results have."""
        if "document" in fields:
            fields.setdefault("__str__", lambda self: text(self.document()))
        elif not any(hasattr(base, "document") for base in bases):
            fields["document"] = facts_of
        fields.setdefault("_repr_html_", lambda self: notebook_html(self.document))
        return super().__new__(mcls, name, bases, fields, **more)

    def __dir__(cls) -> list[str]:
        return [name for name in super().__dir__() if name != "document"]  # all have it: told once, here


def facts_of(result: Any) -> Document:
    """The facts of a result by name, below its text if that is more than its fields."""
    brief = str(result)
    return facts_document(type(result).__name__, "" if brief == repr(result) else brief, result.to_dict())


def notebook_html(document: Callable[[], Document]) -> str | None:
    """The document that the function makes as HTML; None where it cannot be drawn, so that a notebook shows text."""
    from perfectplay.views.document_html import html  # markupsafe: only when it is wanted

    try:
        return html(document())
    except Exception:  # whatever a user's rules do: a drawing must never hide the result
        return None
