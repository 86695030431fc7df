"""`random`: any legal move."""

from perfectplay.players.choice import ANY_MOVE
from perfectplay.players.player_kind import PlayerKind

RANDOM = PlayerKind(
    "random", "any legal move", ANY_MOVE.maker, policy=ANY_MOVE.policy, aliases=("random_ai",), label="Random"
)
