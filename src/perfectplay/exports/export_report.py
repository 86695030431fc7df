"""The report on a file that was written."""

from typing import NamedTuple


class Report(NamedTuple):
    """Lines for a person, and the same as facts for a script."""

    lines: list[str]
    facts: dict[str, object]
