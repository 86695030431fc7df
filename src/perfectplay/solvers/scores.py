"""Scores and bounds: what a search proves about a position."""

from typing import NamedTuple

from perfectplay.game import Game, end_entry
from perfectplay.words import DRAW, LOSS, WIN, Entry, Position

TOP = 127
"""A win after d plies scores TOP - d, a loss after d plies d - TOP, a draw 0; as in `kernels/search_kernels.py`."""
MOST_POINTS = (1 << 19) - 1
"""The greatest score of a game for points, where the score is the margin; as in `kernels/turn_search_kernels.py`."""


class Bounds(NamedTuple):
    """The lowest and the highest score that a position can have."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the score is known exactly."""
        return self.low == self.high

    @property
    def most(self) -> int:
        """The greatest score that there is."""
        return TOP

    def before(self, again: bool = False) -> "Bounds":
        """The same one ply earlier, from the other side's view, or from that of the same side if it moves again."""
        low, high = earlier(self.low, again), earlier(self.high, again)
        return Bounds(low, high) if again else Bounds(high, low)

    def after(self, again: bool = False) -> "Bounds":
        """The bounds of the position after a move that is worth this, for the side to move there."""
        low, high = later(self.low, again), later(self.high, again)
        return Bounds(low, high) if again else Bounds(high, low)

    def of_child(self, again: bool = False) -> "Bounds":
        """The bounds of the position after any move: for the mover, it is worth at most this."""
        low, high = self.after(again)
        return self._replace(low=-self.most, high=high) if again else self._replace(low=low, high=self.most)

    def value(self) -> int | None:
        """The value, if known."""
        if self.low > 0:
            return WIN
        if self.high < 0:
            return LOSS
        return DRAW if self.exact else None

    def distance(self) -> int | None:
        """The plies to the end, if known; unknown for draws."""
        return entry_of_score(self.low).distance if self.exact else None

    def margin(self) -> int | None:
        """The points by which the side to move will be ahead, if known; None where the game has no points."""
        return None

    def complete_depth(self) -> int:
        """The depth to which the search is complete: no win or loss within it is missed."""
        if self.exact:
            return TOP
        return min(TOP - self.high if self.high > 0 else TOP, TOP + self.low if self.low < 0 else TOP) - 1

    def promise(self) -> tuple[int, int]:
        """A sort key, greater is better: the proven score first, then the possible score."""
        return self.low, self.high


class PointBounds(Bounds):
    """The least and the greatest margin that a position can have."""

    @property
    def most(self) -> int:
        """The greatest margin that there is."""
        return MOST_POINTS

    def before(self, again: bool = False) -> "PointBounds":
        """The same one ply earlier, from the other side's view, or from that of the same side if it moves again."""
        return self if again else PointBounds(-self.high, -self.low)

    def after(self, again: bool = False) -> "PointBounds":
        """The bounds of the position after a move that is worth this, for the side to move there."""
        return self.before(again)

    def distance(self) -> None:
        """None: a game for points has no distances."""

    def margin(self) -> int | None:
        """The points by which the side to move will be ahead, if known."""
        return self.low if self.exact else None

    def complete_depth(self) -> int:
        """The depth to which the search is complete: none, unless everything is known."""
        return TOP if self.exact else 0


def bounds_of(game: Game, low: int, high: int) -> Bounds:
    """These bounds on the scores of the game."""
    return Bounds(low, high) if game.margin is None else PointBounds(low, high)


def open_bounds(game: Game) -> Bounds:
    """The bounds of an unfinished position of which nothing is known."""
    return Bounds(1 - TOP, TOP - 1) if game.margin is None else PointBounds(-MOST_POINTS, MOST_POINTS)


def end_bounds(game: Game, position: Position) -> Bounds:
    """The bounds of a finished position."""
    score = score_of(end_entry(game, position))
    return bounds_of(game, score, score)


def sign(score: int) -> int:
    """The value of a score."""
    return WIN if score > 0 else LOSS if score < 0 else DRAW


def earlier(score: int, again: bool = False) -> int:
    """The score one ply earlier, for the other side, or for the same side if it moves again."""
    sooner = score - (score > 0) + (score < 0)
    return sooner if again else -sooner


def later(score: int, again: bool = False) -> int:
    """The other side's score one ply later, after a move worth this score; or that of the side that moves again."""
    nearer = score + (score > 0) - (score < 0)
    return nearer if again else -nearer


def score_of(entry: Entry, top: int = TOP) -> int:
    """The score of an entry: its margin, if it has one; all draws score 0."""
    if entry.margin is not None:
        return entry.margin
    return 0 if entry.distance is None else entry.value * (top - entry.distance)


def entry_of_score(score: int, top: int = TOP) -> Entry:
    """The entry of a score; the distance of a draw is unknown."""
    if score == 0:
        return Entry(DRAW, None)
    return Entry(WIN if score > 0 else LOSS, top - abs(score))
