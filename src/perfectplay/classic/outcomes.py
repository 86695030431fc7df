"""How games end, in numbers that have names."""

from enum import IntEnum
from typing import NamedTuple

from perfectplay.words import Brief, BriefEnum


class GameOutcome(IntEnum, metaclass=BriefEnum):
    """A draw or the player who wins, 1 or 2."""

    Draw = 0
    P1win = 1
    P2win = 2


class Counts(NamedTuple):
    """Three numbers by name."""

    draws: int
    first: int
    second: int


class Tally(Counts, metaclass=Brief):
    """How many games were drawn, won by the first and by the second: `tally[play(...)]` is where a game counts."""

    __slots__ = ()
