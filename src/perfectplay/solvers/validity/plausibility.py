"""Whether a position can occur, where no table decides: the turn fits the pieces, and some move leads there."""

from functools import lru_cache
from random import Random

from perfectplay.game import Game, legal_moves
from perfectplay.rules.notation import pieces_on, plies_text, show_position, spots
from perfectplay.words import ONGOING, BadPosition, Position, Sides


def check_turn(game: Game, position: Position, side: int) -> None:
    """Raises BadPosition if the plies that were made, where the game tells them, say that it is the other's turn."""
    if game.plies_left is None or game.again is not None:
        return
    plies = game.plies_left(*game.start) - game.plies_left(*position)
    if plies % 2 != side:
        text, other = show_position(game, position, side), game.look.sides[1 - side]
        raise BadPosition(f"{text} cannot be reached: after {plies_text(plies)} it is {other}'s turn")


def check_before(game: Game, position: Position, side: int) -> None:
    """Raises BadPosition if moves only add pieces and no move leads here from an ongoing position."""
    if position == game.start or not only_adds(game):
        return
    places = spots(game, side)
    for square, at in enumerate(pieces_on(game, position, side)):
        if at is None or at[0] == side:
            continue
        before = (position[1] ^ places[square][at[1]][1], position[0])
        if game.outcome(*before) == ONGOING and any(
            game.play(*before, move) == position for move in legal_moves(game, before)
        ):
            return
    text, other = show_position(game, position, side), game.look.sides[1 - side]
    raise BadPosition(f"{text} cannot be reached: no move of {other} leads there from an ongoing position")


@lru_cache(maxsize=64)
def only_adds(game: Game, games: int = 5, longest: int = 200) -> bool:
    """Whether every move of a few random games adds just one piece of the mover."""
    if isinstance(game.cells, Sides) or game.again is not None:
        return False
    rng = Random(1)
    for _ in range(games):
        position = game.start
        for _ in range(longest):
            legal = legal_moves(game, position)
            if not legal:
                break
            mine, theirs = position
            position = game.play(*position, rng.choice(legal))
            pieces = position[1] ^ mine
            if position[0] != theirs or position[1] & mine != mine or pieces.bit_count() != 1:
                return False
    return True
