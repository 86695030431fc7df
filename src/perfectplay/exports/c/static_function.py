"""Values without keys: a function from position to value that is stored in hardly more bits than the values need.

A value is a word of a prefix code, the more frequent the shorter. The positions are dealt into buckets by a hash.
In its bucket, each bit of a position's code word is the parity of some of the bucket's bits, those that another hash
picks; which bits these must be is a system of linear equations, one for each bit of each code word, and a system with
as many unknowns as equations, or a few more, can be solved for one of the first few hashes that are tried. So nothing
is stored of the positions themselves: one that no game reaches gets a value like any other, and it means nothing.
"""

import heapq
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.solvers.engine import cores
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import Position, TooBig

BUCKET = 512
"""Equations in a bucket, about: in fewer the seeds and offsets weigh more, and more take longer to look up."""
MOST_BUCKETS = 1 << 16
SEEDS = 256
MULTIPLIER, INCREMENT = 0x2C9277B5, 0x3C6EF35F
"""Of the generator that picks bits."""
MIXERS = (0x9E3779B1, 0x6C62272F)
"""Odd numbers that spread a hash."""

FEW = 16
"""Up to this many buckets Python solves before numba is loaded."""
AT_ONCE = 64
"""Buckets between two steps."""

Words = NDArray[np.uint32]
Bytes = NDArray[np.uint8]
Solve = Callable[[Bytes, Bytes], bytes | None]
"""Solves equations, given which bits are summed in each, and what the sums are."""


class Code(NamedTuple):
    """A prefix code: how many words there are of each length from 1, and the values in the order of their words."""

    counts: tuple[int, ...]
    values: tuple[int, ...]

    @property
    def size(self) -> int:
        """The bytes that it takes in C."""
        return len(self.counts) + value_bytes(self) * len(self.values)

    def words(self) -> dict[int, tuple[int, int]]:
        """Each value's word and its length: words of a length follow each other, and longer ones come after."""
        words, word, at = {}, 0, 0
        if not self.counts:
            return dict.fromkeys(self.values, (0, 0))
        for length, count in enumerate(self.counts, 1):
            for value in self.values[at : at + count]:
                words[value] = (word, length)
                word += 1
            at, word = at + count, word << 1
        return words


def code_for(frequencies: Counter[int]) -> Code:
    """The code that takes the fewest bits for values of these frequencies."""
    if len(frequencies) < 2:
        return Code((), tuple(frequencies))
    heap: list[tuple[int, int, tuple[int, ...]]] = [(count, value, (value,)) for value, count in frequencies.items()]
    heapq.heapify(heap)
    lengths = dict.fromkeys(frequencies, 0)
    while len(heap) > 1:
        (a, first, some), (b, _, others) = heapq.heappop(heap), heapq.heappop(heap)
        for value in some + others:
            lengths[value] += 1
        heapq.heappush(heap, (a + b, first, some + others))
    values = sorted(frequencies, key=lambda value: (lengths[value], value))
    counts = Counter(lengths.values())
    return Code(tuple(counts[length] for length in range(1, max(counts) + 1)), tuple(values))


def bits_needed(frequencies: Counter[int]) -> int:
    """The bits of all code words together."""
    words = code_for(frequencies).words()
    return sum(words[value][1] * count for value, count in frequencies.items())


class Store(NamedTuple):
    """Values packed: the code, and for each bucket its seed and where its bytes begin."""

    code: Code
    seeds: bytes
    offsets: tuple[int, ...]
    """One more than there are buckets: each begins where the one before ends."""
    data: bytes

    @property
    def size(self) -> int:
        """The bytes that it takes in C."""
        offset = 2 if len(self.data) < 1 << 16 else 4
        seeds = len(self.seeds) + offset * len(self.offsets) if self.data else 0
        return self.code.size + seeds + len(self.data)


def value_bytes(code: Code) -> int:
    """The bytes of a value."""
    greatest = max(code.values, default=0)
    return 1 if greatest < 1 << 8 else 2 if greatest < 1 << 16 else 4


def size_bound(frequencies: Counter[int]) -> int:
    """The most bytes that the values take, packed: in each bucket a byte may not be full."""
    code, bits = code_for(frequencies), bits_needed(frequencies)
    buckets = buckets_for(bits)
    offset = 2 if bits < 1 << 19 else 4
    return code.size + (bits and bits // 8 + buckets * (2 + offset) + offset + 1)


def buckets_for(bits: int) -> int:
    """The number of buckets into which the equations are dealt."""
    return max(1, round(bits / BUCKET))


def mix(words: Words) -> Words:
    """The words with all their bits spread."""
    for shift, mixer in zip((16, 15), MIXERS, strict=True):
        words = (words ^ words >> np.uint32(shift)) * np.uint32(mixer)
    return words ^ words >> np.uint32(16)


def hash_of(positions: list[Words], seed: int) -> Words:
    """The hash of positions, which are given as the parts of their words."""
    hashes = np.full(positions[0].size, seed, np.uint32)
    for part in positions:
        hashes = mix(hashes ^ part)
    return hashes


def parts_of(positions: list[Position], bits: int) -> list[Words]:
    """The words of positions in parts of 32 bits, the lower first; one part if the words are no wider."""
    parts = []
    for side in (0, 1):
        for shift in (0, 32) if bits > 32 else (0,):
            words = (position[side] >> shift & 0xFFFFFFFF for position in positions)
            parts.append(np.fromiter(words, np.uint32, len(positions)))
    return parts


def bucket_of(hashes: Words, buckets: int) -> NDArray[np.int64]:
    """The bucket that a hash falls into."""
    return ((hashes >> np.uint32(16)).astype(np.int64) * buckets) >> 16


def packing(positions: list[Position], values: list[int], bits: int) -> Steps[Store]:
    """The values of positions, whose words have `bits` bits, packed; in steps."""
    code = code_for(Counter(values))
    words = code.words()
    needed = sum(words[value][1] for value in values)
    if needed == 0:
        return Store(code, b"", (0,), b"")
    buckets = buckets_for(needed)
    if buckets >= MOST_BUCKETS:
        raise TooBig(f"{len(values):,} positions are too many for C; JSON and Parquet take them")
    parts = parts_of(positions, bits)
    homes = bucket_of(hash_of(parts, 0), buckets)
    order = np.argsort(homes, kind="stable")
    ends = np.searchsorted(homes[order], np.arange(buckets + 1))
    coded = np.array([words[value] for value in values], np.int64)
    solve = solution if buckets <= FEW else quick_solution()
    pool = ThreadPool(1 if buckets <= FEW else cores())

    def pack_bucket(bucket: int) -> tuple[int, bytes]:
        here = order[ends[bucket] : ends[bucket + 1]]
        return solve_bucket([part[here] for part in parts], coded[here], solve)

    seeds, offsets, data = bytearray(), [0], bytearray()
    for begin in range(0, buckets, AT_ONCE):
        for seed, bucket_data in pool.map(pack_bucket, range(begin, min(begin + AT_ONCE, buckets))):
            seeds.append(seed)
            data += bucket_data
            offsets.append(len(data))
        yield Step("packing", int(ends[len(seeds)]), len(values))
    return Store(code, bytes(seeds), tuple(offsets), bytes(data))


def solve_bucket(parts: list[Words], words: NDArray[np.int64], solve: Solve) -> tuple[int, bytes]:
    """The seed and the bytes of a bucket with these positions and code words."""
    size = -(-int(words[:, 1].sum()) // 8)
    if size == 0:
        return 0, b""
    for more in range(8):  # a byte more makes it likelier that there is a solution
        for seed in range(SEEDS):
            data = solve(*equations(parts, words, seed, size + more))
            if data is not None:
                return seed, data
    raise AssertionError("two positions have the same hash, whatever the seed")


def equations(parts: list[Words], words: NDArray[np.int64], seed: int, size: int) -> tuple[Bytes, Bytes]:
    """For each bit of each code word which bits of the bytes are summed, and what the sum must be."""
    longest = int(words[:, 1].max())
    factors, terms = jumps(longest * size)
    picked = (hash_of(parts, seed + 1)[:, None] * factors + terms) >> np.uint32(24)
    number, length = words[:, :1], words[:, 1:]
    place = np.arange(longest)
    used = place < length
    sums = number >> np.maximum(length - 1 - place, 0) & 1
    return picked.astype(np.uint8).reshape(-1, longest, size)[used], sums[used].astype(np.uint8)


@lru_cache(maxsize=64)
def jumps(count: int) -> tuple[Words, Words]:
    """Factors and terms that give the generator's state after 1 to `count` steps: factor * state + term."""
    factors = np.multiply.accumulate(np.full(count, MULTIPLIER, np.uint32))
    before = np.concatenate([np.ones(1, np.uint32), factors[:-1]])
    return factors, np.add.accumulate(before, dtype=np.uint32) * np.uint32(INCREMENT)


def quick_solution() -> Solve:
    """A `solution` by compiled code."""
    from perfectplay.compiler.kernels.parity_kernels import solve_parities  # imports numba

    def solve(rows: Bytes, sums: Bytes) -> bytes | None:
        count, size = rows.shape
        wide = np.zeros((count, -(-size // 8) * 8), np.uint8)
        wide[:, :size] = rows
        answer = np.zeros(wide.shape[1] // 8, np.dtype("<i8"))
        return answer.tobytes()[:size] if solve_parities(wide.view(answer.dtype), sums, answer) else None

    return solve


def solution(picked: Bytes, sums: Bytes) -> bytes | None:
    """Bytes for which all equations hold, if there are any: Gaussian elimination over GF(2)."""
    pivots: dict[int, int] = {}
    for bits, odd in zip(picked, sums.tolist(), strict=True):
        row = int.from_bytes(bits.tobytes(), "little") << 1 | odd  # what is summed, and below it what the sum must be
        while row > 1:
            top = row.bit_length()
            other = pivots.get(top)
            if other is None:
                pivots[top] = row
                break
            row ^= other
        else:
            if row == 1:  # nothing is summed, and it should be 1
                return None
    answer = 0
    for top in sorted(pivots):
        row = pivots[top]
        if (row & (answer << 1 | 1)).bit_count() & 1:
            answer |= 1 << (top - 2)
    return answer.to_bytes(picked.shape[1], "little")
