"""Traits of a widget whose values are checked when they are set, with errors of our own."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from traitlets import TraitType

from perfectplay.commands.terminal.arguments import check_seconds, check_side
from perfectplay.words import BadArgument


class Checked(TraitType):  # type: ignore[misc]
    """A trait whose values a function of the widget and the value checks: it returns the one to keep, or raises."""

    def __init__(self, default: object, check: Callable[[Any, Any], object], help: str) -> None:  # noqa: A002
        super().__init__(default, help=help)
        self.check = check

    if TYPE_CHECKING:  # what type checkers cannot read in traitlets

        def __get__(self, widget: object, kind: object = None) -> Any: ...

        def __set__(self, widget: object, value: object) -> None: ...

    def validate(self, widget: object, value: object) -> object:
        """The value to keep."""
        return self.check(widget, value)


def hints_or_none(_: object, hints: object) -> bool:
    """Whether there are hints, True or False."""
    if not isinstance(hints, bool):
        raise BadArgument(f"hints={hints!r} is neither True nor False")
    return hints


def one_of_the_sides(_: object, side: int) -> int:
    """The side, FIRST or SECOND."""
    check_side(side)
    return int(side)


def time_limit(_: object, seconds: float) -> float:
    """The time in seconds."""
    check_seconds(seconds, optional=False)
    return float(seconds)
