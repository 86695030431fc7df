"""Scores and bounds: what a search proves about a position."""

from typing import NamedTuple

from perfectplay.words import DRAW, LOSS, WIN, Entry

TOP = 127
"""A win after d plies scores TOP - d, a loss after d plies d - TOP, a draw 0; as in `engines/search_kernels.py`."""


class Bounds(NamedTuple):
    """The lowest and the highest score that a position can have."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the score is known exactly."""
        return self.low == self.high

    def before(self) -> "Bounds":
        """The same one ply earlier, from the other side's view."""
        return Bounds(earlier(self.high), earlier(self.low))

    def value(self) -> int | None:
        """The value, if known."""
        if self.low > 0:
            return WIN
        if self.high < 0:
            return LOSS
        return DRAW if self.exact else None

    def distance(self) -> int | None:
        """The plies to the end, if known; unknown for draws."""
        return entry_of(self.low).distance if self.exact else None

    def looked(self) -> int:
        """The depth to which the search is complete: no win or loss within it is missed."""
        if self.exact:
            return TOP
        return min(TOP - self.high if self.high > 0 else TOP, TOP + self.low if self.low < 0 else TOP) - 1

    def promise(self) -> tuple[int, int]:
        """A sort key, greater is better: the proven score first, then the possible score."""
        return self.low, self.high


def earlier(score: int) -> int:
    """The score one ply earlier, for the other side."""
    return -score + (score > 0) - (score < 0)


def later(score: int) -> int:
    """The other side's score one ply later, after a move worth this score."""
    return -score - (score > 0) + (score < 0)


def score_of(entry: Entry, top: int = TOP) -> int:
    """The score of an entry; all draws score 0."""
    return 0 if entry.distance is None else entry.value * (top - entry.distance)


def entry_of(score: int, top: int = TOP) -> Entry:
    """The entry of a score; the distance of a draw is unknown."""
    if score == 0:
        return Entry(DRAW, None)
    return Entry(WIN if score > 0 else LOSS, top - abs(score))
