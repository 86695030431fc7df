"""Win probabilities against the usual opponent, the one that the player `streetwise` expects: a random one."""

from functools import lru_cache
from typing import TYPE_CHECKING

from perfectplay.game import Game
from perfectplay.players.named.streetwise import USUAL
from perfectplay.players.registry import policy_named
from perfectplay.solvers.lookup_or_solve import is_solved
from perfectplay.solvers.memory.interpreted import SMALL
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.words import Move, Position

if TYPE_CHECKING:
    from perfectplay.players.models.win_probability import WinProbabilities

Chances = dict[Move, float]
"""The win probability of the side to move after each of its moves, if all its later moves keep the result."""


def chances_at(game: Game, position: Position) -> Chances | None:
    """The win probabilities after the moves of a position; None in games where they are not cheap to compute."""
    if not is_cheap(game):
        return None
    from perfectplay.players.models.move_probabilities import move_probabilities  # numpy: only when it is wanted

    chances = move_probabilities(game, probabilities(game), position)
    return {move: float(probability.win) for move, probability in chances.moves.items()}


@lru_cache(maxsize=8)
def is_cheap(game: Game) -> bool:
    """Whether the game is solved and has few enough positions to compute all win probabilities in a second or two."""
    table = kept_table(game)
    return is_solved(game) and (table is None or table.header.positions <= SMALL)


@lru_cache(maxsize=4)
def probabilities(game: Game) -> "WinProbabilities":
    """The win probabilities in all positions."""
    from perfectplay.players.models.move_probabilities import win_probabilities_against

    return finished(win_probabilities_against(game, policy_named(USUAL, game)))
