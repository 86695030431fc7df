"""The positions of a dataset before anything is said of them: where they come from, in which order, which of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from perfectplay.game import images
from perfectplay.rl.class_arrays import Solution
from perfectplay.rl.position_facts import Describes
from perfectplay.views.planes import Words

CHUNK = 1 << 16
"""Positions that are made together."""
Floats = NDArray[np.float64]
Columns = dict[str, NDArray[Any]]
"""A batch: arrays of the same length by name."""


class Rows(NamedTuple):
    """The words of positions, the keys of their classes, and how often play gets there, if it is known."""

    mine: Words
    theirs: Words
    keys: NDArray[Any]
    reach: Floats | None = None

    def where(self, wanted: NDArray[np.bool_]) -> "Rows":
        """Those of the rows that are wanted."""
        reach = None if self.reach is None else self.reach[wanted]
        return Rows(self.mine[wanted], self.theirs[wanted], self.keys[wanted], reach)


class Source(Protocol):
    """Where rows come from, by number; some numbers may have none."""

    @property
    def solution(self) -> Solution:
        """What is known of the game."""

    @property
    def describes(self) -> Describes:
        """What looks at its positions."""

    @property
    def size(self) -> int:
        """How many numbers there are."""

    def rows(self, numbers: NDArray[np.int64], wanted: "Part") -> Rows:
        """The rows of these numbers that are in that part."""


@dataclass(frozen=True)
class Part:
    """The classes whose hash by each of these seeds is in a range: a part of all classes, the same in every process."""

    ranges: tuple[tuple[int, float, float], ...] = ()
    """(seed, begin, end)."""

    def among(self, keys: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of these classes are in the part."""
        found = np.ones(keys.size, bool)
        for seed, begin, end in self.ranges:
            numbers = fractions_of(keys, seed)
            found &= (begin <= numbers) & (numbers < end)
        return found


@dataclass(frozen=True, eq=False)
class AllPositions:
    """One position of each class, the canonical one, or all its images."""

    solution: Solution
    describes: Describes
    images: bool

    @property
    def turns(self) -> int:
        """How many numbers a class has."""
        return images(self.solution.game).count if self.images else 1

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(self.solution.keys.size) * self.turns

    def rows(self, numbers: NDArray[np.int64], wanted: Part) -> Rows:
        """The rows of these numbers that are in that part; an image that is the same as another has none."""
        keys = self.solution.keys[numbers // self.turns]
        inside = wanted.among(keys)
        keys, turns = keys[inside], numbers[inside] % self.turns
        mine, theirs, fresh = self.describes.unfolded(keys, turns)
        return Rows(mine, theirs, keys).where(fresh)


@dataclass(frozen=True, eq=False)
class SomePositions:
    """These positions."""

    solution: Solution
    describes: Describes
    all_rows: Rows

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(self.all_rows.mine.size)

    def rows(self, numbers: NDArray[np.int64], wanted: Part) -> Rows:
        """The rows of these numbers that are in that part."""
        found = Rows(*(None if one is None else one[numbers] for one in self.all_rows))  # type: ignore[arg-type]
        return found.where(wanted.among(found.keys))


def by_class(rows: Rows, describes: Describes) -> Rows:
    """One row for each class: its canonical position, and how often play gets to any of its images."""
    keys, places = np.unique(rows.keys, return_inverse=True)
    mine, theirs, _ = describes.unfolded(keys, np.zeros(keys.size, np.int64))
    reach = None if rows.reach is None else np.bincount(places, rows.reach, keys.size).astype(float)
    return Rows(mine, theirs, keys, reach)


def chunks(source: Source, wanted: Part, shuffle: int | None) -> Iterator[Rows]:
    """All rows of a source that are in a part, in the order of their numbers or shuffled by a seed."""
    for begin in range(0, source.size, CHUNK):
        numbers = np.arange(begin, min(begin + CHUNK, source.size))
        rows = source.rows(numbers if shuffle is None else permuted(numbers, source.size, shuffle), wanted)
        if rows.mine.size:
            yield rows


# Repeatable randomness without memory: a hash of keys, and a permutation of any range of numbers.


ROUNDS = 4
"""Rounds of the Feistel network; that many make a permutation that looks random."""
WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def scrambled(numbers: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """Numbers of 64 bits that look random, by the finaliser of splitmix64; different ones stay different."""
    found = numbers + np.uint64((seed + 1) * GOLDEN & WORD)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return found ^ (found >> np.uint64(31))


def fractions_of(keys: NDArray[np.generic], seed: int) -> NDArray[np.float64]:
    """A number from 0 up to, but not including 1 for each key, alike for equal keys."""
    if keys.dtype == object:  # wider than a word
        folded = [(key ^ key >> 64 ^ key >> 128) & WORD for key in keys.tolist()]
        keys = np.array(folded, np.uint64)
    spread = scrambled(scrambled(keys.astype(np.uint64), seed), seed ^ 1)
    return (spread >> np.uint64(11)).astype(np.float64) * 2.0**-53


def permuted(numbers: NDArray[np.int64], size: int, seed: int) -> NDArray[np.int64]:
    """Where a permutation of 0 to size - 1 takes these numbers, one for each seed.

    A Feistel network permutes the next power of 4; numbers beyond the range are sent through it again.
    """
    half = np.uint64(max(1, ((size - 1).bit_length() + 1) // 2))
    low = np.uint64((1 << int(half)) - 1)
    found = numbers.astype(np.uint64)
    beyond = np.ones(found.size, bool)
    while beyond.any():
        left, right = found[beyond] >> half, found[beyond] & low
        for number in range(ROUNDS):
            left, right = right, left ^ (scrambled(right, seed * ROUNDS + number) & low)
        found[beyond] = left << half | right
        beyond = found >= size
    return found.astype(np.int64)
