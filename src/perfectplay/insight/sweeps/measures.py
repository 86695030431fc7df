"""The measures of a sweep: what each is called, what it says in one sentence, and where it is computed."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from perfectplay.insight.sweeps.facts import Cell
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

    def to_dict(self) -> dict[str, object]:
        """The fields that a report needs."""
        names = ("name", "columns", "sentence", "form", "target")
        return {name: value for name, value in self._asdict().items() if name in names}

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
USUAL = ("fairness", "decisiveness", "depth", "length")
"""The measures that are taken if none are asked for."""
ALWAYS = ("value", "distance", "positions")
"""The columns of every row, whatever is asked for."""


def measures_named(names: Sequence[str]) -> tuple[Measure, ...]:
    """The measures of these names, in the order of the list above; raises BadArgument for a name that is none."""
    by_name = {one.name: one for one in MEASURES}
    selection = {*by_name} if "all" in names else {*names}
    for name in selection - {*by_name} - {*ALWAYS}:
        raise BadArgument(f"no measure is called {name!r}; there are {', '.join(by_name)}, and all")
    return tuple(one for one in MEASURES if one.name in selection)
