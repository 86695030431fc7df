"""The loop of Monte Carlo tree search for any game: compiled if its rules compile, else the same text interpreted."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from perfectplay.engines.compiled import NO_RULES, count_moves, load_pattern, pattern_text, rule_set
from perfectplay.game import Game

PATTERNS = ("players/monte_carlo/ucb", "players/monte_carlo/tree_kernels")
LINE_PATTERNS = ("players/line_games/line_board", "players/monte_carlo/ucb", "players/monte_carlo/line_playouts")
MOST_MOVES = 4096
"""The most moves that a position is taken to have where a function names the moves of wide words."""


def load_tree(game: Game, compiled: bool) -> Any:
    """The functions of `tree_kernels.py` with the game's rules; raises BadGame if these do not compile."""
    if not compiled:
        return interpreted(game)
    return load_pattern(PATTERNS, rule_set(game, checked=True), f"MOVES = {count_moves(game)}\n")


def load_lines_tree() -> Any:
    """The functions of `line_playouts.py`, for line games of any size."""
    return load_pattern(LINE_PATTERNS, NO_RULES, "")


def interpreted(game: Game) -> Any:
    """The same functions for rules that do not compile, in plain Python."""
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
    """Room for that many positions: two arrays of words, or two lists where nothing is compiled."""
    if compiled:
        return np.zeros(size, np.int64), np.zeros(size, np.int64)
    return [0] * size, [0] * size
