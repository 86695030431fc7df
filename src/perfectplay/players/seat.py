"""What a player is told when it sits down."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.words import Player


def nobody(text: str) -> None:
    """Listens to nothing."""


class Seat(NamedTuple):
    """The game to be played, the side (0 moves first, 1 second), and the only source of chance to use.

    `seconds`: how long a player may think about a move, None for as long as it takes. `say`: tells whoever watches.
    """

    game: Game
    side: int
    rng: Random
    seconds: float | None = None
    say: Callable[[str], None] = nobody


Maker = Callable[[Seat], Player]
"""Makes the player for a seat."""
