"""What a player is told when it sits down."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.words import Player

PROVING_SECONDS = 10.0
"""The usual time of a player that proves its moves and is done then."""
THINKING_SECONDS = 1.0
"""The usual time of a player that always takes all its time."""


def nobody(text: str) -> None:
    """Listens to nothing."""


class Seat(NamedTuple):
    """The game to be played, the side (0 moves first, 1 second), and the only source of chance to use.

    `seconds`: how long a player may think about a move, None for its usual time. `say`: tells whoever watches.
    """

    game: Game
    side: int
    rng: Random
    seconds: float | None = None
    say: Callable[[str], None] = nobody


def thinking_time(seat: Seat, seconds: float | None) -> float:
    """How long a player thinks: as long as its name says, else as its seat says, else its usual time."""
    return next(time for time in (seconds, seat.seconds, THINKING_SECONDS) if time is not None)


Maker = Callable[[Seat], Player]
"""Makes the player for a seat."""
