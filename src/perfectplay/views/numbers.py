"""Numbers as people read them: times, per cents, intervals, Elo, sizes."""

import re
from fractions import Fraction

ONE = r"([<>≈+−-]|≥ )?([\d,]+(\.\d+|/\d+)?(½|%| [A-Za-z]+)?|½)"
NUMBER = re.compile(rf"{ONE}( to {ONE})?|–|-|")
"""A cell of a table that is a number, with its unit, or two of them, and stands right."""
ROUNDED = 1e-9
"""A smaller difference from 0 or 1 is a rounding error."""


def per_cent(number: Fraction | float, digits: int = 2) -> str:
    """A fraction as it is, a decimal in per cent; only 0 and 1 are shown as 0 and 100 per cent."""
    if isinstance(number, Fraction):
        return str(number)
    least = 10.0 ** -(digits + 2)
    if ROUNDED < number < least / 2:
        return f"<{least:.{digits}%}"
    if ROUNDED < 1 - number < least / 2:
        return f">{1 - least:.{digits}%}"
    return f"{number:.{digits}%}"


def likelihood(number: float | None) -> str:
    """A likelihood in per cent, which is never quite 0 or 1; nothing if it is not known."""
    return "" if number is None else per_cent(min(0.99999, max(0.00001, number)), 1)


def decimal(number: float | None, digits: int) -> str:
    """The number with so many digits after the point; nothing if it is not known."""
    return "" if number is None else f"{number + 0.0:.{digits}f}"


def elo(number: float) -> str:
    """A rating, or a difference of ratings, with its sign: +57, -3, 0."""
    return f"{round(number):+d}" if round(number) else "0"


def interval_text(low: float, high: float) -> str:
    """An interval of a probability."""
    return f"{low:.1%} to {high:.1%}"


def time_text(seconds: float) -> str:
    """A time in milliseconds or seconds, with three digits."""
    if seconds < 0.9995:
        return f"{three_digits(1000 * seconds)} ms"
    return f"{three_digits(seconds)} s" if seconds < 999.5 else f"{seconds:,.0f} s"


def three_digits(number: float) -> str:
    """The number with three digits, zeros at its end included; 0 as it is."""
    return f"{number:#.3g}".rstrip(".") if number else "0"
