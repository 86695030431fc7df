"""The positions of a dataset without their facts: their source, their order, and its parts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import images
from perfectplay.players.models.absorbing_chains import reaching
from perfectplay.rl.evaluation.policy_tables import Reading, tabulating
from perfectplay.rl.position_facts import Describer
from perfectplay.rl.solved_positions import solved_positions
from perfectplay.solvers.steps import finished
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

    def where(self, mask: NDArray[np.bool_]) -> "Rows":
        """The rows of the mask."""
        reach = None if self.reach is None else self.reach[mask]
        return Rows(self.mine[mask], self.theirs[mask], self.keys[mask], reach)


@dataclass(frozen=True)
class HashRanges:
    """The classes whose hash by each of these seeds is in a range: a part of all classes, the same in every process."""

    ranges: tuple[tuple[int, float, float], ...] = ()
    """(seed, begin, end)."""

    def among(self, keys: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of these classes are in the part."""
        mask = np.ones(keys.size, bool)
        for seed, begin, end in self.ranges:
            numbers = fractions_of(keys, seed)
            mask &= (begin <= numbers) & (numbers < end)
        return mask


@dataclass(frozen=True, eq=False)
class AllPositions:
    """One position of each class, the canonical one, or all its images; by number, of which some may have none."""

    describer: Describer
    images: bool

    @property
    def turns(self) -> int:
        """How many numbers a class has."""
        return images(self.describer.solution.game).count if self.images else 1

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(self.describer.solution.keys.size) * self.turns

    def rows(self, numbers: NDArray[np.int64], part: HashRanges) -> Rows:
        """The rows of these numbers that are in that part; an image that is the same as another has none."""
        keys = self.describer.solution.keys[numbers // self.turns]
        inside = part.among(keys)
        keys, turns = keys[inside], numbers[inside] % self.turns
        mine, theirs, fresh = self.describer.unfold(keys, turns)
        return Rows(mine, theirs, keys).where(fresh)


@dataclass(frozen=True, eq=False)
class SomePositions:
    """These positions."""

    describer: Describer
    all_rows: Rows

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(self.all_rows.mine.size)

    def rows(self, numbers: NDArray[np.int64], part: HashRanges) -> Rows:
        """The rows of these numbers that are in that part."""
        rows = Rows(*(None if one is None else one[numbers] for one in self.all_rows))  # type: ignore[arg-type]
        return rows.where(part.among(rows.keys))


Source = AllPositions | SomePositions
"""Where rows come from, by number."""


def reached_positions(
    describer: Describer, policy: Any, opponent: Any, outputs: str, images: bool, progress: Progress | None
) -> SomePositions:
    """The positions that two policies get to, each or by class, with the expected number of visits in a game."""
    game, reading = describer.solution.game, Reading(outputs=outputs)
    positions = solved_positions(game, "on-policy datasets", progress)
    first = finished(tabulating(positions, policy, reading), progress)
    second = first if opponent is None else finished(tabulating(positions, opponent, reading), progress)
    reach = finished(reaching(positions.graph, first.first, second.second), progress)
    visits = (reach.visits + reach.endless).sum(axis=0).astype(float)
    met = np.flatnonzero(visits)
    mine, theirs = (words[met] for words in positions.words)
    rows = Rows(mine, theirs, describer.keys(mine, theirs), visits[met])
    return SomePositions(describer, rows if images else by_class(rows, describer))


def by_class(rows: Rows, describer: Describer) -> Rows:
    """One row for each class: its canonical position, and how often play gets to any of its images."""
    keys, places = np.unique(rows.keys, return_inverse=True)
    mine, theirs, _ = describer.unfold(keys, np.zeros(keys.size, np.int64))
    reach = None if rows.reach is None else np.bincount(places, rows.reach, keys.size).astype(float)
    return Rows(mine, theirs, keys, reach)


def chunks(source: Source, part: HashRanges, shuffle: int | None) -> Iterator[Rows]:
    """All rows of a source that are in a part, in the order of their numbers or shuffled by a seed."""
    for begin in range(0, source.size, CHUNK):
        numbers = np.arange(begin, min(begin + CHUNK, source.size))
        rows = source.rows(numbers if shuffle is None else permute(numbers, source.size, shuffle), part)
        if rows.mine.size:
            yield rows


# Repeatable randomness without memory: a hash of keys, and a permutation of any range of numbers.


ROUNDS = 4
"""Rounds of the Feistel network; that many make a permutation that looks random."""
WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def scramble(numbers: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """Numbers of 64 bits that look random, by the finaliser of splitmix64; a bijection."""
    bits = numbers + np.uint64((seed + 1) * GOLDEN & WORD)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def fractions_of(keys: NDArray[np.generic], seed: int) -> NDArray[np.float64]:
    """A number from 0 up to, but not including 1 for each key, alike for equal keys."""
    if keys.dtype == object:  # wider than a word
        folded = [(key ^ key >> 64 ^ key >> 128) & WORD for key in keys.tolist()]
        keys = np.array(folded, np.uint64)
    hashes = scramble(scramble(keys.astype(np.uint64), seed), seed ^ 1)
    return (hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53


def permute(numbers: NDArray[np.int64], size: int, seed: int) -> NDArray[np.int64]:
    """Where a permutation of 0 to size - 1 takes these numbers, one for each seed.

    A Feistel network permutes the next power of 4; numbers beyond the range are sent through it again.
    """
    half = np.uint64(max(1, ((size - 1).bit_length() + 1) // 2))
    low = np.uint64((1 << int(half)) - 1)
    places = numbers.astype(np.uint64)
    beyond = np.ones(places.size, bool)
    while beyond.any():
        left, right = places[beyond] >> half, places[beyond] & low
        for number in range(ROUNDS):
            left, right = right, left ^ (scramble(right, seed * ROUNDS + number) & low)
        places[beyond] = left << half | right
        beyond = places >= size
    return places.astype(np.int64)
