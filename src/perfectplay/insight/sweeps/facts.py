"""The facts about a variant, and how they become a row of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

SOLVED, SEARCHED, BOUNDS, ESTIMATED, FAILED = HOWS = ("solved", "searched", "bounds", "estimated", "failed")
"""How a variant's value is known, the best first: every position solved; the start proven by search; bounds proven by
search; nothing proven, and random games played; nothing at all, and `why` says why."""

Size = int | bool
Cell = str | int | float | list[float] | None
"""The content of a column in a row; None where it is unknown."""
Columns = dict[str, Any]


class Estimate(NamedTuple):
    """An estimate from random games, with its 95% confidence interval."""

    value: float
    low: float
    high: float


class Variant(NamedTuple):
    """A variant of a family: its name as `load` takes it, and its sizes and switches by name."""

    game: str
    family: str
    sizes: dict[str, Size]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The facts about a variant.

    Whatever stands in `measures` is proven, by columns; estimates stand apart. `bounds` are the least and the greatest
    value, where only that is known. `why` says why it failed, was not solved, or lacks a measure. `tried` has the
    measures that were looked for, whether they were found or not, and `seconds` is what all of it took.
    """

    how: str
    value: str | None = None
    distance: int | None = None
    margin: int | None = None
    positions: int | None = None
    bounds: tuple[str, str] | None = None
    measures: dict[str, Cell] = field(default_factory=dict)
    estimates: dict[str, Estimate] = field(default_factory=dict)
    seconds: float = 0.0
    why: str | None = None
    tried: tuple[str, ...] = ()

    def to_dict(self) -> Columns:
        """The facts as in JSON."""
        return asdict(self) | {"estimates": {name: list(one) for name, one in self.estimates.items()}}


def facts_in(fields: Columns) -> Facts:
    """The facts from JSON; raises TypeError or ValueError if it has others."""
    bounds, estimates = fields["bounds"], {name: Estimate(*one) for name, one in fields["estimates"].items()}
    low_high = None if bounds is None else (bounds[0], bounds[1])
    return Facts(**{**fields, "bounds": low_high, "estimates": estimates, "tried": tuple(fields["tried"])})


class Row(NamedTuple):
    """A variant and the facts about it."""

    variant: Variant
    facts: Facts

    def to_dict(self) -> Columns:
        """The row as a report has it."""
        variant, facts = self
        fields = {name: value for name, value in facts.to_dict().items() if name != "tried"}
        return {"game": variant.game, "family": variant.family, "sizes": variant.sizes, **fields}


class Skipped(NamedTuple):
    """A variant that cannot be, and why."""

    game: str
    why: str


def table_of(rows: Sequence[Row], columns: Sequence[str], all_columns: Sequence[str]) -> list[Columns]:
    """The rows as plain dictionaries, all with the same keys: sizes, facts, and these columns of measures.

    Columns that would be empty in all rows are left out: margin, bounds, estimates, why. A size with the name
    of any column, length say, is called size_length.
    """
    names = dict.fromkeys(name for variant, _ in rows for name in variant.sizes)
    sizes = {name: f"size_{name}" if name in (*FIXED, *RARE, *all_columns) else name for name in names}
    rare = [name for name in RARE if any(getattr(facts, name) not in (None, {}) for _, facts in rows)]
    return [cells_of(row, sizes, columns, rare) for row in rows]


FIXED = ("game", "how", "value", "distance", "positions", "seconds")
RARE = ("margin", "bounds", "estimates", "why")
"""Columns that most sweeps do not need."""


def cells_of(row: Row, sizes: Mapping[str, str], columns: Sequence[str], rare: Sequence[str]) -> Columns:
    """One row of the table."""
    variant, facts = row
    plain = facts.to_dict()
    return {
        "game": variant.game,
        **{called: variant.sizes.get(name) for name, called in sizes.items()},
        "how": facts.how,
        "value": facts.value,
        "distance": facts.distance,
        "positions": facts.positions,
        **{name: facts.measures.get(name) for name in columns},
        **{name: plain[name] or None for name in rare if name != "margin"},
        **({"margin": facts.margin} if "margin" in rare else {}),
        "seconds": round(facts.seconds, 3),
    }
