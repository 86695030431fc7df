"""Which kind of player a user's function is: of (board, side), a board, a state, a position or a seat."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from perfectplay.players.bots.classic_player import (
    classic_player,
    grid_or_number_player,
    grid_player,
    number_player,
    side_first_player,
)
from perfectplay.players.bots.square_answers import BY_TUPLE
from perfectplay.players.seat import Maker, Seat
from perfectplay.rules.notation import either
from perfectplay.words import BadPlayer, Player, Position

Function = Callable[..., Any]

MINIMAX = "minimax"
PROJECT = ("initial_state", "player", "actions", "result", "winner", "terminal", "utility", MINIMAX)
"""The functions of a well-known tic-tac-toe project, which all take a board of 'X', 'O' and None."""
BEST_STATE = "bestmove"
STATES = ("perfectplay_outcome", BEST_STATE)
"""The functions of a well-known exercise, which take a state: a tuple of 0, 1 and 2."""


class Form(NamedTuple):
    """A form that a function may have: how it is written, and the maker of players that follows from one.

    `hint`: what to do about a function of this form that fails because it takes something else.
    """

    written: str
    maker: Callable[[Function], Maker]
    hint: str = ""

    def hint_at(self, fault: BaseException) -> str:
        """` (hint)` if the fault is of a kind that a value of another type raises; else empty."""
        return f" ({self.hint})" if self.hint and isinstance(fault, OTHER_TYPE) else ""


OTHER_TYPE = (TypeError, LookupError, AttributeError, ValueError)
"""What Python raises where a value is not of the type that a function expects."""


BOARD_AND_SIDE = Form("my_ai(board, side)", classic_player)
SIDE_AND_BOARD = Form("my_ai(side, board)", side_first_player)
BOARD = Form("minimax(board)", grid_player)
STATE = Form("bestmove(state: tuple)", number_player)
STATE_OR_BOARD = BOARD._replace(maker=grid_or_number_player, hint=f"it got a board of rows; {BY_TUPLE}")
"""A function of a state that does not say which kind of state: it gets a board if it takes one."""
POSITION = Form("choose(position)", lambda function: lambda seat: function)
SEAT = Form("make(seat)", lambda function: function)
FORMS = (BOARD_AND_SIDE, BOARD, STATE, POSITION, SEAT)
EXPECTED = f"a player is {either([form.written for form in FORMS])}, which returns a choose"
CALL_IT = f"write a small {BOARD_AND_SIDE.written} that calls it and returns the move"
"""What to do about a function that needs more than a player is given."""

BY_NAME = {"seat": SEAT, "pos": POSITION, "board": BOARD, "grid": BOARD, "state": STATE_OR_BOARD}
"""What a function of one argument takes, by a part of its parameter's name."""
BY_TYPE = (
    (Seat, SEAT),
    ("Seat", SEAT),
    (Position, POSITION),
    ("Position", POSITION),
    ("tuple[int, ...]", STATE),
    ("Tuple[int, ...]", STATE),
)
"""The same by the parameter's annotation, or by how that is written."""
TUPLES = ("tuple", "Tuple")
"""Annotations of a state, unless the parameter is called a position, which is a tuple as well."""
BOARDS = ("board", "grid", "state")
"""Parts of names of a parameter that is a board."""
SIDES = ("side", "player", "mark", "symbol", "turn", "piece", "color", "colour", "letter")
"""Parts of names of a parameter that is the side to move, even where it has a default."""


class Recognised(NamedTuple):
    """The form of a function, and its only parameter where that does not tell the form."""

    form: Form
    unclear: str = ""


def recognised(function: Function, name: str, otherwise: Form) -> Recognised:
    """The form of the function; `otherwise` where its one parameter does not tell; raises BadPlayer if it has none."""
    refuse_unusual(function, name)
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):  # some built-in functions do not tell
        return Recognised(otherwise, "its argument")
    by_keyword = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if by_keyword:
        raise BadPlayer(f"{name} needs {by_keyword[0]} by keyword, which nobody gives; {EXPECTED}")
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return Recognised(BOARD_AND_SIDE)
    by_place = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [p.name for p in by_place if p.default is p.empty]
    if needed[:1] == ["self"]:
        raise BadPlayer(f"{name} is a method without an object; write bot = MyClass() in the file and name bot.method")
    if len(needed) > 2 or not by_place:
        listed = f" ({', '.join(needed)}); {CALL_IT}" if needed else ""
        raise BadPlayer(f"{name} takes {len(needed)} arguments{listed}; {EXPECTED}; others need a default")
    if len(needed) == 2 and has_part(needed[0], SIDES, BOARDS) and has_part(needed[1], BOARDS, SIDES):
        return Recognised(SIDE_AND_BOARD)
    if len(needed) == 2 or any(has_part(p.name, SIDES) for p in by_place[1:2]):
        return Recognised(BOARD_AND_SIDE)
    return of_one_argument(function, by_place[0], otherwise)


def has_part(name: str, words: tuple[str, ...], others: tuple[str, ...] = ()) -> bool:
    """Whether one of the words is in the name, and none of the others."""
    return any(word in name.lower() for word in words) and not any(word in name.lower() for word in others)


def of_one_argument(function: Function, parameter: inspect.Parameter, otherwise: Form) -> Recognised:
    """The form of a function of one argument, by its annotation, its module or its name."""
    typed = (parameter.annotation, inspect.formatannotation(parameter.annotation))
    for kind, form in BY_TYPE:
        if kind in typed:
            return Recognised(form)
    if not has_part(parameter.name, ("pos",)) and any(kind in typed for kind in TUPLES):
        return Recognised(STATE)
    inner = inspect.unwrap(function)  # a cached function has no globals of its own
    around, called = getattr(inner, "__globals__", {}), getattr(inner, "__name__", "")
    if is_project(around) and called == MINIMAX:
        return Recognised(BOARD)
    if has_all(around, STATES) and called == BEST_STATE:
        return Recognised(STATE)
    for part, form in BY_NAME.items():
        if part in parameter.name.lower():
            return Recognised(form)
    return Recognised(otherwise, parameter.name)


def refuse_unusual(function: Function, name: str) -> None:
    """Raises BadPlayer for functions that return no move but something to wait for or to iterate over."""
    called = inspect.getattr_static(type(function), "__call__", None)
    if any(map(inspect.iscoroutinefunction, (function, called))):
        raise BadPlayer(f"{name} is async, and a player returns its move at once; write def instead of async def")
    if any(test(way) for test in GENERATORS for way in (function, called)):
        raise BadPlayer(f"{name} is a generator, since it has yield; return the move instead")


GENERATORS = (inspect.isgeneratorfunction, inspect.isasyncgenfunction)


def checked_player(player: object, name: str, unclear: str) -> Player:
    """What a function of that name returned for a seat; raises BadPlayer if that is no player."""
    if callable(player) and not (unclear and takes_more(player)):
        return player
    why = hint(unclear) if unclear else "it takes a seat, so it must return a function from position to move"
    raise BadPlayer(f"{name} returned {type(player).__name__} for a seat; {why}")


def takes_more(function: Function) -> bool:
    """Whether the function cannot be called with one argument."""
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return True
    except ValueError:  # some built-in functions do not tell
        pass
    return False


def hint(parameter: str) -> str:
    """What to do about a function whose one parameter does not tell what it takes."""
    return f"call its parameter {parameter} board, position or seat, whichever it takes: {EXPECTED}"


def is_project(namespace: Mapping[str, object]) -> bool:
    """Whether the names of a module have all functions of the project; its start position may be missing."""
    return has_all(namespace, PROJECT[1:])


def has_all(namespace: Mapping[str, object], functions: tuple[str, ...]) -> bool:
    """Whether the names of a module have all these functions."""
    return all(callable(namespace.get(name)) for name in functions)
