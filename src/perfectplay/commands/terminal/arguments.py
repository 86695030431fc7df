"""What callers may pass as a game, a size or a number."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from time import monotonic
from typing import TypeVar

from perfectplay.game import Game
from perfectplay.rules.loading import load_game, split_game, split_path
from perfectplay.solvers.steps import Step
from perfectplay.words import FIRST, SECOND, BadArgument, BadGame, Move, PerfectplayError

T = TypeVar("T")

GameLike = Game | str | os.PathLike[str]
"""A game, its name, or the path of its file."""

MoveLike = str | Move | Iterable[str | Move]
"""A move's name or number, several names with blanks between, or several of these."""

Progress = Callable[[Step], object]
"""A function that is called with the progress of a long computation."""

BETWEEN = 0.05
"""Seconds between two reports of progress."""


def load(name: str | os.PathLike[str]) -> Game:
    """The game of that name, such as "lines:4,4,3", or in that file, such as Path("mygame.py")."""
    if isinstance(name, str):
        return load_game(name)
    if not isinstance(name, os.PathLike):
        raise BadGame(f"{name!r} is not a game's name; write a text such as 'tic-tac-toe', or the path of a file")
    path = os.fspath(name)
    if split_path(path)[0] is None:
        raise BadGame(f"{path!r} is not a game's file, which ends in .py, such as ./mygame.py")
    return load_game(path)


def game_of(game: GameLike) -> Game:
    """The game; one that comes with the package is loaded once, and so solved once."""
    if isinstance(game, Game):
        return game
    return known_game(game) if isinstance(game, str) and split_game(game)[0] is None else load(game)


known_game = lru_cache(maxsize=16)(load_game)


def same_rules(one: Game, other: Game) -> bool:
    """Whether two games are the same: made by the same code under the same name, with the same start."""
    return one is other or identity(one) == identity(other)


def loads_by_name(game: Game) -> bool:
    """Whether the game's name, in this or another process, is enough to load it."""
    try:
        return same_rules(game_of(game.name), game)
    except PerfectplayError:
        return False


def identity(game: Game) -> tuple[object, ...]:
    """What distinguishes a game from others."""
    rules = tuple(getattr(function, "__code__", function) for function in (game.moves, game.play, game.outcome))
    return game.name, game.start, game.bits, game.shape, *rules


def whole(name: str, value: int | None, least: int, most: int = 10**15, optional: bool = True) -> None:
    """Raises BadArgument unless the value is a whole number in this range, or None if it is optional."""
    if (value is None and optional) or (
        isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    ):
        return
    raise BadArgument(f"{name}={value!r} is not a whole number from {least:,} to {most:,}")


def check_side(side: int) -> None:
    """Raises BadArgument unless this is FIRST or SECOND."""
    if side not in (FIRST, SECOND):
        raise BadArgument(f"side={side!r} is neither FIRST, 0, nor SECOND, 1")


def check_seconds(seconds: float | None, optional: bool = True) -> None:
    """Raises BadArgument unless this is a time, or None if it is optional."""
    if not (seconds is None and optional) and not (isinstance(seconds, int | float) and 0 < seconds <= 10**9):
        raise BadArgument(f"seconds={seconds!r} is not a time in seconds, such as 2 or 0.5")


def told(items: Iterable[T], total: int, what: str, progress: Progress | None) -> Iterator[T]:
    """The items; calls `progress` several times per second with the number done."""
    last = 0.0
    for done, item in enumerate(items):
        if progress is not None and monotonic() - last > BETWEEN:
            progress(Step(what, done, total))
            last = monotonic()
        yield item
