"""`tricky`: perfect, and among moves that are worth the same prefers threats and corners.

The classic hand-made tie-break of street-smart players, a number that only decides between equally good moves.
"""

from perfectplay.game import Game, moves_again
from perfectplay.players.choice import Liking
from perfectplay.players.named.perfect import BEST
from perfectplay.players.named.wins import winning_moves
from perfectplay.players.player_kind import PlayerKind, suits_searched
from perfectplay.rules.notation import moves_are_squares
from perfectplay.words import Move, Position, Sides


def trick(game: Game, position: Position, move: Move) -> int:
    """How tricky the move is: the threats that it leaves on the board, then whether it takes a corner."""
    return 2 * threats(game, position, move) + is_corner(game, move)


def threats(game: Game, position: Position, move: Move) -> int:
    """How many moves would win at once if the side that makes this move could move again, or does."""
    child = game.play(*position, move)
    if moves_again(game, position, move):
        return len(winning_moves(game, child))
    if not words_alike(game):
        return 0
    theirs, mine = child
    return len(winning_moves(game, (mine, theirs)))


def words_alike(game: Game) -> bool:
    """Whether both sides see the board the same way, so that the words can change places."""
    if isinstance(game.cells, Sides):
        return False
    return not any(len(spot) == 3 for cell in game.cells if not isinstance(cell, int) for spot in cell)


def is_corner(game: Game, move: Move) -> bool:
    """Whether the move takes a corner of the board."""
    width, height = game.shape
    return moves_are_squares(game) and move in (0, width - 1, (height - 1) * width, height * width - 1)


TRICKIEST = BEST.preferring(Liking(trick))

TRICKY = PlayerKind(
    "tricky",
    "perfect, and among moves that are worth the same prefers threats and corners",
    TRICKIEST.maker,
    policy=TRICKIEST.policy,
    aliases=("street_smart_minimax_ai", "street_smart_minmax_ai"),
    fault=suits_searched,
)
