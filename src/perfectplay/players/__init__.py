"""Players: functions position -> move, each made by a small factory for a seat, found by name or in a user's file."""

from perfectplay.players.named.human_player import HUMAN
from perfectplay.players.registry import KINDS, in_own_file, in_own_process, plain_name, player_maker, policy_named
from perfectplay.players.seat import Maker, Seat

__all__ = [
    "HUMAN",
    "KINDS",
    "Maker",
    "Seat",
    "in_own_file",
    "in_own_process",
    "plain_name",
    "player_maker",
    "policy_named",
]
