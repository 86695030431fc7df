# mypy: ignore-errors
"""Words of up to 126 bits in arrays, two halves each: takes the place of `narrow_arrays.py`."""

from numba import njit as guard

from perfectplay.engines.wide_words import joined, lower, upper

# ---- below this line the text is the same for every game ----


@guard
def word_at(words, i):
    """The i-th word."""
    return joined(words[2 * i], words[2 * i + 1])


@guard
def put_word(words, i, word):
    """Writes the i-th word."""
    words[2 * i], words[2 * i + 1] = lower(word), upper(word)
