"""Results: what a function returns and a command prints, with its facts for programs and its document for people."""

from collections.abc import Callable
from typing import Any

from perfectplay.views.document import Document
from perfectplay.views.document_text import text
from perfectplay.views.facts import facts_document
from perfectplay.words import Brief


def notebook_html(document: Callable[[], Document]) -> str | None:
    """The document that the function makes as HTML; None where it cannot be drawn, so that a notebook shows text."""
    from perfectplay.views.document_html import html  # markupsafe: only when it is wanted

    try:
        return html(document())
    except Exception:  # whatever a user's rules do: a drawing must never hide the result
        return None


class Record(metaclass=Brief):
    """A result with facts: `to_dict()` has them as JSON has them, `document()` is what it shows people."""

    _told_once = ("document",)

    def to_dict(self) -> dict[str, Any]:
        """The facts as in JSON."""
        raise NotImplementedError

    def document(self) -> Document:
        """What it shows: its facts by name, unless it says more."""
        brief = str(self)
        return facts_document(type(self).__name__, "" if brief == repr(self) else brief, self.to_dict())

    def _repr_html_(self) -> str | None:
        return notebook_html(self.document)


class Result(Record):
    """A record whose text is its document."""

    def document(self) -> Document:
        """What it shows, as text, in a notebook and as a page."""
        raise NotImplementedError

    def __str__(self) -> str:
        return text(self.document())
