"""`minimax`: looks at every game that can still be played; `minimax:4` looks four plies ahead."""

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from perfectplay.compiler.line_rules import is_searchable
from perfectplay.game import Game
from perfectplay.players.named.depth_search import greatest, seen_for
from perfectplay.players.named.perfect import BEST
from perfectplay.players.player_kind import PlayerKind, PlayerName
from perfectplay.players.seat import Maker, Seat
from perfectplay.solvers.lookup_or_solve import best_moves
from perfectplay.solvers.search.minimax import minimax_moves
from perfectplay.solvers.search.tree_size import check_walkable
from perfectplay.words import Move, Player, Position

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy

DEEPEST, DEEPEST_SERVED = 100, 6
"""The deepest search that a name can ask for, and the deepest that a request to a server can."""


def minimax_player(seat: Seat) -> Player:
    """A player that never gives the result away, wins as soon and loses as late as possible."""
    game, rng = seat.game, seat.rng
    check_walkable(game, instead=f"the player {'perfect' if is_searchable(game) else 'mcts'}")

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


def depth_in(name: PlayerName) -> int | None:
    """The depth in the name, None if it has none: to the end of the game."""
    return name.whole_number(1, DEEPEST) if ":" in name.text else None


def minimax_maker(name: PlayerName) -> Maker:
    """The maker of the players that search to the depth in their name."""
    depth = depth_in(name)
    return minimax_player if depth is None else lambda seat: searching_player(seat, depth)


def searching_player(seat: Seat, depth: int) -> Player:
    """A player that looks that many plies ahead and takes what lies beyond for a draw."""
    seen, rng = seen_for(seat.game, depth), seat.rng
    return lambda position: rng.choice(greatest(seen(position, depth)))


def minimax_policy(name: PlayerName, game: Game) -> "Policy":
    """The best moves, or the best within the depth: a full search finds every win and loss within its depth."""
    from perfectplay.players.models import policies  # numpy: only when it is wanted

    depth = depth_in(name)
    return BEST.policy(name, game) if depth is None else policies.Policy(policies.shallow(depth))


MINIMAX = PlayerKind(
    "minimax",
    "searches all games that can still be played; with a depth, that many plies, in any game, the rest being draws",
    minimax_maker,
    "minimax:4",
    bare=True,
    policy=minimax_policy,
    aliases=("minimax_ai", "minmax_ai"),
    served=lambda name: (depth_in(name) or 0) <= DEEPEST_SERVED,
    compiles=True,
)
