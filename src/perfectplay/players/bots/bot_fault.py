"""What is said of a bot that does not play as it should, and how long it may think."""

from collections.abc import Callable

from perfectplay.game import Game
from perfectplay.players.seat import Seat, SoFar
from perfectplay.rules.notation import draw_position
from perfectplay.words import BotFault, Cause, Position

MARGIN = 0.5
"""Seconds that a move may come late, and a bot with a clock in all of a game: a busy machine is not the bot's fault."""
LONGEST_WAIT = 60.0
"""Seconds that a bot has for a move if nothing else was said."""
LONGEST_SHOWN = 200
"""Characters that are shown of what a bot wrote."""

FaultKind = Callable[[str, Cause], BotFault]


def fault_in(
    game: Game, position: Position, side: int, text: str, kind: FaultKind = BotFault, cause: Cause = Cause.CRASH
) -> BotFault:
    """The error for a bot that has not moved, with the position drawn."""
    return kind(f"{text}; {game.look.sides[side]} was to move in\n{draw_position(game, position, side)}", cause)


def as_written(text: str) -> str:
    """What a bot wrote, in quotes, shortened, with control characters made visible."""
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "...")


class Allowance:
    """The time that a bot has for its moves in one game."""

    def __init__(self) -> None:
        self.overdrawn = [0.0, 0.0]
        """The seconds that each side has taken beyond its clock."""

    def seconds(self, seat: Seat, so_far: SoFar | None) -> float:
        """How long the bot may take for its next move."""
        if so_far is not None and so_far.clock is not None:
            return max(0.0, so_far.clock.left[seat.side]) + max(0.0, MARGIN - self.overdrawn[seat.side])
        return LONGEST_WAIT if seat.seconds is None else seat.seconds + MARGIN

    def spend(self, seat: Seat, so_far: SoFar | None, seconds: float) -> None:
        """Takes note that the bot has moved after so many seconds."""
        if so_far is not None and so_far.clock is not None:
            self.overdrawn[seat.side] += max(0.0, seconds - max(0.0, so_far.clock.left[seat.side]))

    def late(self, seat: Seat, so_far: SoFar | None) -> str:
        """What is said of a bot that has not moved in time."""
        if so_far is not None and so_far.clock is not None:
            left = so_far.clock.left[seat.side]
            return f"did not move within the {left:.3g} s left on its clock" if left > 0 else "had no time left"
        return f"did not move within {LONGEST_WAIT if seat.seconds is None else seat.seconds:g} s"
