"""The parameters of requests: what may be given, how it is read, and what the description of the server says of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from perfectplay.exports.page.game_data import MOST_SECONDS
from perfectplay.server.allowed_names import LONGEST_NAME

LONGEST_MOVES = 4 << 10
"""Characters of a list of moves, at most."""
MOST_PLIES = 1_000
"""Moves in a request, at most."""
DEEPEST = 20
"""Plies to look ahead, at most."""
DIGITS = 9
"""Digits of a number, at most."""
SECONDS = 1.0
"""The default time of a search."""
QUOTED = 40
"""Characters of a wrong value that an error repeats, at most."""
Values = dict[str, Any]
"""The parameters of a request that are given, by name."""


class BadRequest(Exception):
    """A request has a wrong parameter; the message says what would be right."""


@dataclass(frozen=True)
class Text:
    """A parameter: what it means, an example, how long it may be; without it a request that needs it is refused."""

    about: str
    example: object = None
    longest: int = LONGEST_NAME

    wanted = ""
    """What is right, where not every text is."""

    def read(self, text: str) -> Any:
        """The value in the text; raises ValueError for a wrong one."""
        return text

    def schema(self) -> dict[str, object]:
        """What may be given, as JSON Schema."""
        return {"type": "string", "maxLength": self.longest}


@dataclass(frozen=True)
class Moves(Text):
    """The names of moves."""

    longest: int = LONGEST_MOVES

    def read(self, text: str) -> list[str]:
        """The names."""
        names = [name for name in text.split(",") if name]
        if len(names) > MOST_PLIES:
            raise BadRequest(f"{len(names):,} moves are too many; up to {MOST_PLIES:,} are replayed")
        return names


@dataclass(frozen=True)
class Time(Text):
    """The time limit of a search."""

    wanted = f"more than 0 and at most {MOST_SECONDS:g}"

    def read(self, text: str) -> float:
        """The seconds."""
        seconds = float(text)
        if not 0 < seconds <= MOST_SECONDS:
            raise ValueError(text)
        return seconds

    def schema(self) -> dict[str, object]:
        """The range."""
        return {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_SECONDS, "default": SECONDS}


@dataclass(frozen=True)
class Number(Text):
    """A whole number."""

    least: int = 0
    most: int = 10**DIGITS - 1

    @property
    def wanted(self) -> str:  # type: ignore[override]
        """What is right."""
        return f"a number from {self.least} to {self.most}" if self.most < 10**DIGITS - 1 else "a whole number"

    def read(self, text: str) -> int:
        """The number."""
        if not (text.isascii() and text.isdigit() and len(text) <= DIGITS and self.least <= int(text) <= self.most):
            raise ValueError(text)
        return int(text)

    def schema(self) -> dict[str, object]:
        """The range."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True)
class Word(Text):
    """One of a few words; whoever uses it says what is wrong with another."""

    words: tuple[str, ...] = ()

    def schema(self) -> dict[str, object]:
        """The words."""
        return {"type": "string", "enum": [*self.words]}


class Wanted(NamedTuple):
    """The parameters of a request: those that it needs, and those that it takes."""

    needs: Mapping[str, Text] = {}
    takes: Mapping[str, Text] = {}

    @property
    def all(self) -> dict[str, Text]:
        """Both."""
        return {**self.needs, **self.takes}


RULES = Text("The hash of the rules, from the game's data", longest=64)


def read(task: str, wanted: Wanted, given: Mapping[str, str]) -> Values:
    """The parameters of a request, checked; empty ones are left out."""
    there = wanted.all
    for name in given:
        if name not in there and name != "rules":
            raise BadRequest(f"{name[:QUOTED]!r} is not understood here; {task} takes {', '.join(there) or 'nothing'}")
    for name, one in there.items():
        if name in wanted.needs and not given.get(name):
            raise BadRequest(f"{name} is missing")
        if len(given.get(name, "")) > one.longest:
            raise BadRequest(f"{name} is longer than {one.longest} characters")
    return {name: value_in(name, there.get(name, RULES), text) for name, text in given.items() if text}


def value_in(name: str, parameter: Text, text: str) -> Any:
    """The value of a parameter."""
    try:
        return parameter.read(text)
    except ValueError:
        raise BadRequest(f"{name} must be {parameter.wanted}, not {text[:QUOTED]!r}") from None


def described(name: str, parameter: Text, needed: bool) -> dict[str, object]:
    """A parameter in the description of the server."""
    schema = parameter.schema()
    if needed and schema.get("type") == "string" and "enum" not in schema:
        schema = {"type": "string", "minLength": 1, "maxLength": parameter.longest}
    found: dict[str, object] = {"name": name, "in": "query"}
    if needed:
        found["required"] = True
    found |= {"description": parameter.about, "schema": schema}
    return found if parameter.example is None else {**found, "example": parameter.example}
