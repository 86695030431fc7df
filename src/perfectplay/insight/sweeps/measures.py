"""The measures of a sweep: what each is called, what it says in one sentence, and where it is computed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from perfectplay.views.json_facts import json_facts
from perfectplay.words import BadArgument

if TYPE_CHECKING:
    from perfectplay.players.models.level_games import LevelGames
    from perfectplay.solvers.steps import Steps


class Measure(NamedTuple):
    """A measure: its name, which is its first column, its sentence, its columns, and MODULE:FUNCTION.

    The function takes the games between players of known strength and gives, in steps, what stands in the columns;
    without one, a solve tells. `target` is the best value where there is one: 0.5 for fairness. `form` says how numbers
    are shown: whole, share (0 to 1) or number.
    """

    name: str
    sentence: str
    columns: tuple[str, ...]
    function: str
    form: str = "number"
    target: float | None = None

    def computing(self, games: "LevelGames") -> "Steps[dict[str, Cell]]":
        """The contents of the columns, in steps."""
        module, _, function = self.function.partition(":")
        compute: Callable[[Any], Steps[dict[str, Cell]]] = getattr(import_module(f"perfectplay.{module}"), function)
        return compute(games)


MEASURES = (
    Measure("classes", "The number of positions up to symmetry.", ("classes",), "", "whole"),
    Measure(
        "longest",
        "The plies to the end, with best play, from the position farthest from it.",
        ("longest",),
        "",
        "whole",
    ),
    Measure(
        "fairness",
        "The first player's score between two equal players, half a point for a draw: the mean over levels 1 to 10.",
        ("fairness", "fairness_random", "fairness_levels"),
        "insight.play_measures:fairness",
        "share",
        0.5,
    ),
    Measure(
        "decisiveness",
        "The probability that two equal players do not draw: the mean over levels 1 to 10.",
        ("decisiveness", "decisiveness_random", "decisiveness_levels"),
        "insight.play_measures:decisiveness",
        "share",
    ),
    Measure(
        "depth",
        "How many levels of skill can be told apart above random play: from level to level random moves become rarer, "
        "and each scores 55% or more against the one before.",
        ("depth",),
        "insight.play_measures:depth",
        "whole",
    ),
    Measure(
        "drama",
        "How often the result changes in a game between two equal imperfect players: the mean over levels 1 to 9.",
        ("drama", "drama_levels"),
        "insight.play_measures:drama",
    ),
    Measure(
        "sharpness",
        "The share of the legal moves that keep the result, in the positions that good play meets.",
        ("sharpness",),
        "insight.play_measures:sharpness",
        "share",
    ),
    Measure(
        "traps",
        "The share of the legal moves that are traps, in the positions that good play meets.",
        ("traps",),
        "insight.play_measures:traps",
        "share",
    ),
    Measure(
        "branching",
        "The mean number of legal moves in the positions that good play meets.",
        ("branching", "branching_spread", "branching_random", "branching_random_spread"),
        "insight.play_measures:branching",
    ),
    Measure(
        "length",
        "The mean number of plies of a game under good play.",
        ("length", "length_spread", "length_random", "length_random_spread"),
        "insight.play_measures:length",
    ),
    Measure(
        "first_moves",
        "The number of first moves that keep the result.",
        ("first_moves", "first_moves_legal"),
        "insight.play_measures:first_moves",
        "whole",
    ),
)
ALWAYS = ("value", "distance", "positions")
"""The columns of every row, whatever is asked for."""


def measures_named(names: Sequence[str]) -> tuple[Measure, ...]:
    """The measures of these names, in the order of the list above; raises BadArgument for a name that is none."""
    by_name = {one.name: one for one in MEASURES}
    selection = {*by_name} if "all" in names else {*names}
    for name in selection - {*by_name} - {*ALWAYS}:
        raise BadArgument(f"no measure is called {name!r}; there are {', '.join(by_name)}, and all")
    return tuple(one for one in MEASURES if one.name in selection)


# The facts about a variant, and how they become a row of a table.


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

    to_dict = json_facts()


def facts_in(fields: Columns) -> Facts:
    """The facts from JSON; raises TypeError or ValueError if it has others."""
    bounds, estimates = fields["bounds"], {name: Estimate(*one) for name, one in fields["estimates"].items()}
    low_high = None if bounds is None else (bounds[0], bounds[1])
    return Facts(**{**fields, "bounds": low_high, "estimates": estimates, "tried": tuple(fields["tried"])})


class Row(NamedTuple):
    """A variant and the facts about it."""

    variant: Variant
    facts: Facts


class Skipped(NamedTuple):
    """A variant that cannot be, and why."""

    game: str
    why: str


class Swept(NamedTuple):
    """What came of a sweep: the texts that asked for it, a row for each variant, those that cannot be, the measures."""

    asked: Sequence[str] = ()
    rows: Sequence[Row] = ()
    skipped: Sequence[Skipped] = ()
    measures: Sequence[Measure] = ()


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
