"""What is known about a position, as numbers and in words."""

from dataclasses import dataclass
from fractions import Fraction

from perfectplay.rules.notation import VALUE_NAMES, entry_text, plies_text
from perfectplay.solvers.analysis import Proof
from perfectplay.solvers.scores import MOST_POINTS, TOP, PointBounds
from perfectplay.solvers.table.summary import entry_fields
from perfectplay.words import DRAW, LOSS, WIN, Brief, Entry, PointsEntry, entry_of, in_notebook

OPEN = "open: "
ROUNDED = 1e-9
"""A smaller difference from 0 or 1 is a rounding error."""


@dataclass(frozen=True)
class Probability(metaclass=Brief):
    """The probabilities of a win, a draw and a loss; fractions if exact=True. An endless game is a draw."""

    win: Fraction | float
    draw: Fraction | float
    loss: Fraction | float

    def __str__(self) -> str:
        return f"win {per_cent(self.win)}, draw {per_cent(self.draw)}, loss {per_cent(self.loss)}"

    def to_dict(self) -> dict[str, object]:
        """The probabilities as in JSON: numbers, or fractions as text."""
        numbers = {"win": self.win, "draw": self.draw, "loss": self.loss}
        return {name: str(number) if isinstance(number, Fraction) else number for name, number in numbers.items()}

    _repr_html_ = in_notebook


class Probable(metaclass=Brief):
    """Something with probabilities, which are also attributes of its own."""

    probability: Probability

    @property
    def win(self) -> Fraction | float:
        """The probability of a win: `probability.win`."""
        return self.probability.win

    @property
    def draw(self) -> Fraction | float:
        """The probability of a draw: `probability.draw`."""
        return self.probability.draw

    @property
    def loss(self) -> Fraction | float:
        """The probability of a loss: `probability.loss`."""
        return self.probability.loss


def per_cent(number: Fraction | float) -> str:
    """A fraction as it is, a decimal in per cent; only 0 and 1 are shown as 0 and 100 per cent."""
    if isinstance(number, Fraction):
        return str(number)
    if ROUNDED < number < 0.00005:
        return "<0.01%"
    if ROUNDED < 1 - number < 0.00005:
        return ">99.99%"
    return f"{100 * number:.2f}%"


@dataclass(frozen=True, kw_only=True)
class Evaluation(metaclass=Brief):
    """What is known about a position or move: its value, WIN, DRAW or LOSS, and the plies to the end with best play.

    Both are None if they are not proven; then `at_least` and `at_most` bound them. An endless draw has no distance. A
    game for points has no distances, but the margin: the points by which the side to move will be ahead.
    """

    value: int | None
    distance: int | None
    margin: int | None = None
    at_least: Entry | None = None
    at_most: Entry | None = None
    probability: Probability | None = None

    @property
    def exact(self) -> bool:
        """Whether value and distance are proven."""
        return self.at_least is None

    @property
    def entry(self) -> Entry:
        """The value and the distance, or the margin, where they are proven."""
        return entry_of(self.value or DRAW, self.distance, self.margin)

    @property
    def text(self) -> str:
        """What is known, in words: "win in 7 plies", "win by 4", "open: no win within 12 plies, no loss within 11"."""
        if self.at_least is None or self.at_most is None:
            return entry_text(self.entry)
        if self.at_least.margin is not None and self.at_most.margin is not None:
            return points_text(self.at_least.margin, self.at_most.margin)
        if self.value in (WIN, LOSS):
            near, far = sorted((self.at_least.distance or 0, self.at_most.distance or 0))
            return f"{VALUE_NAMES[self.value]} in {near} to {far} plies"
        if self.value is not None:
            return f"{VALUE_NAMES[self.value]}, of unknown length"
        low, high = self.at_least, self.at_most
        no_win = f"no win within {plies_text((high.distance or 0) - 1)}" if high.value == WIN else "no win"
        no_loss = f"no loss within {plies_text((low.distance or 0) - 1)}" if low.value == LOSS else "no loss"
        return f"{OPEN}{no_win}, {no_loss}"

    def fields(self) -> dict[str, object]:
        """What is known, as in JSON: value and distance, null if they are not proven, then the bounds."""
        facts: dict[str, object] = {"value": VALUE_NAMES.get(self.value), "distance": self.distance}  # type: ignore[arg-type]
        if self.margin is not None or (self.at_least is not None and self.at_least.margin is not None):
            facts["margin"] = self.margin
        if self.at_least is not None and self.at_most is not None:
            facts |= {"at_least": bound_fields(self.at_least), "at_most": bound_fields(self.at_most)}
        return facts if self.probability is None else {**facts, "chance": self.probability.to_dict()}


def entry_facts(entry: Entry) -> dict[str, int | None]:
    """An entry as the fields of an evaluation."""
    return {"value": entry.value, "distance": entry.distance, "margin": entry.margin}


def bounds_of(known: Proof) -> dict[str, Entry | int | None]:
    """What was proven by search, as the fields of an evaluation."""
    facts: dict[str, Entry | int | None] = {"value": known.value, "distance": known.distance, "margin": known.margin}
    to_entry = PointsEntry if isinstance(known.bounds, PointBounds) else bound
    low, high = known.bounds
    return facts if known.exact else {**facts, "at_least": to_entry(low), "at_most": to_entry(high)}


def points_text(low: int, high: int) -> str:
    """The margin as far as it is known: "win by 2 to 6", "loss by at least 3", "open: at most draw"."""
    if low > 0 or high < 0:
        far = f"{min(abs(low), abs(high))} to {max(abs(low), abs(high))}"
        how = f"at least {min(abs(low), abs(high))}" if MOST_POINTS in (-low, high) else far
        return f"{VALUE_NAMES[WIN if low > 0 else LOSS]} by {how}"
    least, most = entry_text(PointsEntry(low)), entry_text(PointsEntry(high))
    if low == -MOST_POINTS and high == MOST_POINTS:
        return f"{OPEN}nothing proven yet"
    if low == -MOST_POINTS:
        return f"{OPEN}at most {most}"
    return f"{OPEN}at least {least}" if high == MOST_POINTS else f"{OPEN}{least} to {most}"


def bound_fields(entry: Entry) -> dict[str, object]:
    """A bound as in JSON; the margin is null where it is unlimited."""
    fields = entry_fields(entry)
    return {**fields, "margin": None} if entry.margin in (-MOST_POINTS, MOST_POINTS) else fields


def bound(score: int) -> Entry:
    """A bound on a score as an entry; that of a draw has no distance."""
    return Entry((score > 0) - (score < 0), TOP - abs(score) if score else None)


def evaluation_of(known: Proof) -> Evaluation:
    """What was proven by search."""
    return Evaluation(**bounds_of(known))  # type: ignore[arg-type]
