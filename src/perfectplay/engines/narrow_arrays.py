# mypy: ignore-errors
"""Words in arrays, one each: a pattern like `rule_kernels.py`."""

from numba import njit as guard

# ---- below this line the text is the same for every game ----


@guard
def word_at(words, i):
    """The i-th word."""
    return words[i]


@guard
def put_word(words, i, word):
    """Writes the i-th word."""
    words[i] = word
