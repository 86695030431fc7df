"""Results: what a function returns and a command prints, with its facts for programs and its document for people."""

from typing import Any

from perfectplay.views.document import Document
from perfectplay.views.document_text import text
from perfectplay.views.facts import facts_document
from perfectplay.words import Brief


class Record(metaclass=Brief):
    """A result with facts: `to_dict()` has them as JSON has them, `document()` is what it shows people."""

    def to_dict(self) -> dict[str, Any]:
        """The facts as in JSON."""
        raise NotImplementedError

    def document(self) -> Document:
        """What it shows: its facts by name, unless it says more."""
        brief = str(self)
        return facts_document(type(self).__name__, "" if brief == repr(self) else brief, self.to_dict())

    def _repr_html_(self) -> str | None:
        from perfectplay.views.document_html import html  # markupsafe: only when it is wanted

        try:
            return html(self.document())
        except Exception:  # whatever a user's rules do: a drawing must never hide the result
            return None


class Result(Record):
    """A record whose text is its document."""

    def document(self) -> Document:
        """What it shows, as text, in a notebook and as a page."""
        raise NotImplementedError

    def __str__(self) -> str:
        return text(self.document())
