"""Levels 1 to 10 as numbers: how noisy a level is and how many plies ahead it sees."""

from fractions import Fraction
from typing import NamedTuple

LEVELS = 10
ALL = 1 << 20
"""The sight of a level that sees everything."""


class Level(NamedTuple):
    """The probability of a random move, and how many plies ahead the others look."""

    noise: Fraction
    sight: int


BEGINNER, MASTER = Level(Fraction(1), 0), Level(Fraction(0), ALL)
USUAL = (
    BEGINNER,
    *(Level(Fraction(percent, 100), 2) for percent in (80, 60, 42, 28)),
    Level(Fraction(24, 100), 3),
    Level(Fraction(1, 5), 4),
    Level(Fraction(1, 5), ALL),
    Level(Fraction(1, 10), ALL),
    MASTER,
)
"""The levels of games that are too large, or have cycles, to work them out."""
