"""`wins`: takes a win, else any legal move."""

from functools import cache

from perfectplay.game import Game, legal_moves, moves_again
from perfectplay.players.player_kind import ANY_MOVE, Liking, PlayerKind
from perfectplay.words import LOSS, ONGOING, WIN, Move, Position


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


# `random`: any legal move.


RANDOM = PlayerKind(
    "random", "any legal move", ANY_MOVE.maker, policy=ANY_MOVE.policy, aliases=("random_ai",), label="Random"
)


# `blocks`: takes a win, else blocks a loss, else any legal move.


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


# Moves at a glance: what a sensible player would not do, and what looks best to a hasty one.


RANDOM_PLIES = 3
"""How many plies a hasty player imagines after a move, all at random."""
GRAIN = 10**6
"""What differs by less than a millionth looks alike to a hasty player."""


def sensible_moves(game: Game, position: Position) -> list[Move]:
    """The moves that take a win at once if there is one, else those that leave the fewest wins at once."""
    legal = legal_moves(game, position)
    wins = [move for move in legal if is_win(game, position, move)]
    safeties = {move: safety(game, position, move) for move in wins or legal}
    return [move for move, safe in safeties.items() if safe == max(safeties.values())]


def hasty_moves(game: Game, position: Position) -> list[Move]:
    """The sensible moves that look best to a player who imagines a few random plies after each."""

    @cache
    def expected(here: Position, plies: int) -> float:
        """What the position is worth on average to the side to move; 0 where the game lasts longer."""
        outcome = game.outcome(*here)
        if outcome != ONGOING or plies == 0:
            return 0 if outcome == ONGOING else outcome
        moves = legal_moves(game, here)
        return sum(worth(here, move, plies) for move in moves) / len(moves)

    def worth(here: Position, move: Move, plies: int) -> float:
        value = expected(game.play(*here, move), plies - 1)
        return value if moves_again(game, here, move) else -value

    looks = {move: round(GRAIN * worth(position, move, RANDOM_PLIES + 1)) for move in sensible_moves(game, position)}
    return [move for move, look in looks.items() if look == max(looks.values())]
