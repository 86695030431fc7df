"""The vocabulary: plain values that travel between layers, and the errors."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import EnumType, StrEnum
from functools import cache
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")

LOSS, DRAW, WIN = -1, 0, 1
"""The value of a position to the side to move; negated, it is the value to the other side."""
ONGOING = 2
"""The outcome of an unfinished position."""

Position = tuple[int, int]
"""(mine, theirs): two non-negative words, always seen by the side to move."""

Move = int
"""A number; the game's move names give its meaning."""

SPELLED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""Small numbers as they stand in a sentence."""

REPEATS = "can repeat, and a game for points cannot: leave margin out, and wins, draws and losses are solved"
"""Why a game with a margin and with cycles is refused, after its name."""

FIRST, SECOND = 0, 1
"""The two sides; FIRST moves first from the start position."""

Turn = tuple[Position, int]
"""A position and the side that is to move in it."""

Player = Callable[[Position], Move]
"""Gives a legal move for an unfinished position."""


class Brief(type):
    """A class of which dir(), and so help(), lists only public names that this package defines.

    Fields of a dataclass are left out: they stand with their defaults in its signature.
    """

    def __dir__(cls) -> list[str]:
        own = [base for base in cls.__mro__ if base.__module__.startswith("perfectplay.")]
        fields = getattr(cls, "__dataclass_fields__", ())
        return sorted({name for base in own for name in vars(base) if not name.startswith("_") and name not in fields})


def spelled(number: int) -> str:
    """The number as it stands in a sentence: three, 12."""
    return SPELLED[number] if 0 <= number < len(SPELLED) else str(number)


class BriefEnum(Brief, EnumType):
    """The same for an enumeration."""


@dataclass(frozen=True)
class Sides(Generic[T], metaclass=Brief):
    """A pair of things, one for the side that moves first and one for the other; `sides[side]` picks one."""

    first: T
    second: T

    def __getitem__(self, side: int) -> T:
        return self.second if side == SECOND else self.first

    def __iter__(self) -> Iterator[T]:
        return iter((self.first, self.second))


class ValueAndDistance(NamedTuple):
    """The two fields of an entry."""

    value: int
    distance: int | None


class Entry(ValueAndDistance, metaclass=Brief):
    """The value of a position to the side to move, and its distance: the plies to the end.

    Distance assumes best play: the winner hurries, the loser delays. An endless draw has none. Where a game is played
    for points, the entry is a PointsEntry, which has a margin and no distance.
    """

    __slots__ = ()

    @property
    def margin(self) -> int | None:
        """The points by which the side to move will be ahead; None where the game has no points."""
        return None

    @property
    def endless(self) -> bool:
        """Whether the game goes on for ever under best play."""
        return self.distance is None

    def before(self, again: bool = False) -> "Entry":
        """The entry of the position one ply earlier, seen by the other side, or by the same side if it moves again."""
        return Entry(self.value if again else -self.value, None if self.distance is None else self.distance + 1)

    def preference(self) -> tuple[int, float]:
        """Greater is better for the side to move: more points; fast wins, slow losses; shorter draws come first."""
        if self.margin is not None:
            return self.margin, 0.0
        distance = float("inf") if self.distance is None else self.distance
        return self.value, distance if self.value == LOSS else -distance

    def as_good_as(self, other: "Entry") -> bool:
        """Whether both are equally good under best play: draws are equal, whatever their length."""
        same = self.margin == other.margin and self.value == other.value
        return same and (self.value == DRAW or self.distance == other.distance)


class PointsEntry(Entry):
    """The entry of a position in a game for points: the margin under best play, and the value, which is its sign."""

    points: int

    def __new__(cls, margin: int) -> "PointsEntry":
        """The entry of a position in which the side to move will be ahead by so many points."""
        entry = super().__new__(cls, (margin > 0) - (margin < 0), None)
        entry.points = int(margin)
        return entry

    @property
    def margin(self) -> int:
        """The points by which the side to move will be ahead, negative if behind."""
        return self.points

    @property
    def endless(self) -> bool:
        """Never: games for points end."""
        return False

    def before(self, again: bool = False) -> "PointsEntry":
        """The entry of the position one ply earlier, seen by the other side, or by the same side if it moves again."""
        return PointsEntry(self.points if again else -self.points)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointsEntry) and self.points == other.points

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((PointsEntry, self.points))

    def __repr__(self) -> str:
        return f"PointsEntry(margin={self.points})"

    def __reduce__(self) -> "tuple[type[PointsEntry], tuple[int]]":
        return PointsEntry, (self.points,)


def entry_of(value: int, distance: int | None, margin: int | None = None) -> Entry:
    """The entry with this value and distance, or with this margin if there is one."""
    return Entry(value, distance) if margin is None else PointsEntry(margin)


Lookup = Callable[[Position], Entry]
"""Gives the entry of a position."""


class PerfectplayError(Exception, metaclass=Brief):
    """The base of all errors; the message says what is wrong and what to do."""


class BadArgument(PerfectplayError, ValueError):
    """An argument is of the wrong kind or out of range."""


class BadGame(PerfectplayError):
    """A game's name, size or file cannot be used."""

    impossible = False
    """Whether the game works, but its file refuses these sizes."""


class NotCompiled(BadGame):
    """The rules run interpreted, but not everywhere in compiled code."""


class BadPlayer(PerfectplayError):
    """A player's name or file cannot be used, or the player failed."""


class Cause(StrEnum):
    """Why a game was forfeited."""

    ILLEGAL_MOVE = "illegal move"
    NONSENSE = "nonsense answer"
    TIME = "no answer in time"
    CRASH = "crash"
    EXIT = "exit"
    MEMORY = "out of memory"
    PIPE = "closed pipe"
    FLOOD = "output flood"
    START = "failed start"


class BotFault(BadPlayer):
    """A bot failed, took too long or exited when it was to move; the message draws the position, `cause` says why."""

    def __init__(self, message: str, cause: Cause = Cause.CRASH) -> None:
        super().__init__(message)
        self.cause = cause


class BotSilent(BotFault):
    """A bot does not answer any more: it took too long, or its process ended."""


class WrongSystem(PerfectplayError):
    """The operating system lacks what perfectplay needs."""


class BadPosition(PerfectplayError):
    """A text is not a position of the game."""


class BadTable(PerfectplayError):
    """A file is not a complete table of the game."""


class BadWork(PerfectplayError):
    """A work folder or its workers cannot be used, or have become unusable."""


class IllegalMove(PerfectplayError):
    """The rules do not allow this move in this position."""

    cause = Cause.ILLEGAL_MOVE


class NoGPU(PerfectplayError):
    """There is no GPU to use."""


class MissingPackage(PerfectplayError, ImportError):
    """A package is not installed that this function needs; the message says how to get it."""


class TooBig(PerfectplayError):
    """The work would take too long, or would never end; `needs` is the memory that it would take, if that is known."""

    needs = ""


# What is imported when it is first used


def require(module: str, extra: str, what: str) -> Any:
    """The module, which comes with an extra of this package; raises MissingPackage, where `what` needs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as fault:
        if fault.name is None or fault.name.partition(".")[0] != module.partition(".")[0]:
            raise
        package = module.partition(".")[0]
        raise MissingPackage(f"{what} needs {package}, which is missing: pip install 'perfectplay[{extra}]'") from None


@cache
def late_names(package: str) -> dict[str, str]:
    """{name: module} of the public names of a package: those that its `__init__` imports as themselves, somewhere.

    Type checkers see these imports, and those below `if TYPE_CHECKING` are made when a name is first used.
    """
    import ast
    from importlib.util import find_spec

    loader: Any = getattr(find_spec(package), "loader", None)
    tree = ast.parse(loader.get_source(package))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {name.name: str(node.module) for node in imports for name in node.names if name.name == name.asname}
