"""Which games compile, and to what kind of words; needs no numba."""

from collections.abc import Sized

from perfectplay.game import COMPILED_BITS, WIDE_BITS, Game
from perfectplay.words import BadGame, Sides


def check_compiles(game: Game, most: int = COMPILED_BITS) -> None:
    """Raises BadGame if a game's words or moves have more than `most` bits."""
    if max(game.bits, count_moves(game)) <= most:
        return
    excess = f"needs {game.bits} bits a word" if game.bits > most else f"has {count_moves(game)} moves"
    if most == WIDE_BITS or max(game.bits, count_moves(game)) > WIDE_BITS:
        raise BadGame(f"{game.name} {excess}; up to {WIDE_BITS} compile, more run interpreted")
    raise BadGame(f"{game.name} {excess}; this takes up to {most}, only search and Monte Carlo take up to {WIDE_BITS}")


def count_moves(game: Game) -> int:
    """The number of move names; if a function names them, its length, or the most that compile if it has none."""
    names = game.move_names.first if isinstance(game.move_names, Sides) else game.move_names
    most = COMPILED_BITS if game.bits <= COMPILED_BITS else WIDE_BITS
    return most if callable(names) and not isinstance(names, Sized) else len(names)


def is_wide(game: Game) -> bool:
    """Whether a game needs words of more than 63 bits, for its positions or for its moves."""
    return max(game.bits, count_moves(game)) > COMPILED_BITS


def arrays_of(game: Game) -> str:
    """The pattern that keeps the game's words in arrays."""
    return "compiler/integers/wide_arrays" if is_wide(game) else "compiler/narrow_arrays"


def has_turns(game: Game) -> bool:
    """Whether the search is that of `turn_search_kernels.py`: scores may not just change sign, or words are wide."""
    return game.again is not None or game.margin is not None or is_wide(game)
