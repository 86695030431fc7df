"""A seat: all that a player is told before the game."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.words import Player

PROVING_SECONDS = 10.0
"""The usual time of a player that stops when its move is proven."""
THINKING_SECONDS = 1.0
"""The usual time of a player that thinks for all of its time."""


def nobody(text: str) -> None:
    """Ignores the remark."""


def uncounted(nodes: int) -> None:
    """Ignores the nodes."""


class Seat(NamedTuple):
    """The game to be played, the side (0 moves first, 1 second), and the only source of randomness to use.

    `seconds`: how long a player may think about a move, None for its usual time. `say`: shows a remark to the user.
    `searched`: takes the nodes that a search for a move visited; battles report them.
    """

    game: Game
    side: int
    rng: Random
    seconds: float | None = None
    say: Callable[[str], None] = nobody
    searched: Callable[[int], None] = uncounted


def thinking_time(seat: Seat, seconds: float | None) -> float:
    """How long a player thinks: as long as its name says, else as its seat says, else its usual time."""
    return next(time for time in (seconds, seat.seconds, THINKING_SECONDS) if time is not None)


Maker = Callable[[Seat], Player]
"""Makes the player for a seat."""
