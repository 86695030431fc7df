"""`blocks`: takes a win, else blocks a loss, else any legal move."""

from perfectplay.game import Game, moves_again
from perfectplay.players.choice import Liking
from perfectplay.players.named.wins import A_WIN, outcome_after, winning_moves
from perfectplay.players.player_kind import PlayerKind
from perfectplay.words import LOSS, Move, Position


def safety(game: Game, position: Position, move: Move) -> float:
    """Minus the number of ways to win that the move leaves the other side; the least if the move itself loses.

    Where two wins threaten, blocking either is better than nothing: one way is fewer than two. A move after which the
    same side moves again leaves none.
    """
    if outcome_after(game, position, move) == LOSS:
        return -float("inf")
    return 0 if moves_again(game, position, move) else -len(winning_moves(game, game.play(*position, move)))


A_BLOCK = A_WIN.preferring(Liking(safety, lambda graph: -graph.winning_replies))

BLOCKS = PlayerKind(
    "blocks",
    "takes a win, else blocks a loss, else any legal move",
    A_BLOCK.maker,
    policy=A_BLOCK.policy,
    aliases=("finds_winning_and_losing_moves_ai", "find_winning_and_losing_moves_ai"),
    label="Blocks",
)
