"""The vocabulary: the plain values that travel between layers, and the few errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

LOSS, DRAW, WIN = -1, 0, 1
"""What a position is worth to the side to move; minus a value is its worth to the other side."""
ONGOING = 2
"""The outcome of a position in which the game goes on."""

Position = tuple[int, int]
"""(mine, theirs): two non-negative words, always seen by the side to move."""

Move = int
"""A number; the game's move names say what it means."""

FIRST, SECOND = 0, 1
"""The two sides, by who moves first from the start position."""

Player = Callable[[Position], Move]
"""Answers a position in which the game goes on with a legal move."""


@dataclass(frozen=True)
class Sides(Generic[T]):
    """A thing that differs between the side that moves first and the other; `sides[side]` is one of the two."""

    first: T
    second: T

    def __getitem__(self, side: int) -> T:
        return self.second if side == SECOND else self.first


class Entry(NamedTuple):
    """What is known of a position: its value to the side to move and the plies to the end.

    Distance is under best play: the winner hurries, the loser delays. A draw without end has none.
    """

    value: int
    distance: int | None

    def before(self) -> "Entry":
        """The same end, seen one ply earlier by the other side."""
        return Entry(-self.value, None if self.distance is None else self.distance + 1)

    def preference(self) -> tuple[int, float]:
        """Greater is better for the side to move: quick wins, late losses; of draws the shorter stands first."""
        distance = float("inf") if self.distance is None else self.distance
        return self.value, distance if self.value == LOSS else -distance

    def as_good_as(self, other: "Entry") -> bool:
        """Whether best play has no reason to prefer either: draws are alike, whatever their length."""
        return self.value == other.value and (self.value == DRAW or self.distance == other.distance)


Lookup = Callable[[Position], Entry]
"""Answers a position with its entry."""


class Brief(type):
    """A class of which dir(), and so help(), lists only public names that this package defines."""

    def __dir__(cls) -> list[str]:
        own = [base for base in cls.__mro__ if base.__module__.startswith("perfectplay.")]
        return sorted({name for base in own for name in vars(base) if not name.startswith("_")})


class PerfectplayError(Exception, metaclass=Brief):
    """Something given cannot be used; the message says what was wrong and what would be right."""


class BadArgument(PerfectplayError, ValueError):
    """An argument is of the wrong kind or out of range."""


class BadGame(PerfectplayError):
    """A game's name, size or file cannot be used."""


class NotCompiled(BadGame):
    """Rules that run interpreted, but that compiled code could not follow everywhere."""


class BadPlayer(PerfectplayError):
    """A player's name or file cannot be used, or the player broke down."""


class BotFault(BadPlayer):
    """A bot broke down, took too long or ended its process when it was to move; the message draws the position."""


class WrongSystem(PerfectplayError):
    """The operating system lacks what perfectplay needs."""


class BadPosition(PerfectplayError):
    """A text is not a position of the game."""


class BadTable(PerfectplayError):
    """A file is not a whole table of the game."""


class BadWork(PerfectplayError):
    """A folder that work is done in, or the machines that do it, cannot be used, or not any more."""


class IllegalMove(PerfectplayError):
    """A move that the rules do not allow in this position."""


class NoGPU(PerfectplayError):
    """There is no GPU to work on."""


class TooBig(PerfectplayError):
    """The work asked for would not end in reasonable time, or not at all."""
