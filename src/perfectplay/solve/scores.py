"""Scores and bounds: what a search knows of a position before it knows all, and what it says in the end."""

from typing import NamedTuple

from perfectplay.words import DRAW, LOSS, WIN, Entry

TOP = 127
"""A win after d plies scores TOP - d, a loss after d plies d - TOP, a draw 0; as in `engines/search_kernels.py`."""


class Bounds(NamedTuple):
    """The lowest and the highest score that a position can still have."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether there is nothing left to find out."""
        return self.low == self.high

    def before(self) -> "Bounds":
        """The same, seen one ply earlier by the other side."""
        return Bounds(earlier(self.high), earlier(self.low))

    def value(self) -> int | None:
        """The value, if that much is known."""
        if self.low > 0:
            return WIN
        if self.high < 0:
            return LOSS
        return DRAW if self.exact else None

    def distance(self) -> int | None:
        """The plies to the end, if they are known; of a draw a score says nothing."""
        return entry_of(self.low).distance if self.exact else None

    def looked(self) -> int:
        """The plies within which everything is known: no end that nobody has found."""
        if self.exact:
            return TOP
        return min(TOP - self.high if self.high > 0 else TOP, TOP + self.low if self.low < 0 else TOP) - 1

    def promise(self) -> tuple[int, int]:
        """Greater is better: what is proven comes first, then what is still possible."""
        return self.low, self.high


def earlier(score: int) -> int:
    """The score of the position one ply earlier, for the other side."""
    return -score + (score > 0) - (score < 0)


def later(score: int) -> int:
    """The score that the other side has one ply later, if the move was worth this score."""
    return -score - (score > 0) + (score < 0)


def score_of(entry: Entry, top: int = TOP) -> int:
    """The score of an entry; all draws are alike."""
    return 0 if entry.distance is None else entry.value * (top - entry.distance)


def entry_of(score: int, top: int = TOP) -> Entry:
    """The entry that a score stands for; of a draw a score does not tell the distance."""
    if score == 0:
        return Entry(DRAW, None)
    return Entry(WIN if score > 0 else LOSS, top - abs(score))
