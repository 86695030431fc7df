"""Players in a user's file: `./bots.py:my_ai`, `./bots.py:bot.choose`, or `./tictactoe.py` for a whole project."""

import inspect
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from perfectplay.loading import describe_fault, line_of, load_file, split_path
from perfectplay.players.player_functions import MINIMAX, SEAT, Function, checked_player, hint, is_project, recognised
from perfectplay.players.seat import Maker, Seat
from perfectplay.words import BadPlayer, PerfectplayError, Player

BEHIND = "put what runs a game behind if __name__ == '__main__':"
"""What to do about a file that begins to play when it is imported."""
NO_KEYBOARD = "nobody can answer it here; the player human asks a person"
"""What to do about a function that calls input()."""


def maker_in_file(name: str, path: Path, function_name: str) -> Maker:
    """The maker for a user's function, whichever of the known forms it has."""
    function = function_in(name, path, function_name)
    form, unclear = recognised(function, repr(name), otherwise=SEAT)
    maker = form.maker(guard(name, path, function, form.hint_at))

    def make(seat: Seat) -> Player:
        try:
            player = maker(seat)
        except BadPlayer as fault:
            raise BadPlayer(f"{fault}; {hint(unclear)}" if unclear else str(fault)) from fault.__cause__
        return guard(name, path, checked_player(player, repr(name), unclear))

    return make if form is SEAT else maker


def function_in(name: str, path: Path, function_name: str) -> Function:
    """The function that the name means; an object of a class that is made without arguments will do."""
    module, typed = file_module(path), name.removesuffix(f":{function_name}")
    if not function_name and is_project(vars(module)):
        function_name = MINIMAX
    own = [
        key
        for key, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    ]
    if not function_name:
        raise BadPlayer(f"{name!r} does not say which function plays; write {typed}:{own[0] if own else 'my_ai'}")
    try:
        function = attrgetter(function_name)(module)
    except AttributeError:
        function = None
    if not callable(function):
        there = f"there are {', '.join(own)}" if own else "it has none"
        raise BadPlayer(f"{typed} has no function {function_name!r}; {there}")
    return object_of(name, path, function) if inspect.isclass(function) else function


def object_of(name: str, path: Path, kind: type) -> Function:
    """An object of the class if it is made without arguments; else the class, which may take a seat."""
    try:
        inspect.signature(kind).bind()
    except (TypeError, ValueError):
        return kind
    made: Function = guard(name, path, kind)()
    if not callable(made):
        raise BadPlayer(f"{name!r} is a class whose objects cannot be called; write __call__(self, board, side)")
    return made


def file_module(path: Path) -> ModuleType:
    """The module in a user's file; raises BadPlayer with a hint if it begins to play when it is loaded."""
    try:
        return load_file(path, BadPlayer)
    except BadPlayer as fault:
        if isinstance(fault.__cause__, EOFError | SystemExit):
            raise BadPlayer(f"{fault}; {BEHIND}") from fault.__cause__
        raise


def project_module(name: str) -> ModuleType | None:
    """The module of that player, if it is minimax of a whole project; None if it is not."""
    path, function_name = split_path(name)
    if path is None or function_name not in ("", MINIMAX):
        return None
    module = file_module(path)
    return module if is_project(vars(module)) else None


def no_hint(fault: BaseException) -> str:
    """Nothing to do about a fault."""
    return ""


def guard(
    name: str, path: Path, function: Callable[..., Any], hint_at: Callable[[BaseException], str] = no_hint
) -> Callable[..., Any]:
    """The function, whose faults become one line that says where in the file it was raised, and a hint."""

    def guarded(*arguments: Any) -> Any:
        try:
            with redirect_stdout(sys.stderr):  # standard output is for results
                return function(*arguments)
        except PerfectplayError:
            raise
        except (Exception, SystemExit) as fault:
            note = f" ({NO_KEYBOARD})" if isinstance(fault, EOFError) else hint_at(fault)
            raise BadPlayer(f"{name} raised an error{line_of(fault, path)}: {describe_fault(fault)}{note}") from fault

    return guarded
