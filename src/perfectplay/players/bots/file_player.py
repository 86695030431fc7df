"""Players in a user's file: `./bots.py:my_ai`, `./bots.py:bot.choose`, or `./tictactoe.py` for a whole project."""

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import wraps
from linecache import getline
from operator import attrgetter
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import Any

from perfectplay.players.bots.player_functions import (
    BOARD_AND_SIDE,
    MINIMAX,
    PROJECT,
    SEAT,
    Function,
    checked_player,
    hint,
    is_project,
    recognised,
)
from perfectplay.players.seat import Maker, Seat
from perfectplay.rules.loading import describe_fault, line_of, load_file, split_player
from perfectplay.words import BadPlayer, PerfectplayError, Player

BEHIND = "put what {} behind if __name__ == '__main__':"
"""What to do about a file that begins to play when it is imported."""
USUAL_NAMES = """agent ai aimove bestmove bot choose choosemove computermove findbestmove getaimove getbestmove
getcomputermove getmove myai nextmove""".split()  # noqa: SIM905
"""What the function that plays is usually called, whatever its capitals and underlines."""
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
    own = own_functions(module)
    if not function_name and own == ["game"]:
        raise BadPlayer(f"{typed} has a game, not a player; a player is a function such as {BOARD_AND_SIDE.written}")
    if not function_name:
        if fault := unfinished_project(typed, module, own):
            raise fault
        function_name = only_player(typed, module, own)
    try:
        function = attrgetter(function_name)(module)
    except AttributeError:
        function = None
    if not callable(function):
        there = f"there {'is' if len(own) == 1 else 'are'} {', '.join(own)}" if own else "it has none"
        raise BadPlayer(f"{typed} has no function {function_name!r}; {there}")
    return object_of(name, path, function) if inspect.isclass(function) else function


def own_functions(module: ModuleType) -> list[str]:
    """The names of the public functions that the file itself defines, those that may be players first."""
    own = {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and getattr(value, "__module__", "") == module.__name__
    }
    return sorted(own, key=lambda name: not may_play(own[name]))


def may_play(function: Function) -> bool:
    """Whether the parameters tell that this may be a player, or that a class makes one."""
    if inspect.isclass(function) and "__call__" in dir(function):
        return True
    try:
        return not recognised(function, "", otherwise=SEAT).unclear
    except BadPlayer:
        return False


def only_player(typed: str, module: ModuleType, own: Sequence[str]) -> str:
    """The name of the only function of the file that can play, or the only one of these with a usual name."""
    if not own:
        raise BadPlayer(f"{typed!r} has no function that can play; write {BOARD_AND_SIDE.written}")
    able = [name for name in own if len(own) == 1 or may_play(getattr(module, name))]
    usual = [name for name in able if name.replace("_", "").lower() in USUAL_NAMES]
    several = usual or [name for name in able if name != MINIMAX] or able
    if len(several) == 1:
        return several[0]
    raise BadPlayer(f"{typed!r} does not say which function plays; write {typed}:NAME with one of {', '.join(own)}")


def unfinished_project(typed: str, module: ModuleType, own: Sequence[str]) -> BadPlayer | None:
    """The error for a file that has most functions of the project, and names like the missing ones; None if fewer."""
    wanted, names = PROJECT[1:], vars(module)
    missing = [name for name in wanted if not callable(names.get(name))]
    if len(missing) > len(wanted) // 2:
        return None
    from difflib import get_close_matches

    others = [name for name in own if name not in PROJECT]
    close = {name: get_close_matches(name, others, 1) for name in missing}
    lacks = " and ".join(name + (f" (it has {close[name][0]})" if close[name] else "") for name in missing)
    alone = f", or {typed}:{MINIMAX} for this function alone" if MINIMAX not in missing else ""
    every = f"of the functions {', '.join(wanted)}; write {'it' if len(missing) == 1 else 'them'}{alone}"
    return BadPlayer(f"{typed!r} lacks {lacks} {every}")


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
        cause = fault.__cause__
        does = "reads sys.argv" if reads_arguments(cause, path) else "runs a game"
        if does != "runs a game" or isinstance(cause, EOFError | SystemExit):
            raise BadPlayer(f"{fault}; {BEHIND.format(does)}") from cause
        raise


def reads_arguments(fault: BaseException | None, path: Path) -> bool:
    """Whether the fault came through a line of the file that reads the arguments of the program."""
    steps = walk_tb(None if fault is None else fault.__traceback__)
    own = [(step.f_code.co_filename, line) for step, line in steps if Path(step.f_code.co_filename).name == path.name]
    return any(re.search(r"\bargv\b", getline(*place)) for place in own)


def project_module(name: str) -> ModuleType | None:
    """The module of that player, if it is minimax of a whole project; None if it is not."""
    path, function_name = split_player(name)
    if path is None or function_name not in ("", MINIMAX):
        return None
    module = file_module(path)
    return module if is_project(vars(module)) else None


def guard(
    name: str, path: Path, function: Callable[..., Any], hint_at: Callable[[BaseException], str] = lambda fault: ""
) -> Callable[..., Any]:
    """The function, whose faults become one line that says where in the file it was raised, and a hint."""

    @wraps(function)
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
