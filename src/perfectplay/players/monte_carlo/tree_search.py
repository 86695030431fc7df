"""The loop of a search by random games for any game: compiled if its rules compile, else the same text as it is."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from perfectplay.engines.compiled import count_moves, load_pattern, pattern_text, rule_set
from perfectplay.game import Game

PATTERNS = ("players/monte_carlo/ucb", "players/monte_carlo/tree_kernels")


MOST_MOVES = 4096
"""Where a function names the moves of wide words, there are taken to be no more than this in a position."""


def load_tree(game: Game, compiled: bool) -> Any:
    """The functions of `tree_kernels.py` with the game's rules; raises BadGame if these do not compile."""
    if not compiled:
        return interpreted(game)
    return load_pattern(PATTERNS, rule_set(game, checked=True), f"MOVES = {count_moves(game)}\n")


def interpreted(game: Game) -> Any:
    """The same for rules that do not compile, by plain Python."""
    module = ModuleType("tree")
    vars(module).update(
        np=np,
        njit=as_it_is,
        lowest=lambda word: (word & -word).bit_length() - 1,
        ones=int.bit_count,
        moves=game.moves,
        play=game.play,
        outcome=game.outcome,
        MOVES=max(MOST_MOVES, count_moves(game)),
    )
    exec("".join(pattern_text(pattern) for pattern in PATTERNS), vars(module))
    return module


def as_it_is(**options: object) -> Callable[[Any], Any]:
    """Compiles nothing."""
    return lambda function: function


def new_words(size: int, compiled: bool) -> tuple[Any, Any]:
    """Room for so many positions: two arrays of words, or two lists where nothing is compiled."""
    if compiled:
        return np.zeros(size, np.int64), np.zeros(size, np.int64)
    return [0] * size, [0] * size
