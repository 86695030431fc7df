"""What is found out about a variant, and how it becomes a row of a table."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

SOLVED, SEARCHED, BOUNDS, ESTIMATED, FAILED = HOWS = ("solved", "searched", "bounds", "estimated", "failed")
"""How a variant's value is known, the best first: every position solved; the start proven by search; bounds proven by
search; nothing proven, and random games played; nothing at all, and `why` says why."""

Cell = str | int | float | bool | list[float] | None
"""What a row has in a column; None where it is unknown."""


class Estimate(NamedTuple):
    """An estimate from random games, with its 95% confidence interval."""

    value: float
    low: float
    high: float


class Variant(NamedTuple):
    """A variant of a family: its name as `load` takes it, and its sizes and switches by name."""

    game: str
    family: str
    sizes: dict[str, int | bool]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known of a variant; whatever stands in `measures` is proven, by columns, and estimates stand apart.

    `least` and `most` bound the value where only that is known. `why` says why it failed, or why it was not solved.
    """

    how: str
    value: str | None = None
    distance: int | None = None
    margin: int | None = None
    positions: int | None = None
    least: str | None = None
    most: str | None = None
    measures: dict[str, Cell] = field(default_factory=dict)
    estimates: dict[str, Estimate] = field(default_factory=dict)
    seconds: float = 0.0
    why: str | None = None


class Row(NamedTuple):
    """A variant and what is known of it."""

    variant: Variant
    facts: Facts


class Skipped(NamedTuple):
    """A variant that cannot be, and why."""

    game: str
    why: str


def cells_of(row: Row, columns: tuple[str, ...]) -> dict[str, Any]:
    """The row as `--json` has it, with these columns of measures."""
    variant, facts = row
    fixed = {"game": variant.game, "how": facts.how, "value": facts.value, "distance": facts.distance}
    return {**fixed, "positions": facts.positions, **{name: facts.measures.get(name) for name in columns}}
