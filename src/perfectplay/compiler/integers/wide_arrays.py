# mypy: ignore-errors
"""Words of up to 126 bits in arrays of 64-bit integers, two halves each: takes the place of `narrow_arrays.py`."""

import numpy as np
from numba import njit as guard

from perfectplay.compiler.integers.wide_words import joined, lower, narrow, upper

# ---- below this line the text is the same for every game ----

WORDS = 2
"""The places in an array that a word takes."""


@guard
def word_at(array, at):
    """The word at that place."""
    first = np.uint64(at)
    return joined(array[first], array[first + np.uint64(1)])


@guard
def put_word(array, at, word):
    """Writes a word to that place."""
    first = np.uint64(at)
    array[first], array[first + np.uint64(1)] = lower(word), upper(word)


@guard
def folded(word):
    """A word as a number to hash."""
    return np.uint64(lower(word)) * np.uint64(0xD6E8FEB86659FD93) ^ np.uint64(upper(word))


@guard
def number(value):
    """What a rule returns that is no word."""
    return narrow(value)
