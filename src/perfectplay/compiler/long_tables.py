# mypy: ignore-errors
"""Long lookup tables of rules, on the CPU."""

import numpy as np
from numba import njit


def listed(numbers):
    """A compiled function that gives the number at an index, as the tuple would; a negative one counts from the end."""
    table, size = np.array(numbers, np.int64), len(numbers)

    @njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)
    def look(place):
        if place < -size or place >= size:
            raise IndexError("tuple index out of range")
        return table[place]

    return look
