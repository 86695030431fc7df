"""Numbers as people read them: times, per cents, intervals, Elo, sizes."""

import re
from fractions import Fraction

ONE = r"[<>≈+−-]?([\d,]+(\.\d+)?(½|%| m?s)?|½)"
NUMBER = re.compile(rf"{ONE}( to {ONE})?|–|-|")
"""A cell of a table that is a number, or two of them, and stands right."""
ROUNDED = 1e-9
"""A smaller difference from 0 or 1 is a rounding error."""


def per_cent(number: Fraction | float) -> str:
    """A fraction as it is, a decimal in per cent; only 0 and 1 are shown as 0 and 100 per cent."""
    if isinstance(number, Fraction):
        return str(number)
    if ROUNDED < number < 0.00005:
        return "<0.01%"
    if ROUNDED < 1 - number < 0.00005:
        return ">99.99%"
    return f"{100 * number:.2f}%"


def interval_text(low: float, high: float) -> str:
    """An interval of a probability."""
    return f"{low:.1%} to {high:.1%}"


def time_text(seconds: float) -> str:
    """A time in milliseconds or seconds, with three digits."""
    if seconds < 0.9995:
        return f"{1000 * seconds:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 999.5 else f"{seconds:,.0f} s"
