"""What is known of positions: the worth of a position, and a study of it and of its moves."""

from dataclasses import dataclass
from operator import call
from typing import NamedTuple

from perfectplay.rules.notation import VALUE_NAMES, entry_text, plies_text, value_name
from perfectplay.solvers.scores import MOST_POINTS, TOP, Bounds, PointBounds, entry_of_score, score_of, sign
from perfectplay.views.json_facts import Fact
from perfectplay.words import DRAW, LOSS, WIN, Brief, Entry, Move, PointsEntry

OPEN = "open: "
"""How the text of a worth begins whose value is not proven."""


@dataclass(frozen=True)
class Worth(metaclass=Brief):
    """What is proven of a position, for the side to move, or of a move, for the side that makes it.

    `bounds` are those of its score. `entry` has value and distance, or the points, where they are known exactly; of a
    draw that also means its length, or that it never ends.
    """

    bounds: Bounds
    entry: Entry | None = None

    @property
    def exact(self) -> bool:
        """Whether value and distance, or the points, are proven."""
        return self.entry is not None

    @property
    def value(self) -> int | None:
        """WIN, DRAW or LOSS, if that is proven."""
        return self.bounds.value()

    @property
    def distance(self) -> int | None:
        """The plies to the end with best play, if proven; None for an endless draw and in games for points."""
        return None if self.entry is None else self.entry.distance

    @property
    def margin(self) -> int | None:
        """The points by which the side will be ahead, if proven; None in other games."""
        return None if self.entry is None else self.entry.margin

    @property
    def least(self) -> int:
        """The least value that it can have."""
        return sign(self.bounds.low)

    @property
    def most(self) -> int:
        """The greatest value that it can have."""
        return sign(self.bounds.high)

    @property
    def at_least(self) -> Entry | None:
        """The worst that it can be; None if it is known exactly."""
        return None if self.exact else bound(self.bounds, self.bounds.low)

    @property
    def at_most(self) -> Entry | None:
        """The best that it can be; None if it is known exactly."""
        return None if self.exact else bound(self.bounds, self.bounds.high)

    @property
    def text(self) -> str:
        """What is known, in words: "win in 7 plies", "win by 4", "open: no win within 12 plies, no loss within 11"."""
        if self.entry is not None:
            return entry_text(self.entry)
        low, high = self.bounds
        if isinstance(self.bounds, PointBounds):
            return points_text(low, high)
        if self.value in (WIN, LOSS):
            near, far = sorted((TOP - abs(low), TOP - abs(high)))
            return f"{VALUE_NAMES[self.value]} in {near} to {far} plies"
        if self.value is not None:
            return f"{VALUE_NAMES[self.value]}, of unknown length"
        no_win = f"no win within {plies_text(TOP - high - 1)}" if high > 0 else "no win"
        no_loss = f"no loss within {plies_text(TOP + low - 1)}" if low < 0 else "no loss"
        return f"{OPEN}{no_win}, {no_loss}"

    def fields(self) -> dict[str, object]:
        """What is known, as in JSON: value and distance, null if they are not proven, then the bounds."""
        if self.entry is not None:
            return entry_fields(self.entry)
        facts: dict[str, object] = {"value": VALUE_NAMES.get(self.value), "distance": None}  # type: ignore[arg-type]
        if isinstance(self.bounds, PointBounds):
            facts["margin"] = None
        low, high = (bound_fields(bound(self.bounds, score)) for score in self.bounds)
        return {**facts, "at_least": low, "at_most": high}

    def before(self, again: bool = False) -> "Worth":
        """The same one ply earlier, for the other side, or for the same side if it moves again."""
        if self.entry is not None:
            return exact_worth(self.entry.before(again))
        return Worth(self.bounds.before(again))

    def narrowed(self, other: "Worth") -> "Worth":
        """The combination with another true answer about the same position."""
        for one in (self, other):
            if one.exact:
                return one
        low, high = max(self.bounds.low, other.bounds.low), min(self.bounds.high, other.bounds.high)
        return worth_of(self.bounds._replace(low=low, high=high))


def exact_worth(entry: Entry) -> Worth:
    """The worth of a position with this entry."""
    if entry.margin is not None:
        return Worth(PointBounds(entry.margin, entry.margin), entry)
    score = entry.value * max(1, abs(score_of(entry)))  # a search knows no longer games
    return Worth(Bounds(score, score), entry)


def worth_of(bounds: Bounds, plies: int | None = None) -> Worth:
    """The worth that these bounds prove; `plies` is the length of a draw, if it is known."""
    if not bounds.exact:
        return Worth(bounds)
    if isinstance(bounds, PointBounds):
        return Worth(bounds, PointsEntry(bounds.low))
    if bounds.low == 0:
        return Worth(bounds, None if plies is None else Entry(DRAW, plies))
    return Worth(bounds, entry_of_score(bounds.low))


def best_of(moves: list[Worth]) -> Worth:
    """The worth of a position from that of each of its moves."""
    low, high = max(worth.bounds.low for worth in moves), max(worth.bounds.high for worth in moves)
    draws = [worth.distance for worth in moves if worth.value == DRAW and worth.distance is not None]
    return worth_of(moves[0].bounds._replace(low=low, high=high), min(draws, default=None))


def best_first(moves: dict[Move, Worth]) -> dict[Move, Worth]:
    """The moves, best first: by the proven score, then by the possible score; of draws, the shorter first.

    Proven losses are last, however long they take: an open move may be better.
    """

    def order(worth: Worth) -> tuple[int, ...]:
        plies = (worth.distance or 0) if worth.value == DRAW else 0
        return worth.value != LOSS, *worth.bounds.promise(), -plies

    return dict(sorted(moves.items(), key=lambda item: order(item[1]), reverse=True))


class Study(NamedTuple):
    """The worth of a position and of each of its moves, for the side to move; the best moves come first.

    `nodes` is what it took to search them, `nodes_here` of them for the position alone; None if it was not searched
    before its moves.
    """

    here: Worth
    moves: dict[Move, Worth]
    nodes: int = 0
    nodes_here: int | None = None

    @property
    def keeping(self) -> list[Move]:
        """The moves that are proven to keep the result; none while the result is open."""
        if self.here.value is None:
            return []
        return [move for move, worth in self.moves.items() if worth.least >= self.here.value]

    @property
    def failing(self) -> list[Move]:
        """The moves that are proven to worsen the result: whatever it is, they are worth less."""
        return [move for move, worth in self.moves.items() if worth.most < self.here.least]

    @property
    def decided(self) -> bool:
        """Whether it is proven of each move whether it keeps the result."""
        return self.here.value is not None and len(self.keeping) + len(self.failing) == len(self.moves)

    @property
    def exact(self) -> bool:
        """Whether the position and all its moves are known exactly."""
        return self.here.exact and all(worth.exact for worth in self.moves.values())

    @property
    def best(self) -> list[Move]:
        """The moves as good as the best, in value and distance or points, as far as is proven; draws are equal."""
        entries = {move: entry for move in self.keeping if (entry := self.moves[move].entry) is not None}
        if not entries or self.here.value == DRAW:
            return self.keeping
        best = max(entries.values(), key=Entry.preference)
        return [move for move, entry in entries.items() if entry.as_good_as(best)]

    @property
    def leading(self) -> list[Move]:
        """The moves of the position's value that are not proven slower; if it is open, those proven best."""
        if self.exact:
            return self.best
        scores = {move: worth.bounds for move, worth in self.moves.items()}
        if self.here.value is not None:
            least = max((bounds.low for bounds in scores.values()), default=0)
            return [move for move, at in scores.items() if at.value() == self.here.value and at.high >= least]
        return [one for one in scores if all(scores[one].low >= scores[move].high for move in scores if move != one)]

    def narrowed(self, other: "Study") -> "Study":
        """The combination with another true study of the same position."""
        moves = best_first({move: worth.narrowed(other.moves[move]) for move, worth in self.moves.items()})
        return Study(self.here.narrowed(other.here), moves, self.nodes + other.nodes)


# Entries and bounds as text and as in JSON


def entry_fields(entry: Entry) -> dict[str, object]:
    """An entry as JSON has it."""
    fields: dict[str, object] = {"value": value_name(entry), "distance": entry.distance}
    return fields if entry.margin is None else {**fields, "margin": entry.margin}


ENTRY = Fact("entry", encode=entry_fields, spread=True)
"""The entry of a result, as facts of the result."""
WORTH = Fact("fields", encode=call, spread=True)
"""What is known of a worth, as facts of its own."""


def bound(bounds: Bounds, score: int) -> Entry:
    """One of the bounds as an entry; that of a draw has no distance."""
    return PointsEntry(score) if isinstance(bounds, PointBounds) else entry_of_score(score)


def bound_fields(entry: Entry) -> dict[str, object]:
    """A bound as in JSON; the margin is null where it is unlimited."""
    fields = entry_fields(entry)
    return {**fields, "margin": None} if entry.margin in (-MOST_POINTS, MOST_POINTS) else fields


def points_text(low: int, high: int) -> str:
    """The margin as far as it is known: "win by 2 to 6", "loss by at least 3", "open: at most draw"."""
    if low > 0 or high < 0:
        far = f"{min(abs(low), abs(high))} to {max(abs(low), abs(high))}"
        how = f"at least {min(abs(low), abs(high))}" if MOST_POINTS in (-low, high) else far
        return f"{VALUE_NAMES[WIN if low > 0 else LOSS]} by {how}"
    least, most = entry_text(PointsEntry(low)), entry_text(PointsEntry(high))
    if low == -MOST_POINTS and high == MOST_POINTS:
        return f"{OPEN}nothing proven yet"
    if low == -MOST_POINTS:
        return f"{OPEN}at most {most}"
    return f"{OPEN}at least {least}" if high == MOST_POINTS else f"{OPEN}{least} to {most}"
