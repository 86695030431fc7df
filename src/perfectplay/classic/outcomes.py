"""How games end, in numbers that have names."""

from enum import IntEnum
from typing import NamedTuple


class GameOutcome(IntEnum):
    """A draw or the player who wins, 1 or 2."""

    Draw = 0
    P1win = 1
    P2win = 2


class Tally(NamedTuple):
    """How many games were drawn, won by the first and by the second: `tally[play(...)]` is where a game counts."""

    draws: int
    first: int
    second: int
