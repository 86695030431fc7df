"""The loop of a search by random games for any game: compiled if its rules compile, else the same text as it is."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from perfectplay.engines.compiled import ENGINES, LINE, check_compiles, count_moves, load_pattern
from perfectplay.game import Game
from perfectplay.source import rule_functions
from perfectplay.words import BadGame

PATTERN = "tree_kernels"


def load_tree(game: Game) -> Any:
    """The functions of `engines/tree_kernels.py` with the game's rules."""
    try:
        check_compiles(game)
    except BadGame:
        return interpreted(game)
    return load_pattern([PATTERN], rule_functions(game), f"MOVES = {count_moves(game)}\n", "@njit")


def interpreted(game: Game) -> Any:
    """The same for words too wide to compile, by plain Python."""
    module = ModuleType("tree")
    text = (ENGINES / f"{PATTERN}.py").read_text(encoding="utf-8").partition(LINE)[2]
    vars(module).update(
        np=np,
        njit=as_it_is,
        lowest=lambda word: (word & -word).bit_length() - 1,
        ones=int.bit_count,
        moves=game.moves,
        play=game.play,
        outcome=game.outcome,
        MOVES=game.shape[0] * game.shape[1] if callable(game.move_names) else count_moves(game),
    )
    exec(text, vars(module))
    return module


def as_it_is(**options: object) -> Callable[[Any], Any]:
    """Compiles nothing."""
    return lambda function: function


def new_tree(game: Game, size: int) -> tuple[Any, ...]:
    """The arrays of a tree with room for so many nodes, in the order in which the loop takes them."""
    compiles = game.bits < 64
    mine, theirs = (np.zeros(size, np.int64) if compiles else [0] * size for _ in range(2))
    firsts, counts, visits = (np.zeros(size, np.int64) for _ in range(3))
    return mine, theirs, firsts, counts, visits, np.zeros(size), np.zeros(size, np.int8), np.zeros(3, np.int64)
