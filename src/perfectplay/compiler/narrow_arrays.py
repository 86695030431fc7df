# mypy: ignore-errors
"""Words in arrays of 64-bit integers, one each: a pattern like `rule_kernels.py`."""

import numpy as np
from numba import njit as guard

# ---- below this line the text is the same for every game ----

WORDS = 1
"""The places in an array that a word takes."""


@guard
def word_at(array, at):
    """The word at that place."""
    return array[at]


@guard
def put_word(array, at, word):
    """Writes a word to that place."""
    array[at] = word


@guard
def folded(word):
    """A word as a number to hash."""
    return np.uint64(word)


@guard
def number(value):
    """What a rule returns that is no word."""
    return value
