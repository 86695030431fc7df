"""A seat: all that a player is told before the game."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.words import Move, Player, Turn

PROVING_SECONDS = 10.0
"""The usual time of a player that stops when its move is proven."""
THINKING_SECONDS = 1.0
"""The usual time of a player that thinks for all of its time."""


def nobody(text: str) -> None:
    """Ignores the remark."""


def uncounted(nodes: int) -> None:
    """Ignores the nodes."""


class BotLimits(NamedTuple):
    """What a bot in a process of its own may take: memory in MiB; with `sandbox` neither network nor writing."""

    memory: int = 1024
    sandbox: bool = False


USUAL_LIMITS = BotLimits()


class Clock(NamedTuple):
    """The seconds that are left to the first and the second side, and what each gets on top for every move."""

    left: tuple[float, float]
    increment: tuple[float, float] = (0.0, 0.0)


class SoFar(NamedTuple):
    """What has happened in the game until now: where it began, the moves since, and the clock if there is one."""

    begin: Turn
    moves: tuple[Move, ...]
    clock: Clock | None = None


def untold() -> SoFar | None:
    """What a seat knows of the game so far if nobody tells it."""
    return None


class Seat(NamedTuple):
    """The game to be played, the side (0 moves first, 1 second), and the only source of randomness to use.

    `seconds`: how long a player may think about a move, None for its usual time. `say`: shows a remark to the user.
    `searched`: takes the nodes that a search for a move visited; battles report them. `so_far`: the game until now,
    for players that are told more than the position; None where nobody keeps it. `limits`: what a bot in a process of
    its own may take.
    """

    game: Game
    side: int
    rng: Random
    seconds: float | None = None
    say: Callable[[str], None] = nobody
    searched: Callable[[int], None] = uncounted
    so_far: Callable[[], SoFar | None] = untold
    limits: BotLimits = USUAL_LIMITS


def thinking_time(seat: Seat, seconds: float | None) -> float:
    """How long a player thinks: as long as its name says, else as its seat says, else its usual time."""
    return next(time for time in (seconds, seat.seconds, THINKING_SECONDS) if time is not None)


Maker = Callable[[Seat], Player]
"""Makes the player for a seat."""
