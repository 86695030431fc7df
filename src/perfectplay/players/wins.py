"""`wins`: takes a win, else any legal move."""

from perfectplay.game import Game, legal_moves
from perfectplay.players.choice import ANY_MOVE, Liking
from perfectplay.players.player_kind import PlayerKind
from perfectplay.words import LOSS, Move, Position


def winning_moves(game: Game, position: Position) -> list[Move]:
    """The moves that win at once: after them the other side has lost."""
    return [move for move in legal_moves(game, position) if is_win(game, position, move)]


def is_win(game: Game, position: Position, move: Move) -> bool:
    """Whether the move wins at once."""
    return game.outcome(*game.play(*position, move)) == LOSS


A_WIN = ANY_MOVE.preferring(Liking(is_win, lambda graph: graph.wins_at_once))

WINS = PlayerKind(
    "wins",
    "takes a win, else any legal move",
    A_WIN.maker,
    policy=A_WIN.policy,
    aliases=("finds_winning_moves_ai", "find_winning_moves_ai"),
    label="Takes wins",
)
