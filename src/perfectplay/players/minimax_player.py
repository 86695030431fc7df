"""`minimax`: looks at every game that can still be played, for games that end and are small."""

from dataclasses import replace
from functools import cache

from perfectplay.game import COMPILED_BITS
from perfectplay.players.perfect import BEST
from perfectplay.players.player_kind import PlayerKind
from perfectplay.players.seat import Seat
from perfectplay.solvers.lookup_or_solve import best_moves
from perfectplay.solvers.minimax import minimax_moves
from perfectplay.solvers.tree_size import check_walkable
from perfectplay.words import Move, Player, Position


def minimax_player(seat: Seat) -> Player:
    """A player that never gives the result away, wins as soon and loses as late as possible."""
    game, rng = seat.game, seat.rng
    check_walkable(game, instead=f"the player {'perfect' if game.bits <= COMPILED_BITS else 'mcts'}")

    nodes = [0]

    def counted(mine: int, theirs: int) -> int:
        nodes[0] += 1
        return game.outcome(mine, theirs)

    counting = replace(game, outcome=counted)

    @cache
    def choices(position: Position) -> list[Move]:
        nodes[0] = 1
        best = best_moves(minimax_moves(counting, position))
        seat.searched(nodes[0])
        return best

    return lambda position: rng.choice(choices(position))


MINIMAX = PlayerKind(
    "minimax",
    "looks at every game that can still be played, for games that end and are small",
    lambda name: minimax_player,
    policy=BEST.policy,
    aliases=("minimax_ai", "minmax_ai"),
)
