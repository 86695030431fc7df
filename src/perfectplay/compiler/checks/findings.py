"""The findings of checks of the rules."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from perfectplay.compiler.checks.sample_positions import Met
from perfectplay.game import Game


class Finding(NamedTuple):
    """The result of a check: its status is ok, skipped, note or fault; the line says what to know or to repair."""

    status: str
    line: str | None = None


Check = Callable[[Game, Sequence[Met]], str | Finding | None]
"""Takes positions from play; returns one line on the first fault, None if there is none, SKIPPED, or a Finding."""

SKIPPED = "skipped"
"""The result of a check that does not apply to the game."""


def note(line: str | None) -> Finding | None:
    """A note with this line, if there is one: it is allowed but worth knowing."""
    return None if line is None else Finding("note", line)
