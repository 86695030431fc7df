"""`dawdling`: minimax without regard to distance, as it is often written first.

It keeps the result, and takes the first such move. A win in one ply is no better to it than a win in nine, so it may
put a win off again and again; in games with cycles it may never win a won game.
"""

from typing import TYPE_CHECKING

from perfectplay.game import Game
from perfectplay.players.player_kind import SOLVED_GAMES, PlayerKind, PlayerName, suits_solved
from perfectplay.players.seat import Seat
from perfectplay.solvers.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.words import Move, Player, Position

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy


def dawdling_player(seat: Seat) -> Player:
    """A player that takes the first move of the best value."""
    lookup = lookup_for(seat.game)

    def choose(position: Position) -> Move:
        values = {move: entry.value for move, entry in entries_of_moves(seat.game, lookup, position).items()}
        return min(move for move, value in values.items() if value == max(values.values()))

    return choose


def dawdling(name: PlayerName, game: Game) -> "Policy":
    """The first move of the best value; images of a position have other first moves."""
    from perfectplay.players.models import policies  # numpy: only when it is wanted

    return policies.Policy(policies.first_of(lambda graph: graph.best(graph.results)), symmetric=False)


DAWDLING = PlayerKind(
    "dawdling",
    "minimax without regard to distance: the first move that keeps the result, so it may never finish a won game",
    lambda name: dawdling_player,
    policy=dawdling,
    games=SOLVED_GAMES,
    fault=suits_solved,
)
