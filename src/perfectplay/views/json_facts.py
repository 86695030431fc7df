"""The facts of a result as plain values: which of its fields and properties JSON has, in which order and how."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import PurePath
from typing import Any, NamedTuple

from perfectplay.game import Game

SIMPLE = (str, int, float, type(None))
"""What JSON has as it is; most values, so they are told first."""


def plain(value: Any) -> Any:
    """The value as in JSON: results by their to_dict(), games by name, tuples as lists, fractions and paths as text."""
    if isinstance(value, SIMPLE):
        return value
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, (Fraction, PurePath)):
        return str(value)
    if isinstance(value, Game):
        return value.name
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, tuple | list) else value


def or_none(value: Any) -> Any:
    """The same, but None if it is empty."""
    return plain(value) or None


def unless_none(encode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same where there is a value; None stays None."""
    return lambda value: None if value is None else encode(value)


def digits(count: int) -> Callable[[Any], Any]:
    """Numbers with at most so many digits after the point."""
    return lambda value: [round(one, count) for one in value] if isinstance(value, tuple) else round(value, count)


class Fact(NamedTuple):
    """How JSON has a field or a property: under which name, if another, and as which plain value.

    A fact that is `rare` is left out where it is None, empty or the default of its field. `spread`: its own facts stand
    among those of the result.
    """

    attribute: str
    name: str = ""
    encode: Callable[[Any], Any] = plain
    rare: bool = False
    spread: bool = False


def each(*names: str, encode: Callable[[Any], Any] = plain, rare: bool = False) -> tuple[Fact, ...]:
    """The facts of these names, all alike."""
    return tuple(Fact(name, encode=encode, rare=rare) for name in names)


def facts_in(result: object, *facts: str | Fact) -> dict[str, object]:
    """These facts of a result as in JSON, in this order; a text names a field or a property that needs no more."""
    found: dict[str, object] = {}
    for fact in facts:
        value = getattr(result, fact if isinstance(fact, str) else fact.attribute)
        if isinstance(fact, str):
            found[fact] = plain(value)
        elif fact.spread:
            found |= fact.encode(value)
        elif not (fact.rare and value in (None, "", (), getattr(type(result), fact.attribute, None))):
            found[fact.name or fact.attribute] = fact.encode(value)
    return found


def json_facts(*facts: str | Fact) -> Callable[[Any], dict[str, object]]:
    """What a class of results has as `to_dict`: the method that gives these facts, or without any, all its fields."""

    def to_dict(self: Any) -> dict[str, object]:
        """The facts as in JSON."""
        return facts_in(self, *(facts or (one.name for one in fields(self))))

    return to_dict
