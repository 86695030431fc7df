"""Repeatable randomness without memory: a hash of keys, and a permutation of any range of numbers."""

import numpy as np
from numpy.typing import NDArray

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
