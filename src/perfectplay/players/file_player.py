"""Players in a user's file: `./bots.py:my_ai`."""

import inspect
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from perfectplay.loading import describe_fault, line_of, load_file
from perfectplay.players.classic_player import classic_player
from perfectplay.players.seat import Maker
from perfectplay.words import BadPlayer, PerfectplayError


def maker_in_file(name: str, path: Path, function_name: str) -> Maker:
    """The maker for a user's function: of (board, side), or of a seat if it takes one argument."""
    module, typed = load_file(path, BadPlayer), name.removesuffix(f":{function_name}")
    own = [
        key
        for key, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    ]
    if not function_name:
        raise BadPlayer(f"{name!r} does not say which function plays; write {typed}:{own[0] if own else 'my_ai'}")
    function = getattr(module, function_name, None)
    if not callable(function):
        there = f"there are {', '.join(own)}" if own else "it has none"
        raise BadPlayer(f"{typed} has no function {function_name!r}; {there}")
    guarded = guard(name, path, function)
    takes = number_of_arguments(function)
    if takes == 2:
        return classic_player(guarded)
    if takes == 1:
        return lambda seat: guard(name, path, guarded(seat))
    raise BadPlayer(
        f"{name!r} takes {takes} arguments; a player is my_ai(board, side), a maker of players takes a seat"
    )


def number_of_arguments(function: Callable[..., Any]) -> int:
    """How many arguments the function must be given by place; two if it takes any number."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return 2
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty for p in parameters)


def guard(name: str, path: Path, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose faults become one line that says where in the file it was raised."""
    if not callable(function):
        raise BadPlayer(f"{name!r} takes a seat, so it must return a function from position to move")

    def guarded(*arguments: Any) -> Any:
        try:
            with redirect_stdout(sys.stderr):  # standard output is for results
                return function(*arguments)
        except PerfectplayError:
            raise
        except (Exception, SystemExit) as fault:
            raise BadPlayer(f"{name} raised an error{line_of(fault, path)}: {describe_fault(fault)}") from fault

    return guarded
