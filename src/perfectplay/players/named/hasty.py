"""Moves at a glance: what a sensible player would not do, and what looks best to a hasty one."""

from functools import cache

from perfectplay.game import Game, legal_moves, moves_again
from perfectplay.players.named.blocks import safety
from perfectplay.players.named.wins import is_win
from perfectplay.words import ONGOING, Move, Position

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
        return sum(seen(here, move, plies) for move in moves) / len(moves)

    def seen(here: Position, move: Move, plies: int) -> float:
        found = expected(game.play(*here, move), plies - 1)
        return found if moves_again(game, here, move) else -found

    looks = {move: round(GRAIN * seen(position, move, RANDOM_PLIES + 1)) for move in sensible_moves(game, position)}
    return [move for move, look in looks.items() if look == max(looks.values())]
