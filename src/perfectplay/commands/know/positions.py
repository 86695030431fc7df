"""Positions: of any game that callers may pass, in a match, and whether they can be reached."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from perfectplay import game as records
from perfectplay.commands.terminal.arguments import GameLike, game_of
from perfectplay.game import Game, is_position
from perfectplay.rules.loading import describe_fault
from perfectplay.rules.notation import not_a_position, show_position
from perfectplay.views.json_facts import Fact
from perfectplay.words import BadPosition, Move, Position

STANDING = Fact("match", encode=lambda match: {"game": match.game.name, "position": match.text()}, spread=True)
"""The position of a result that has a match, as facts of the result."""


@contextmanager
def reached(game: Game, position: Position, side: int) -> Iterator[None]:
    """Says, where the work in its block raises BadPosition, that the position cannot be reached."""
    try:
        yield
    except BadPosition:
        where = show_position(game, position, side)
        raise BadPosition(f"{where} cannot be reached in {game.name} by legal play from the start") from None


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
