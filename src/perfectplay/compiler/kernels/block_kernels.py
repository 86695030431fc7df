# mypy: ignore-errors
"""Inner loops on the blocks of a table: decoding, and the starts of buckets of keys."""

import numpy as np

from perfectplay.compiler.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)


@kernel
def decode_block(text, key, greatest, most, keys, grades):
    """Writes the keys and grades of a decompressed block that begins with this key; returns whether it is right.

    Its keys increase up to `greatest` at most, its grades are from 1 to `most`.
    """
    count = keys.size
    last = count - 1
    width = np.int64(text[0])
    right = width <= 8 and key <= greatest
    for i in range(count if right else 0):
        keys[i] = key
        if i < last:
            step = np.int64(0)
            for plane in range(width):
                step |= np.int64(text[np.uint64(1 + plane * last + i)]) << 8 * plane
            right &= 0 < step <= greatest - key
            key += step
    after = 1 + width * last
    for i in range(count):
        grade = np.int64(0)
        for plane in range((text.size - after) // count):
            grade |= np.int64(text[np.uint64(after + plane * count + i)]) << 8 * plane
        right &= 1 <= grade <= most
        grades[i] = grade
    return right


@kernel
def fill_starts(keys, shift, starts):
    """Writes the place of the first key of each bucket, and the number of keys after the last."""
    bucket = 0
    for i in range(keys.size):
        while bucket <= keys[i] >> shift:
            starts[np.uint64(bucket)] = i
            bucket += 1
    while bucket < starts.size:
        starts[np.uint64(bucket)] = keys.size
        bucket += 1
