"""The same rules, compiled by numba to machine code over signed 64-bit integers.

The only module that imports numba; whoever compiles nothing imports neither.
"""

from collections.abc import Callable
from dataclasses import replace
from types import CellType, FunctionType
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from perfectplay.game import COMPILED_BITS, Game, Images, canonical, images
from perfectplay.words import ONGOING, BadGame, Sides

Keys = NDArray[np.int64]


def compiled(game: Game) -> Game:
    """The same game with its functions compiled; words and moves must fit 63 bits."""
    if game.bits > COMPILED_BITS:
        raise BadGame(f"{game.name} needs {game.bits} bits a word; up to {COMPILED_BITS} compile, more run interpreted")
    names = game.move_names.first if isinstance(game.move_names, Sides) else game.move_names
    if not callable(names) and len(names) > COMPILED_BITS:
        raise BadGame(f"{game.name} has {len(names)} moves; up to {COMPILED_BITS} compile, more run interpreted")
    made: dict[object, Any] = {}
    turns = images(game)
    return replace(
        game,
        moves=compile_function(game.moves, made),
        play=compile_function(game.play, made),
        outcome=compile_function(game.outcome, made),
        key=game.key and compile_function(game.key, made),
        unkey=game.unkey and compile_function(game.unkey, made),
        symmetries=Images(turns.count, compile_function(turns.image, made)),
    )


def compile_function(function: Callable[..., Any], made: dict[object, Any]) -> Any:
    """The function compiled, and with it every plain function that it calls, from globals or from its closure."""
    if not isinstance(function, FunctionType):
        return function
    if function not in made:
        names = function.__code__.co_names
        outside = {name: value for name, value in function.__globals__.items() if name in names}
        inside = [cell.cell_contents for cell in function.__closure__ or ()]
        twin = FunctionType(
            function.__code__,
            {
                **function.__globals__,
                **{name: compile_function(value, made) for name, value in outside.items()},
            },
            function.__name__,
            function.__defaults__,
            tuple(CellType(compile_function(value, made)) for value in inside),
        )
        made[function] = numba.njit(twin)
    return made[function]


def positions_by_ply(game: Game, symmetric: bool = False) -> list[int]:
    """How many positions, or classes of them, there are at each ply, in a game that moves on a level each ply.

    Levels are sorted arrays of keys: expanding them in order and sorting the children costs less than any hash table.
    """
    fast = compiled(game)
    if fast.key is None:
        raise BadGame(f"{game.name} has no 63-bit key")
    expand = children_of_all(fast, symmetric)
    level = np.array([fast.key(*game.start)], np.int64)
    counts = []
    while level.size:
        counts.append(int(level.size))
        level = np.unique(expand(level))
    return counts


def children_of_all(game: Game, symmetric: bool) -> Callable[[Keys], Keys]:
    """A compiled function from the keys of positions to the keys of all their children, repeats included."""
    moves, play, outcome = game.moves, game.play, game.outcome
    key: Any = game.key
    unkey: Any = game.unkey
    made: dict[object, Any] = {}
    smallest = compile_function(canonical(game) if symmetric else unchanged, made)

    @numba.njit
    def expand(keys):  # type: ignore[no-untyped-def]
        size = 0
        for number in keys:
            mine, theirs = unkey(number)
            if outcome(mine, theirs) == ONGOING:
                legal = moves(mine, theirs)
                while legal:
                    size += 1
                    legal &= legal - 1
        children = np.empty(size, np.int64)
        at = 0
        for number in keys:
            mine, theirs = unkey(number)
            if outcome(mine, theirs) == ONGOING:
                legal, move = moves(mine, theirs), 0
                while legal:
                    if legal & 1:
                        new_mine, new_theirs = play(mine, theirs, move)
                        new_mine, new_theirs = smallest(new_mine, new_theirs)
                        children[at] = key(new_mine, new_theirs)
                        at += 1
                    legal >>= 1
                    move += 1
        return children

    return expand  # type: ignore[no-any-return]


def unchanged(mine: int, theirs: int) -> tuple[int, int]:
    """The position itself."""
    return mine, theirs
