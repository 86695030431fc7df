"""The kinds of parameters: what may be given, how it is written on a command line, and what a help says of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, TypedDict

from perfectplay.rules.notation import either
from perfectplay.words import BadArgument

LEAST_MEMORY = 200 << 20
"""The bytes that every solve needs."""
LONGEST_TIME = 10**9
"""Seconds, at most."""


@dataclass(frozen=True)
class Kind:
    """A kind of parameter: a text, unless a subclass says more.

    `flag` is its option where that is not called after the parameter. An `argument` is given by its place on the
    command line, at `least` so many of them. What `repeats` may be given several times; with `least`, one option takes
    several. An option with `parts` takes so many values at once, one that is given without a value is `bare`. What is
    `rare` stands last in the help. `default` is for keys of a TypedDict, which have none of their own.
    """

    help: str = ""
    metavar: str | None = field(default=None, kw_only=True)
    flag: str | None = field(default=None, kw_only=True)
    argument: bool = field(default=False, kw_only=True)
    least: int = field(default=0, kw_only=True)
    repeats: bool = field(default=False, kw_only=True)
    parts: tuple[str, ...] = field(default=(), kw_only=True)
    rare: bool = field(default=False, kw_only=True)
    bare: Any = field(default=None, kw_only=True)
    default: Any = field(default=None, kw_only=True)

    def read(self, text: str) -> Any:
        """The value in a text; raises BadArgument."""
        return text

    def check(self, name: str, value: object) -> None:
        """Raises BadArgument unless a caller may pass the value as this parameter."""

    def schema(self) -> dict[str, object]:
        """What may be given, as JSON Schema."""
        return {"type": "string"}


@dataclass(frozen=True)
class Named(Kind):
    """A name of something: of a game, a player, a file; whoever uses it says what is wrong."""


@dataclass(frozen=True)
class Flag(Kind):
    """Yes or no."""

    default: Any = field(default=False, kw_only=True)

    def check(self, name: str, value: object) -> None:
        """Raises BadArgument unless it is a bool: "no" would mean yes."""
        if not isinstance(value, bool):
            raise BadArgument(f"{name}={value!r} is neither True nor False")

    def schema(self) -> dict[str, object]:
        """True or false."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few words or values, which an error lists; `what` they are names of, or `wanted`, says it otherwise.

    Of words that are `named` elsewhere, whoever uses them says what is wrong.
    """

    choices: tuple[Any, ...] = ()
    wanted: str = ""
    what: str = ""
    named: bool = False

    def check(self, name: str, value: object) -> None:
        """Raises BadArgument for any other word."""
        if value not in self.choices and not self.named:
            if self.what:
                raise BadArgument(f"no {self.what} is called {value!r}; there are {', '.join(self.choices)}")
            raise BadArgument(f"{name}={value!r} is {self.wanted or f'not {either([*map(repr, self.choices)])}'}")

    def schema(self) -> dict[str, object]:
        """The words."""
        return {"type": "string", "enum": [*self.choices]}


@dataclass(frozen=True)
class Wanted(Kind):
    """A kind whose error is the same wherever it is given: that it is not what is `wanted`."""

    wanted: ClassVar[str] = ""

    def accepts(self, value: object) -> bool:
        """Whether a caller may pass the value."""
        raise NotImplementedError

    def value_in(self, text: str) -> Any:
        """The value in the text; raises ValueError where there is none."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """The value in the text; raises BadArgument."""
        try:
            value = self.value_in(text)
        except ValueError:
            value = None
        if value is None or not self.accepts(value):
            raise BadArgument(f"{text!r} is not {self.wanted}")
        return value

    def check(self, name: str, value: object) -> None:
        """Raises BadArgument unless a caller may pass the value."""
        if not self.accepts(value):
            raise BadArgument(f"{name}={value!r} is not {self.wanted}")


@dataclass(frozen=True)
class Whole(Wanted):
    """A whole number in a range."""

    smallest: int = 0
    largest: int = 10**15

    @property
    def wanted(self) -> str:  # type: ignore[override]
        """What is right."""
        return f"a whole number from {self.smallest:,} to {self.largest:,}"

    def accepts(self, value: object) -> bool:
        """Whether it is in the range."""
        return isinstance(value, int) and not isinstance(value, bool) and self.smallest <= value <= self.largest

    def value_in(self, text: str) -> int:
        """The number in the text: digits only, no blanks, no underscores."""
        if not text.removeprefix("-").isdecimal():
            raise ValueError(text)
        return int(text)

    def schema(self) -> dict[str, object]:
        """The range."""
        return {"type": "integer", "minimum": self.smallest, "maximum": self.largest}


@dataclass(frozen=True)
class Seconds(Wanted):
    """A time."""

    wanted: ClassVar[str] = "a time in seconds, such as 2 or 0.5"

    def accepts(self, value: object) -> bool:
        """Whether it is a time."""
        return isinstance(value, int | float) and 0 < value <= LONGEST_TIME

    def value_in(self, text: str) -> float:
        """The time in the text."""
        return float(text)

    def schema(self) -> dict[str, object]:
        """A positive number."""
        return {"type": "number", "exclusiveMinimum": 0, "maximum": LONGEST_TIME}


@dataclass(frozen=True)
class Interval(Seconds):
    """A time between two events, 0 for none."""

    wanted: ClassVar[str] = "a time in seconds, such as 60"

    def accepts(self, value: object) -> bool:
        """Whether it is such a time."""
        return isinstance(value, int | float) and value >= 0

    def schema(self) -> dict[str, object]:
        """A number, not below 0."""
        return {"type": "number", "minimum": 0}


@dataclass(frozen=True)
class Size(Kind):
    """A size in bytes, as a number or as a text such as 32K, 4G."""

    def read(self, text: str) -> int:
        """The bytes in the text."""
        return bytes_in(text)

    def check(self, name: str, value: Any) -> None:
        """Raises BadArgument unless it is such a size."""
        self.read(value)


@dataclass(frozen=True)
class Memory(Size):
    """The memory that a solve may use."""

    def read(self, text: str) -> int:
        """The bytes in the text, if they are enough."""
        return enough(text)


@dataclass(frozen=True)
class Names(Kind):
    """Names, apart by commas on the command line."""

    def read(self, text: str) -> tuple[str, ...]:
        """The names in the text."""
        return tuple(name.strip() for name in text.split(",") if name.strip())

    def schema(self) -> dict[str, object]:
        """A list of texts."""
        return {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True)
class Range(Kind):
    """A whole number or a range of them: 3..5, or 7."""

    smallest: int = 1
    largest: int = 10
    what: str = "number"

    def read(self, text: str) -> tuple[int, int]:
        """The least and the greatest number in the text."""
        low, _, high = text.partition("..")
        numbers = [int(part) if part.isdecimal() else self.smallest - 1 for part in (low, high or low)]
        if not self.smallest <= numbers[0] <= numbers[1] <= self.largest:
            wanted = f"a {self.what} from {self.smallest} to {self.largest}, or a range such as 3..5, the lower first"
            raise BadArgument(f"{text!r} is not {wanted}")
        return numbers[0], numbers[1]

    def check(self, name: str, value: object) -> None:
        """Raises BadArgument unless it is two numbers in the range, the lower first."""
        match value:
            case (int(low), int(high)) if self.smallest <= low <= high <= self.largest:
                return
        wanted = f"a range such as (3, 5), from {self.smallest} to {self.largest}, the lower first"
        raise BadArgument(f"{name}={value!r} is not {wanted}")

    def schema(self) -> dict[str, object]:
        """Two numbers."""
        number = {"type": "integer", "minimum": self.smallest, "maximum": self.largest}
        return {"type": "array", "items": number, "minItems": 2, "maxItems": 2}


def bytes_in(size: int | str) -> int:
    """A size in bytes: 4000, "32K", "4G"."""
    text = str(size)
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    powers = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
    if unit not in powers or not number.isdecimal() or not 0 < int(number) < 10**12:
        raise BadArgument(f"{size!r} is not a size such as 4000, 32K, 800M or 4G")
    return int(number) << 10 * powers[unit]


def enough(memory: int | str) -> int:
    """The bytes of memory that a solve may use; raises BadArgument if they are too few."""
    found = bytes_in(memory)
    if found < LEAST_MEMORY:
        raise BadArgument(f"{memory!r} is less than the 200M that every solve needs")
    return found


# Parameters that several verbs have.


GAME = Named(
    "a game's name, with sizes (lines:4,4,3) or without, or your own file (./mygame.py:5,5)",
    metavar="GAME",
    argument=True,
)
MOVES = Named("moves to play first", metavar="MOVE", argument=True)
POSITION = Named("start from this position, such as 'O:X../.../...'", metavar="TEXT")
THREADS = Whole("number of threads (default: one per core)", 1, 1024)
SEARCH_THREADS = Whole("threads of a search, once a position is hard (default: one per core)", 1, 1024)
SEARCH_SECONDS = Seconds("time limit of a search; the answer says what is not proven")
SEARCH_NODES = Whole("node limit of a search", 1)
MOVE_SECONDS = Seconds(
    "seconds per move (default: 1 for timed players such as mcts, at most 10 for players that search)"
)
JOBS = Whole("number of processes (default: 1)", 1, 1024)
FORCE = Flag("replace a file that perfectplay did not write, too")
RESUME = Flag("resume an interrupted run from its last checkpoint")
SAVE_AFTER = Interval("seconds between checkpoints (default: 60)", metavar="SECONDS", rare=True, default=60.0)
SIDE_WORDS = ("first", "second")
BOT_SECONDS = Seconds("maximum seconds per move (default: 60)")
MAX_PLIES = Whole("a game of this length is a draw (default: 1000)", 1, 10**9)
RECORD = Named("add each game to this file as it ends (JSON lines)", metavar="FILE")
RESUME_RECORD = Flag("with --record: resume after an interruption")


class Checkpoints(TypedDict, total=False):
    """How a long job is saved and resumed."""

    resume: Annotated[bool, RESUME]
    save_after: Annotated[float, SAVE_AFTER]


def players(help: str, **more: Any) -> Named:  # noqa: A002
    """Players, by name or by file."""
    return Named(help, metavar="PLAYER", argument=True, **more)


def seed(about: str) -> Whole:
    """The number that random choices begin with."""
    return Whole(about, 0, 2**63 - 1)


def kind_in(annotation: object) -> Kind | None:
    """The kind that an annotation names."""
    found: Sequence[object] = getattr(annotation, "__metadata__", ())
    return next((one for one in found if isinstance(one, Kind)), None)
