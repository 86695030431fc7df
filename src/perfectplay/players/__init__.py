"""Players: functions position -> move, each made by a small factory for a seat, found by name or in a user's file."""

import inspect
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from perfectplay.loading import describe_fault, line_of, load_file, split_path
from perfectplay.players.blocks import blocks_player
from perfectplay.players.classic_player import classic_player
from perfectplay.players.minimax_player import minimax_player
from perfectplay.players.random_player import random_player
from perfectplay.players.seat import Maker, Seat
from perfectplay.players.wins import wins_player
from perfectplay.words import BadPlayer, PerfectplayError

__all__ = ["CLASSIC_NAMES", "HUMAN", "MAKERS", "Maker", "Seat", "player_maker"]

MAKERS: dict[str, Maker] = {
    "random": random_player,
    "wins": wins_player,
    "blocks": blocks_player,
    "minimax": minimax_player,
}
"""From the weakest to the strongest."""

HUMAN = "human"
"""The name of a person at the terminal, whom only a front end can ask."""

CLASSIC_NAMES = {
    "random_ai": "random",
    "finds_winning_moves_ai": "wins",
    "finds_winning_and_losing_moves_ai": "blocks",
    "minimax_ai": "minimax",
    "human_player": HUMAN,
}


def player_maker(name: str) -> Maker:
    """The maker of the players of that name: `wins`, `minimax_ai`, `./bots.py:my_ai`."""
    path, rest = split_path(name)
    if path is not None:
        return maker_in_file(name, path, rest)
    known = CLASSIC_NAMES.get(name, name)
    if known in MAKERS:
        return MAKERS[known]
    if known == HUMAN:
        raise BadPlayer("human can only play in the terminal: perfectplay play GAME --first human")
    close = get_close_matches(name, [*MAKERS, *CLASSIC_NAMES, HUMAN], 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(MAKERS)}, human, or ./bots.py:my_ai"
    raise BadPlayer(f"no player is called {name!r}; {hint}")


def maker_in_file(name: str, path: Path, function_name: str) -> Maker:
    """The maker for a user's function: of (board, side), or of a seat if it takes one argument."""
    module = load_file(path, BadPlayer)
    own = [
        key
        for key, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    ]
    if not function_name:
        raise BadPlayer(f"{name!r} does not say which function plays; write {path}:{own[0] if own else 'my_ai'}")
    function = getattr(module, function_name, None)
    if not callable(function):
        there = f"there are {', '.join(own)}" if own else "it has none"
        raise BadPlayer(f"{path} has no function {function_name!r}; {there}")
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
    """How many arguments the function must be given by place."""
    parameters = inspect.signature(function).parameters.values()
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in places and p.default is p.empty for p in parameters)


def guard(name: str, path: Path, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose faults become one line that says where in the file it broke down."""
    if not callable(function):
        raise BadPlayer(f"{name!r} takes a seat, so it must return a function from position to move")

    def guarded(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except PerfectplayError:
            raise
        except Exception as fault:
            raise BadPlayer(f"{name} broke down{line_of(fault, path)}: {describe_fault(fault)}") from fault

    return guarded
