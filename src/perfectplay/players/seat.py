"""What a player is told when it sits down."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.words import Player


class Seat(NamedTuple):
    """The game to be played, the side (0 moves first, 1 second), and the only source of chance to use."""

    game: Game
    side: int
    rng: Random


Maker = Callable[[Seat], Player]
"""Makes the player for a seat."""
