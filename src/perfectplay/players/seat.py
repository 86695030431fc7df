"""A seat: all that a player is told before the game."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple, TypeVar

from perfectplay.game import Game
from perfectplay.solvers.search.search_clock import StopSignal
from perfectplay.words import Move, Player, Position, Turn

T = TypeVar("T")

PROVING_SECONDS = 10.0
"""The usual time of a player that stops when its move is proven."""
THINKING_SECONDS = 1.0
"""The usual time of a player that thinks for all of its time."""
MOST_SHARES = 20
"""A player with a clock divides the time that it has left among its next moves, at most this many."""
OF_INCREMENT = 0.8
"""How much of the increment is for the move before it."""
RESERVE = 0.05
"""Seconds that stay on the clock: answers take their time, too."""


def nobody(text: str) -> None:
    """Ignores the remark."""


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
    """What has happened in the game until now: where it began, the moves since, and the clock if there is one.

    `seconds` is the time for the next move alone, where whoever asks for it says so.
    """

    begin: Turn
    moves: tuple[Move, ...]
    clock: Clock | None = None
    seconds: float | None = None


class Seat(NamedTuple):
    """The game to be played, the side (0 moves first, 1 second), and the only source of randomness to use.

    `seconds`: how long a player may think about a move, None for its usual time. `say`: shows a remark to the user.
    `searched`: takes the nodes that a search for a move visited; battles report them. `so_far`: the game until now,
    for players that are told more than the position; None where nobody keeps it. `limits`: what a bot in a process of
    its own may take. `stop`: ends a search for a move early. `threads`: how many a search may use; one where several
    games are played at a time. `lazy`: nobody watches a clock, so the player compiles what a move needs when the move
    comes.
    """

    game: Game
    side: int
    rng: Random
    seconds: float | None = None
    say: Callable[[str], None] = nobody
    searched: Callable[[int], None] = lambda nodes: None
    so_far: Callable[[], SoFar | None] = lambda: None
    limits: BotLimits = USUAL_LIMITS
    stop: StopSignal | None = None
    threads: int = 1
    lazy: bool = False


Maker = Callable[[Seat], Player]
"""Makes the player for a seat."""


def thinking_time(seat: Seat, position: Position, seconds: float | None) -> float:
    """How long a player thinks about the position: as long as its name says, else as it is told, else as usual.

    It never takes longer than it has for this move or on its clock, whatever its name says.
    """
    if seconds is None:
        return told_time(seat, position, THINKING_SECONDS)
    so_far = seat.so_far()
    if so_far is None:
        return seconds
    most = [so_far.seconds] if so_far.clock is None else [so_far.seconds, longest(so_far.clock.left[seat.side])]
    return min([seconds, *(limit for limit in most if limit is not None)])


def thinking_for(player: Callable[[Seat, Callable[[Position], float]], Player], seconds: float | None) -> Maker:
    """The maker of such players that think for `seconds` per move; None leaves it to their seat."""
    return lambda seat: player(seat, lambda position: thinking_time(seat, position, seconds))


def told_time(seat: Seat, position: Position, usual: T) -> float | T:
    """How long a player is to think about the position: for this move, by the clock, by its seat, else as usual."""
    so_far = seat.so_far()
    if so_far is not None and so_far.seconds is not None:
        return so_far.seconds
    if so_far is not None and so_far.clock is not None:
        return share(seat, position, so_far.clock)
    return usual if seat.seconds is None else seat.seconds


def share(seat: Seat, position: Position, clock: Clock) -> float:
    """The time for one move out of what the seat's side has left: an equal share, and most of the increment."""
    seconds, plies_left = clock.left[seat.side], seat.game.plies_left
    moves = MOST_SHARES if plies_left is None else min(MOST_SHARES, max(1, (plies_left(*position) + 1) // 2))
    return min(seconds / moves + OF_INCREMENT * clock.increment[seat.side], longest(seconds))


def longest(seconds: float) -> float:
    """The most seconds that a move may take of those that are left."""
    return max(seconds - RESERVE, seconds / 10, 0.0)
