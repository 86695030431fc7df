"""`wins`: takes a win, else any legal move."""

from perfectplay.game import Game, legal_moves, moves_again
from perfectplay.players.choice import ANY_MOVE, Liking
from perfectplay.players.player_kind import PlayerKind
from perfectplay.words import ONGOING, WIN, Move, Position


def winning_moves(game: Game, position: Position) -> list[Move]:
    """The moves that win at once."""
    return [move for move in legal_moves(game, position) if is_win(game, position, move)]


def is_win(game: Game, position: Position, move: Move) -> bool:
    """Whether the move wins at once."""
    return outcome_after(game, position, move) == WIN


def outcome_after(game: Game, position: Position, move: Move) -> int:
    """The outcome after the move, for the side that makes it."""
    outcome = game.outcome(*game.play(*position, move))
    return outcome if outcome == ONGOING or moves_again(game, position, move) else -outcome


A_WIN = ANY_MOVE.preferring(Liking(is_win, lambda graph: graph.wins_at_once))

WINS = PlayerKind(
    "wins",
    "takes a win, else any legal move",
    A_WIN.maker,
    policy=A_WIN.policy,
    aliases=("finds_winning_moves_ai", "find_winning_moves_ai"),
    label="Takes wins",
)
