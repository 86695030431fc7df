"""`streetwise`: keeps the result and sets the traps that an opponent most likely falls into, streetwise:slips:0.1."""

from perfectplay.players.policy_player import policy_maker
from perfectplay.players.seat import Seat
from perfectplay.words import Player


def streetwise_player(seat: Seat) -> Player:
    """The player that expects any move of its opponent; other models follow the name."""
    return policy_maker("streetwise:uniform")(seat)
