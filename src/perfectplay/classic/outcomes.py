"""How games end, in numbers that have names."""

from enum import IntEnum
from typing import NamedTuple

from perfectplay.rules.notation import number_of
from perfectplay.words import Brief, BriefEnum


class GameOutcome(IntEnum, metaclass=BriefEnum):
    """A draw or the player who wins, 1 or 2."""

    Draw = 0
    P1win = 1
    P2win = 2


class Counts(NamedTuple):
    """How many games were drawn, won by the first and by the second."""

    draws: int
    first: int
    second: int


class Tally(Counts, metaclass=Brief):
    """How many games were drawn, won by the first and by the second: `tally[play(...)]` is where a game counts.

    `forfeits` has how many games each player forfeited, and `reasons` why it forfeited the first of them.
    """

    forfeits: tuple[int, int] = (0, 0)
    reasons: tuple[str, str] = ("", "")

    def with_forfeits(self, forfeits: tuple[int, int], reasons: tuple[str, str]) -> "Tally":
        """The same counts, with the forfeits among them."""
        tally = Tally(*self)
        tally.forfeits, tally.reasons = forfeits, reasons
        return tally

    def __repr__(self) -> str:
        counts = super().__repr__()
        return f"{counts[:-1]}, forfeits={self.forfeits})" if any(self.forfeits) else counts

    def __str__(self) -> str:
        return "; ".join([super().__repr__(), *self.forfeit_lines()])

    def forfeit_lines(self) -> list[str]:
        """How many games each player forfeited and why, in a line; none for a player without forfeits."""
        return [
            f"the {which} player forfeited {number_of(count, 'game')}: {reason}"
            for which, count, reason in zip(("first", "second"), self.forfeits, self.reasons, strict=True)
            if count
        ]

    def to_dict(self) -> dict[str, object]:
        """The counts as in JSON; with the forfeits if there are any."""
        facts: dict[str, object] = self._asdict()
        return {**facts, "forfeits": [*self.forfeits], "reasons": [*self.reasons]} if any(self.forfeits) else facts
