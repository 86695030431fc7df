"""Mixes keys by a bijection: their order becomes pseudorandom, so equal ranges of keys mean equal work.

The lowest bits stay, so nearby keys stay together in groups of 4,096: their deltas are short, and the index of the
compiled engine, made for such groups, works unchanged.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from perfectplay.game import Game

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
