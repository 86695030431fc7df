"""Questions about positions as two integers, for any game that callers may pass."""

from collections.abc import Callable

from perfectplay import game as records
from perfectplay.commands.terminal.arguments import GameLike, game_of
from perfectplay.game import is_position
from perfectplay.rules.loading import describe_fault
from perfectplay.rules.notation import not_a_position
from perfectplay.words import BadPosition, Move, Position


def legal_moves(game: GameLike, position: Position) -> list[Move]:
    """The legal moves by number, none if the game is over; raises BadPosition for what is not a position."""
    game = game_of(game)
    if not is_position(position, game.bits):
        raise not_a_position(game, position)
    try:
        return records.legal_moves(game, position)
    except (ArithmeticError, LookupError, ValueError) as fault:  # words that the rules do not expect
        raise BadPosition(f"the rules of {game.name} raise an error at {position}: {describe_fault(fault)}") from fault


def canonical(game: GameLike) -> Callable[[int, int], Position]:
    """The function that maps a position, (mine, theirs), to the smallest of its images: one for each class."""
    return records.canonical(game_of(game))
