"""What rule functions return, checked: an impossible result raises BadGame with the function and the position."""

from collections.abc import Callable
from pathlib import Path

from perfectplay.game import Game, is_position, moves_again
from perfectplay.rules.notation import move_name, show_position
from perfectplay.words import LOSS, ONGOING, SECOND, BadGame, Move, Position, Turn


class NeverReturns(BadGame):
    """A rule function does not return; the message says which, and where."""


def checked_outcome(game: Game, position: Position, side: int) -> int:
    """The outcome of the position; raises BadGame if it is none of the four."""
    outcome: object = game.outcome(*position)
    if isinstance(outcome, int) and outcome is not True and outcome is not False and LOSS <= outcome <= ONGOING:
        return outcome
    where = turn_text(game, position, side)
    raise BadGame(f"outcome is {outcome!r} in {where}; it must be LOSS, DRAW, WIN or ONGOING{place(game.outcome)}")


def checked_moves(game: Game, position: Position, side: int) -> int:
    """The legal moves of an ongoing position as bits; raises BadGame if there is none or this is no number."""
    moves: object = game.moves(*position)
    if isinstance(moves, int) and moves > 0:
        return moves
    where = turn_text(game, position, side)
    if moves == 0:
        why = f"look at moves, or at where outcome ends the game{place(game.moves)}"
        raise BadGame(f"{where} is ONGOING without a legal move; {why}")
    form = "it must be an integer, bit m set when move m is legal"
    raise BadGame(f"moves is {moves!r} in {where}; {form}{place(game.moves)}")


def checked_play(game: Game, position: Position, side: int, move: Move) -> Position:
    """The position after the move; raises BadGame if it is not two words."""
    child = game.play(*position, move)
    if not is_position(child, game.bits):
        raise bad_play(game, position, side, move, child)
    return child


def checked_after(game: Game, position: Position, side: int, move: Move) -> Turn:
    """The position after the move and the side to move in it; raises BadGame if it is not two words."""
    return checked_play(game, position, side, move), side if moves_again(game, position, move) else SECOND - side


def bad_play(game: Game, position: Position, side: int, move: Move, child: object) -> BadGame:
    """The error for a move that leads to no position."""
    where = turn_text(game, position, side)
    try:
        name = move_name(game, position, side, move)
    except BadGame as unnamed:
        return BadGame(f"{unnamed}; it is a legal move in {where}{place(game.moves)}")
    form = f"a tuple of two whole numbers of at most {game.bits} bits, (theirs, mine) after the move"
    message = f"play leads to {child!r} from {where} by move {move} ({name}); it must return {form}"
    return BadGame(f"{message}{place(game.play)}")


def place(rule: Callable[..., object]) -> str:
    """Where a user's rule function is, as the end of a line: ` (mygame.py, line 12)`; empty for other functions."""
    code = getattr(rule, "__code__", None)
    if code is None or str(getattr(rule, "__module__", "")).startswith("perfectplay."):
        return ""
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def turn_text(game: Game, position: Position, side: int) -> str:
    """The position as text and as its two words."""
    try:
        return f"{show_position(game, position, side)} {position}"
    except Exception:  # words that are not yet known to be right, drawn by a look that may not be
        return f"{position}"
