"""Keys mixed by a bijection: their order is then as good as random, so equal ranges of it get equal work.

The lowest bits stay, so that keys near each other stay near in groups of 4,096: they code short, and the index of the
compiled engine, made for such groups, serves as it is.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from perfectplay.game import Game

KEPT = 12
"""Bits that stay where they are, at most half of all."""
FACTORS = (0x1CE4E5B9BF58476D, 0x133111EB94D049BB)
"""Odd, with bits all over."""


class Mixing(NamedTuple):
    """The bijection on keys of so many bits, and its inverse; of numbers, or of arrays of 64 bits each."""

    bits: int
    mix: Callable[[Any], Any]
    unmix: Callable[[Any], Any]


def mixing(bits: int) -> Mixing:
    """The bijection for keys of so many bits. What a key has above them stays, so that it is noticed."""
    size = 1 << bits - min(KEPT, bits // 2)
    first, second = (factor & size - 1 | 1 for factor in FACTORS)
    return Mixing(bits, mixer(bits, first, second), mixer(bits, pow(second, -1, size), pow(first, -1, size)))


def mixer(bits: int, first: int, second: int) -> Callable[[Any], Any]:
    """The function that multiplies the upper bits by both factors and folds them in between.

    A fold by half of the bits undoes itself, so the same with the factors' inverses, the last one first, undoes it all.
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
    """The same game with other keys; so all kernels work on mixed keys without knowing it."""
    assert game.key is not None
    assert game.unkey is not None
    key, unkey, mix, unmix = game.key, game.unkey, mixed.mix, mixed.unmix

    def mixed_key(mine: int, theirs: int) -> int:
        return mix(key(mine, theirs))  # type: ignore[no-any-return]

    def mixed_unkey(number: int) -> tuple[int, int]:
        return unkey(unmix(number))

    return replace(game, key=mixed_key, unkey=mixed_unkey)
