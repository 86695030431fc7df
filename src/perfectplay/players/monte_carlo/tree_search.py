"""The loop of Monte Carlo tree search for any game: compiled if its rules compile, else the same text interpreted."""

from types import ModuleType
from typing import Any

import numpy as np

from perfectplay.compiler.compilable import arrays_of, count_moves, is_wide
from perfectplay.compiler.compiled import NO_RULES, load_pattern, pattern_text, rule_set
from perfectplay.compiler.integers.word_halves import halves
from perfectplay.game import Game
from perfectplay.words import Position

PATTERNS = ("players/monte_carlo/ucb", "players/monte_carlo/tree_kernels")
GAME_RULES = ("moves", "play", "outcome", "again")
"""The rules that random games take."""
LINE_PATTERNS = ("players/line_games/line_board", "players/monte_carlo/ucb", "players/monte_carlo/line_playouts")
MOST_MOVES = 4096
"""The most moves that a position is taken to have where a function names the moves of wide words."""


def load_tree(game: Game, compiled: bool) -> Any:
    """The functions of `tree_kernels.py` with the game's rules; raises BadGame if these do not compile."""
    if not compiled:
        return interpreted(game)
    rules = rule_set(game, checked=True)
    rules = rules._replace(functions={name: rules.functions.get(name) for name in GAME_RULES})
    return load_pattern((arrays_of(game), *PATTERNS), rules, f"MOVES = {count_moves(game)}\n")


def load_lines_tree() -> Any:
    """The functions of `line_playouts.py`, for line games of any size."""
    return load_pattern(LINE_PATTERNS, NO_RULES, "")


def interpreted(game: Game) -> Any:
    """The same functions for rules that do not compile, in plain Python."""
    module = ModuleType("tree")
    vars(module).update(
        np=np,
        njit=lambda **options: lambda function: function,  # compiles nothing
        guard=lambda function: function,
        lowest=lambda word: (word & -word).bit_length() - 1,
        ones=int.bit_count,
        moves=game.moves,
        play=game.play,
        outcome=game.outcome,
        again=game.again,
        MOVES=max(MOST_MOVES, count_moves(game)),
    )
    exec("".join(pattern_text(pattern) for pattern in ("compiler/narrow_arrays", *PATTERNS)), vars(module))
    return module


class Words:
    """Room for the positions of a tree: two arrays of words, or of halves, or two lists where nothing is compiled."""

    def __init__(self, game: Game, size: int, compiled: bool) -> None:
        self.halved = compiled and is_wide(game)
        self.mine, self.theirs = (self.room(size) if compiled else [0] * size for _ in range(2))

    def room(self, size: int) -> Any:
        """An array of that many words."""
        return np.zeros(2 * size if self.halved else size, np.int64)

    def begin(self, position: Position) -> None:
        """Writes the position to the first place."""
        for words, word in zip((self.mine, self.theirs), position, strict=True):
            if self.halved:
                words[0], words[1] = halves(word)
            else:
                words[0] = word
