"""Probabilities on their way to a reader."""

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from perfectplay.explain.win_probability import WinProbability

ROUNDED = 1e-9
"""What differs from nothing or all by less is rounding."""


def probability_fields(probabilities: "WinProbability") -> dict[str, object]:
    """The probabilities as scripts rely on them: decimals, or fractions as text."""
    return {
        name: str(number) if isinstance(number, Fraction) else number
        for name, number in probabilities._asdict().items()
    }


def probabilities_text(probabilities: "WinProbability") -> str:
    """The probabilities in words."""
    return ", ".join(f"{name} {probability_text(number)}" for name, number in probabilities._asdict().items())


def probability_text(number: Fraction | float) -> str:
    """191/192 as it is, a decimal in per cent; what is not quite all or nothing never looks like it."""
    if isinstance(number, Fraction):
        return str(number)
    if ROUNDED < number < 0.00005:
        return "<0.01 %"
    if ROUNDED < 1 - number < 0.00005:
        return ">99.99 %"
    return f"{100 * number:.2f} %"
