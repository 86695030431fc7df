"""Words of up to 126 bits on their way into compiled code and out of it; needs no numba."""

HALF = 63
"""The bits of the lower half of a word in arrays."""


class Wide(int):
    """A Python integer that compiled code takes as a word of 128 bits."""

    @property
    def low(self) -> int:
        """The lower 64 bits."""
        return self & (1 << 64) - 1

    @property
    def high(self) -> int:
        """The upper 64 bits, with the sign."""
        return self >> 64


def whole(low: int, high: int) -> int:
    """The number with these lower and upper 64 bits."""
    return high << 64 | low


def halves(word: int) -> tuple[int, int]:
    """The word as arrays hold it."""
    return word & (1 << HALF) - 1, word >> HALF
