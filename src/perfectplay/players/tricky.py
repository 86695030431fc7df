"""`tricky`: perfect, and among moves that are worth the same prefers threats and corners.

The classic hand-made tie-break of street-smart players, a number that only decides between equally good moves.
"""

from perfectplay.game import Game, legal_moves
from perfectplay.notation import moves_are_squares
from perfectplay.players.choice import Liking
from perfectplay.players.perfect import BEST
from perfectplay.players.player_kind import PlayerKind, suits_searched
from perfectplay.words import LOSS, Move, Position, Sides


def trick(game: Game, position: Position, move: Move) -> int:
    """How tricky the move is: the threats that it leaves on the board, then whether it takes a corner."""
    return 2 * threats(game, game.play(*position, move)) + is_corner(game, move)


def threats(game: Game, position: Position) -> int:
    """How many moves would win at once if the side that has just moved could move again."""
    if isinstance(game.cells, Sides):  # each side sees the board its own way: the words cannot change places
        return 0
    theirs, mine = position
    again = (mine, theirs)
    return sum(game.outcome(*game.play(*again, move)) == LOSS for move in legal_moves(game, again))


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
