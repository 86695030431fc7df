"""Games with tiers and keys without large gaps on a GPU: the whole game as bits, and a code for each class.

Forward from the lowest tier: the keys of a tier and of the tiers after it are bits in pages. Back from the highest: a
tier's positions learn from higher tiers once, then from each other along reversed edges, each followed once.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import DeviceArray, from_gpu, settle, to_gpu
from perfectplay.game import Game
from perfectplay.solvers.forecast import in_bytes
from perfectplay.solvers.gpu.gpu_cyclic import CODES, check_length, entries_in
from perfectplay.solvers.gpu.gpu_layered import start_key
from perfectplay.solvers.gpu.gpu_tables import Room
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.summary import tier_count
from perfectplay.words import BadGame, TooBig

# Keys as bits on a GPU, in pages that come as they are needed and go when their tiers are finished.


POOLED = 0.72
"""The fraction of the GPU's memory for pages."""


class Pages:
    """The pages of keys that are in use, in a pool."""

    def __init__(self, room: Room, keys: int) -> None:
        self.room, self.bits = room, room.kernels.PAGE_BITS
        self.words = 1 << self.bits - 5
        self.numbers = np.full((keys >> self.bits) + 1, -1, np.int32)
        size = min(int(room.memory.left * POOLED) // (4 * self.words), self.numbers.size)
        if size < 1:
            raise TooBig(f"{room.game.name} has pages of {in_bytes(4 * self.words)}, too much for {room.gpu.name}")
        self.pool = room.fresh(size * self.words, np.uint32)
        self.free = list(range(size))
        self.needed = to_gpu(np.zeros(self.numbers.size, np.uint8))
        self.upload()

    def upload(self) -> None:
        """Brings the pages' places to the GPU."""
        self.places = to_gpu(self.numbers)

    def add(self, pages: NDArray[np.int64]) -> None:
        """Empty pages; raises TooBig if the pool is full."""
        for page in pages:
            if not self.free:
                raise TooBig(
                    f"{self.room.game.name} will not fit the GPU: more than {in_bytes(self.pool.size * 4)} of keys "
                    f'are in use at once, and {self.room.gpu.name} has no more; try engine="disk"'
                )
            place = self.numbers[page] = self.free.pop()
            self.room.gpu.run(self.room.kernels.fill, self.pool[place * self.words : (place + 1) * self.words], 0)
        self.upload()

    def add_needed(self) -> None:
        """The pages that the last kernel asked for."""
        self.add(np.flatnonzero(from_gpu(self.needed)))
        self.needed = to_gpu(np.zeros(self.numbers.size, np.uint8))

    def drop_below(self, key: int) -> None:
        """Frees all pages whose keys are below."""
        for page in np.flatnonzero(self.numbers[: key >> self.bits] >= 0):
            self.free.append(int(self.numbers[page]))
            self.numbers[page] = -1

    def in_use(self, begin: int, end: int) -> bool:
        """Whether some page of these keys is in use."""
        return bool((self.numbers[begin >> self.bits : (end - 1 >> self.bits) + 1] >= 0).any())

    def close(self) -> None:
        """Frees the pool."""
        self.room.memory.give(self.pool)
        del self.pool
        settle()


class Tier(NamedTuple):
    """A tier: its number, its keys, its blocks and its classes, each from first to last."""

    number: int
    keys: range
    blocks: range
    classes: range


class Index(NamedTuple):
    """All classes in the order of their keys, as compiler/gpu/ranked_index.py says, and all tiers that have any."""

    directory: DeviceArray
    entries: DeviceArray
    firsts: DeviceArray
    homes: DeviceArray
    tiers: list[Tier]
    classes: int


def tier_ranges(game: Game) -> Iterator[tuple[int, int, int]]:
    """Each tier with its first key and the one behind its last, found by bisection; raises BadGame."""
    unkey, tier_of = game.unkey, game.tier
    assert unkey is not None
    assert tier_of is not None

    def tier_at(key: int) -> int:
        return int(tier_of(*unkey(key)))

    begin = 0
    while begin < game.keys:
        tier, low, high = tier_at(begin), begin, game.keys
        while high - low > 1:
            middle = (low + high) // 2
            if tier_at(middle) <= tier:
                low = middle
            else:
                high = middle
        yield tier, begin, high
        begin = high


class Part(NamedTuple):
    """The index of one tier: entries, classes before each block of the tier's first, keys of blocks."""

    entries: DeviceArray
    firsts: DeviceArray
    homes: DeviceArray


def reached(room: Room) -> Steps[Index]:
    """The index of all reachable classes, tier by tier from the lowest; raises BadGame if a tier decreases."""
    game, kernels = room.game, room.kernels
    directory = room.fresh(-(-game.keys // kernels.BLOCK), np.int32)
    room.gpu.run(kernels.fill, directory, -1)
    pages = Pages(room, game.keys)
    start = start_key(room, symmetric=True)
    if start >= game.keys:
        raise BadGame(f"the key of the start is {start:,}, not below keys = {game.keys:,}")
    pages.add(np.array([start >> pages.bits]))
    room.gpu.run(kernels.set_bit, pages.places, pages.pool, start)
    tiers: list[Tier] = []
    parts: list[Part] = []
    classes = blocks = 0
    for number, begin, end in tier_ranges(game):
        if begin % kernels.BLOCK or end % kernels.BLOCK:
            raise BadGame(
                f"tier {number} of {game.name} has keys {begin:,} to {end:,}, not in blocks of {kernels.BLOCK}"
            )
        pages.drop_below(begin)
        if not pages.in_use(begin, end):
            continue
        yield from grown(room, pages, number, begin, end, classes)
        found = indexed(room, pages, begin, end, directory, classes, blocks)
        if found is not None:
            part, many = found
            tiers.append(
                Tier(number, range(begin, end), range(blocks, blocks + part.homes.size), range(classes, classes + many))
            )
            parts.append(part)
            classes, blocks = classes + many, blocks + part.homes.size
    pages.close()
    del pages
    return joined(room, directory, tiers, parts)


def joined(room: Room, directory: DeviceArray, tiers: list[Tier], parts: list[Part]) -> Index:
    """The index of all tiers, given those of each; frees these."""
    blocks = tiers[-1].blocks.stop
    entries, firsts, homes = (
        room.fresh(32 * blocks, np.int64),
        room.fresh(blocks, np.int64),
        room.fresh(blocks, np.int32),
    )
    for tier, part in zip(tiers, parts, strict=True):
        begin, end = tier.blocks.start, tier.blocks.stop
        entries[32 * begin : 32 * end].copy_to_device(part.entries)
        firsts[begin:end].copy_to_device(part.firsts)
        homes[begin:end].copy_to_device(part.homes)
        for array in part:
            room.memory.give(array)
    parts.clear()
    settle()
    return Index(directory, entries, firsts, homes, tiers, tiers[-1].classes.stop)


def grown(room: Room, pages: Pages, number: int, begin: int, end: int, before: int) -> Steps[None]:
    """Adds all children of the tier's positions, until the tier itself has no new ones."""
    kernels, done = room.kernels, room.fresh((end - begin) // 32, np.uint32)
    room.gpu.run(kernels.fill, done, 0)
    room.reset()
    many = 0
    while True:
        keys = (begin, end, room.game.keys)
        room.gpu.run(kernels.grow, pages.places, pages.pool, *keys, done, pages.needed, room.tallies)
        tallies = room.tally()
        if tallies[kernels.FALLING]:
            wrong = f"the tier of {room.game.name} decreases from {number}"
            raise BadGame(f"the rules break the contract: {wrong}; run perfectplay check for details")
        many += int(tallies[kernels.FRESH])
        if tallies[kernels.FULL]:
            pages.add_needed()
            room.reset()
        elif tallies[kernels.FRESH] == 0:
            break
        yield Step("forward", before + many, detail=f"tier {number}")
    room.memory.give(done)
    del done
    settle()


def totals(room: Room, numbers: DeviceArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The sum of each tile of numbers, and how many of them are not 0."""
    tiles = -(-numbers.size // room.kernels.TILE)
    sums, used = to_gpu(np.zeros(tiles, np.int64)), to_gpu(np.zeros(tiles, np.int64))
    room.gpu.run(room.kernels.sum_tiles, numbers, sums, used)
    return from_gpu(sums), from_gpu(used)


def before_each(sums: NDArray[np.int64], begin: int = 0) -> DeviceArray:
    """The sum of all numbers before each one, from `begin` on."""
    return to_gpu(begin + np.cumsum(sums) - sums)


def indexed(
    room: Room, pages: Pages, begin: int, end: int, directory: DeviceArray, classes: int, blocks: int
) -> tuple[Part, int] | None:
    """The index of a finished tier and the number of its classes; None if it has none."""
    kernels, memory = room.kernels, room.memory
    counts = room.fresh((end - begin) // kernels.BLOCK, np.int32)
    room.gpu.run(kernels.count_blocks, pages.places, pages.pool, begin, counts)
    sums, used = totals(room, counts)
    many, size = int(sums.sum()), int(used.sum())
    part = None
    if many:
        part = Part(*(room.fresh(n, kind) for n, kind in ((32 * size, np.int64), (size, np.int64), (size, np.int32))))
        numbers = before_each(sums, classes), before_each(used)
        room.gpu.run(kernels.place_blocks, counts, *numbers, begin, directory, part.firsts, part.homes)
        room.gpu.run(kernels.write_blocks, pages.places, pages.pool, part.homes, part.entries)
        room.gpu.run(kernels.shift_blocks, directory, begin, end, blocks)
    memory.give(counts)
    return (part, many) if part is not None else None


def graded(room: Room, index: Index, counts: NDArray[np.int64]) -> Steps[DeviceArray]:
    """The codes of all classes, tier by tier from the highest; adds the number of positions with each to `counts`."""
    codes = room.fresh(index.classes, np.uint16)
    done = 0
    for tier in reversed(index.tiers):
        for found in solved_tier(room, index, tier, codes):
            yield Step("backward", done + found, index.classes, detail=f"tier {tier.number}")
        own = counted(room, index, tier, codes)
        counts += own
        done += len(tier.classes)
        count = tier_count(tier.number, len(tier.classes), entries_in(room.kernels, own))
        yield Step("backward", done, index.classes, detail=f"tier {tier.number}", tier=count)
    return codes


def counted(room: Room, index: Index, tier: Tier, codes: DeviceArray) -> NDArray[np.int64]:
    """How many positions of the tier have each code."""
    told = to_gpu(np.zeros(CODES, np.int64))
    room.reset()
    where = (index.entries, index.firsts, index.homes, tier.blocks.start, tier.blocks.stop)
    room.gpu.run(room.kernels.tell_codes, *where, codes, told, room.tallies)
    room.check_all(int(room.tally()[room.kernels.FRESH]), len(tier.classes))
    return from_gpu(told)


def solved_tier(room: Room, index: Index, tier: Tier, codes: DeviceArray) -> Iterator[int]:
    """Gives codes to the classes of the tier, and yields how many have one; those without are endless draws."""
    kernels, memory, gpu = room.kernels, room.memory, room.gpu
    many, first = len(tier.classes), tier.classes.start
    states, starts = room.fresh(many, np.int32), room.fresh(many, np.int64)
    gpu.run(kernels.fill, starts, 0)
    where = (index.directory, index.entries, index.firsts, index.homes, tier.blocks.start, tier.blocks.stop)
    room.reset()
    gpu.run(kernels.learn, *where, codes, first, states, starts, False, room.tallies)
    room.tally()
    sums, _ = totals(room, starts)
    if sums.any():
        edges = room.fresh(int(sums.sum()), np.uint32)
        gpu.run(kernels.start_tiles, starts, before_each(sums))
        gpu.run(kernels.reverse, *where, first, starts, edges)
        graph = (codes, first, states, starts, edges)
        yield from settled(room, graph, False)
        if room.tallied[kernels.DRAWS]:
            gpu.run(kernels.learn, *where, codes, first, states, starts, True, room.tallies)
            yield from settled(room, graph, True)
        memory.give(edges)
        del edges, graph
    elif room.tallied[kernels.DRAWS]:
        gpu.run(kernels.learn, *where, codes, first, states, starts, True, room.tallies)
        room.tally()
    for array in (states, starts):
        memory.give(array)
    del states, starts
    settle()


def settled(room: Room, graph: tuple[object, ...], drawn: bool) -> Iterator[int]:
    """Passes codes on, distance after distance, and yields how many have been passed now and then."""
    kernels, distance, found = room.kernels, 0, 0
    while distance <= room.tallied[kernels.FARTHEST]:
        check_length(distance + 1)
        room.gpu.run(kernels.settle, *graph, distance, drawn, room.tallies)
        found += int(room.tally()[kernels.FRESH])
        distance += 1
        if distance % 16 == 0:
            yield found


def start_code(room: Room, index: Index, codes: DeviceArray) -> int:
    """The code of the start."""
    out = to_gpu(np.zeros(1, np.int64))
    where = (index.directory, index.entries, index.firsts, start_key(room, symmetric=True))
    room.gpu.run(room.kernels.class_of_key, *where, out)
    place = int(from_gpu(out)[0])
    return int(from_gpu(codes[place : place + 1])[0])


def unloaded(room: Room, index: Index, tier: Tier, codes: DeviceArray) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """The keys of the tier's classes in order, and their codes."""
    first = tier.classes.start
    keys = room.fresh(len(tier.classes), np.int64)
    where = (index.entries, index.firsts, index.homes, tier.blocks.start, tier.blocks.stop, first)
    room.gpu.run(room.kernels.tell_keys, *where, keys)
    found = from_gpu(keys)
    room.memory.give(keys)
    return found, from_gpu(codes[first : tier.classes.stop])
