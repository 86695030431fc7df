"""Probabilities of a win, a draw and a loss, as numbers and in words."""

from dataclasses import dataclass
from fractions import Fraction

from perfectplay.solvers.worth import Worth
from perfectplay.words import Brief, in_notebook

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
class Prospect(Worth):
    """What is proven of a position or a move, and the probability of a win, if that was asked for."""

    probability: Probability | None = None

    def fields(self) -> dict[str, object]:
        """What is known, as in JSON."""
        return super().fields() | ({} if self.probability is None else {"chance": self.probability.to_dict()})
