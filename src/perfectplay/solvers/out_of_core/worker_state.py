"""What a task needs in its worker: the game, its kernels on mixed keys, the work directory, the partitions.

The range of mixed keys is divided into many equal cells; a partition is some consecutive cells. Files list their
numbers cell by cell, so a task holds only a few cells in memory, however large its partition is.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay import __version__
from perfectplay.compiler.compiled import load_kernels
from perfectplay.game import Game
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.loading import load_game, split_game
from perfectplay.solvers.memory.sorted_keys import Keys, kind_for, unique
from perfectplay.solvers.out_of_core.chunk_files import Packer
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import BadGame, BadWork

Facts = dict[str, Any]
"""The arguments and results of a task, as JSON values."""
AGAIN = "put the same file where all workers find it, then resume=True continues"


class Plan(NamedTuple):
    """What all tasks of a solve share, as JSON values: the game and its hashes, the folder, the partitions.

    `at_once` is the number of positions that a task holds in memory; `groups` of partitions combine what they send,
    none if there are few partitions.
    """

    game: str
    source: str
    rules: str
    version: str
    workdir: str
    cell_bits: int
    partitions: int
    groups: int
    at_once: int

    def cell_borders(self) -> list[int]:
        """The first cell of each partition, and the end of the last."""
        return [-(-(part << self.cell_bits) // self.partitions) for part in range(self.partitions + 1)]

    def members(self, group: int) -> range:
        """The partitions of a group."""
        return range(self.partitions * group // self.groups, self.partitions * (group + 1) // self.groups)

    def group_of(self, part: int) -> int:
        """The group of a partition."""
        return ((part + 1) * self.groups - 1) // self.partitions


class WorkerState:
    """A plan, loaded."""

    def __init__(self, plan: Plan) -> None:
        open_many_files()
        self.plan = plan
        self.game = checked_game(plan)
        self.mixing = mixing(self.game.key_bits)
        self.kernels = load_kernels(with_mixed_keys(self.game, self.mixing))
        self.workdir = Workdir(plan.workdir)
        self.pool = ThreadPool(1)
        self.kind = kind_for((1 << self.game.key_bits) - 1)
        self.cells = 1 << plan.cell_bits
        self.shift = self.game.key_bits - plan.cell_bits
        self.greatest = (1 << self.shift) - 1
        self.cell_kind = kind_for(self.greatest)
        self.borders = np.arange(1, self.cells) << self.shift
        self.cell_borders = plan.cell_borders()

    def cells_of(self, part: int) -> range:
        """The cells of the partition."""
        return range(self.cell_borders[part], self.cell_borders[part + 1])

    def distinct(self, numbers: list[Keys]) -> Keys:
        """The distinct keys of a cell, sorted, relative to its start."""
        found = np.concatenate(numbers) if numbers else np.empty(0, self.cell_kind)
        return unique(self.pool, found, self.greatest).astype(self.cell_kind, copy=False)

    def in_place(self, cell: int, keys: Keys) -> Keys:
        """The absolute keys of a cell."""
        moved: Keys = keys.astype(self.kind) + self.kind(cell << self.shift)
        return moved

    def cut(self, keys: Keys) -> NDArray[np.int64]:
        """The start of each cell among sorted keys, and the end of the last."""
        return np.concatenate([[0], np.searchsorted(keys, self.borders), [keys.size]])

    def add_section(self, packer: Packer, keys: Keys) -> None:
        """Writes sorted keys, a segment per cell."""
        if keys.size and int(keys[-1]) >> self.game.key_bits:
            raise BadGame(f"a key of {self.game.name} is wider than key_bits = {self.game.key_bits} bits")
        packer.add_numbers(keys, self.cut(keys), self.shift)


def name_of(what: str, step: int, part: int) -> str:
    """The name of a file, from its kind, step and partition."""
    return f"{what}-{step:05}-{part:05}"


def bundle_of(what: str) -> str:
    """The kind of the files that combine what groups sent."""
    return f"{what}.bundle"


def inbox_of(what: str) -> str:
    """The kind of the files from which receivers read what was combined."""
    return f"{what}.inbox"


def source_hash(game: str) -> str:
    """The hash of the game's file, if it is a user's."""
    path, _ = split_game(game)
    return "" if path is None else sha256(path.read_bytes()).hexdigest()


def checked_game(plan: Plan) -> Game:
    """The game, if it is the plan's; the hash of a user's file is checked before the file runs."""
    if __version__ != plan.version:
        raise BadWork(
            f"a worker has perfectplay {__version__}, not {plan.version}; install the same version everywhere"
        )
    try:
        source = source_hash(plan.game)
    except OSError as fault:
        raise BadWork(f"a worker cannot read {plan.game}: {fault.strerror}; {AGAIN}") from None
    if source != plan.source:
        raise BadWork(f"a worker has another version of {plan.game} than the solve began with; {AGAIN}")
    game = load_game(plan.game)
    if fingerprint(game) != plan.rules:
        raise BadWork(f"a worker has other rules of {plan.game} than the solve began with; {AGAIN}")
    return game


@lru_cache(2)
def state_of(plan: Plan) -> WorkerState:
    """The worker state of the plan, cached in the process."""
    return WorkerState(plan)


def open_many_files() -> None:
    """Raises the limit of open files as far as the system allows: a task reads the files of many partitions at once."""
    with suppress(ImportError, OSError, ValueError):  # not every system has such a limit
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def shared(counts: Any) -> list[tuple[int, int]]:
    """The nonzero counts by grade, as JSON values."""
    return [(int(grade), int(counts[grade])) for grade in np.flatnonzero(counts)]


# Mixes keys by a bijection: their order becomes pseudorandom, so equal ranges of keys mean equal work.
#
# The lowest bits stay, so nearby keys stay together in groups of 4,096: their deltas are short, and the index of the
# compiled engine, made for such groups, works unchanged.


KEPT = 12
"""Bits that stay where they are, at most half of all."""
FACTORS = (0x1CE4E5B9BF58476D, 0x133111EB94D049BB)
"""Odd multipliers with well-spread bits."""


class Mixing(NamedTuple):
    """The bijection on keys of `bits` bits and its inverse; for numbers, or for arrays of 64-bit numbers."""

    bits: int
    mix: Callable[[Any], Any]
    unmix: Callable[[Any], Any]


def mixing(bits: int) -> Mixing:
    """The bijection for keys of `bits` bits. Higher bits stay, so that keys that are too wide are noticed."""
    size = 1 << bits - min(KEPT, bits // 2)
    first, second = (factor & size - 1 | 1 for factor in FACTORS)
    return Mixing(bits, mixer(bits, first, second), mixer(bits, pow(second, -1, size), pow(first, -1, size)))


def mixer(bits: int, first: int, second: int) -> Callable[[Any], Any]:
    """The function that multiplies the upper bits by both factors, with xor-shifts between.

    An xor-shift by half of the bits is its own inverse, so the same function with the inverse factors in reverse order
    is the inverse.
    """
    low = min(KEPT, bits // 2)
    high = bits - low
    fold, most, least = (high + 1) // 2, (1 << high) - 1, (1 << low) - 1

    def shuffle(number: Any) -> Any:
        upper = number >> low & most
        upper ^= upper >> fold
        upper = upper * first & most
        upper ^= upper >> fold
        upper = upper * second & most
        upper ^= upper >> fold
        return (number >> bits << bits) | (upper << low) | (number & least)

    return shuffle


def with_mixed_keys(game: Game, mixed: Mixing) -> Game:
    """The same game with mixed keys; kernels need no change."""
    assert game.key is not None
    assert game.unkey is not None
    key, unkey, mix, unmix = game.key, game.unkey, mixed.mix, mixed.unmix

    def mixed_key(mine: int, theirs: int) -> int:
        return mix(key(mine, theirs))  # type: ignore[no-any-return]

    def mixed_unkey(number: int) -> tuple[int, int]:
        return unkey(unmix(number))

    return replace(game, key=mixed_key, unkey=mixed_unkey)
