"""Sorted arrays of keys: removal of duplicates, and an index that finds the place of a key."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.kernels import array_kernels
from perfectplay.solvers.thread_pool import ThreadPool

Keys = NDArray[Any]
"""Sorted keys, of 32 bits where that suffices, else of 64."""
Counts = NDArray[np.int64]

BUCKET_BITS = 11
"""Few enough buckets that their write positions stay in the cache."""
FEW = 4096
"""Up to this size, numpy is fastest."""
MAP_BITS = 24
"""The bits of the largest bit map for a bucket, which takes 2 MiB."""


def kind_for(greatest: int) -> type:
    """The narrowest type that holds keys up to this one."""
    return np.int32 if greatest < 2**31 else np.int64


def place_of(keys: Keys, key: int) -> int:
    """The place of the first of these sorted keys that is not less; numpy would convert all if the types differed."""
    return int(np.searchsorted(keys, keys.dtype.type(key))) if keys.size and key <= keys[-1] else keys.size


def unique(pool: ThreadPool, keys: Keys, greatest: int) -> Keys:
    """The keys, sorted and distinct; their array is used up, since two as large are most of what a solve needs."""
    kind = kind_for(greatest)
    if keys.size <= FEW:
        return np.unique(keys).astype(kind)
    shift = max(0, greatest.bit_length() - BUCKET_BITS)
    spread, starts = scattered(pool, keys, shift, (greatest >> shift) + 1, kind)
    tasks = pool.parts(keys.size)
    cuts = np.searchsorted(starts, [part.start for part in tasks] + [keys.size])
    if shift <= MAP_BITS and greatest >> 6 <= 4 * keys.size:

        def sort(first: int, last: int) -> int:
            bits = np.zeros(max(1, (1 << shift) >> 6), np.int64)
            return int(array_kernels.unique_by_bits(spread, starts, first, last, shift, bits))
    else:
        spare = keys if keys.dtype == kind else np.empty_like(spread)

        def sort(first: int, last: int) -> int:
            return int(array_kernels.unique_by_digits(spread, starts, first, last, shift, spare))

    ranges = list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))
    sizes = pool.map(lambda cut: sort(*cut), ranges)
    end = 0
    for (first, _), size in zip(ranges, sizes, strict=True):
        begin = int(starts[first])
        spread[end : end + size] = spread[begin : begin + size]
        end += size
    spread.resize(end, refcheck=False)
    return spread


def sorted_pairs(pool: ThreadPool, keys: Keys, grades: NDArray[Any]) -> tuple[Keys, NDArray[Any]]:
    """Distinct keys in order, and the grades in the same order."""
    if keys.size <= FEW:
        order = np.argsort(keys)
        return keys[order], grades[order]
    greatest = int(keys.max())
    shift = max(0, greatest.bit_length() - BUCKET_BITS)
    parts = pool.parts(keys.size)
    starts, places = bucket_places(pool, keys, parts, shift, (greatest >> shift) + 1)
    out, out_grades = np.empty_like(keys), np.empty_like(grades)

    def scatter(i: int) -> None:
        array_kernels.scatter_pairs(keys[parts[i]], grades[parts[i]], shift, places[i], out, out_grades)

    def sort(bucket: int) -> None:
        here = slice(starts[bucket], starts[bucket + 1])
        spare, spare_grades = np.empty_like(out[here]), np.empty_like(out_grades[here])
        if array_kernels.sort_pairs(out[here], out_grades[here], shift, spare, spare_grades):
            out[here], out_grades[here] = spare, spare_grades

    pool.map(scatter, range(len(parts)))
    pool.map(sort, np.flatnonzero(np.diff(starts)).tolist())
    return out, out_grades


def scattered(pool: ThreadPool, keys: Keys, shift: int, buckets: int, kind: type) -> tuple[Keys, Counts]:
    """The keys grouped by bucket, and the start of each bucket."""
    parts = pool.parts(keys.size)
    starts, places = bucket_places(pool, keys, parts, shift, buckets)
    out: Keys = np.empty(keys.size, kind)
    pool.map(lambda i: array_kernels.scatter(keys[parts[i]], shift, places[i], out), range(len(parts)))
    return out, starts


def bucket_places(pool: ThreadPool, keys: Keys, parts: list[slice], shift: int, buckets: int) -> tuple[Counts, Counts]:
    """The start of each bucket, and where each part's keys in it begin."""
    counts = np.zeros((len(parts), buckets), np.int64)
    pool.map(lambda i: array_kernels.count_buckets(keys[parts[i]], shift, counts[i]), range(len(parts)))
    starts = np.zeros(buckets + 1, np.int64)
    np.cumsum(counts.sum(0), out=starts[1:])
    return starts, np.cumsum(counts, 0) - counts + starts[:-1]


class Index(NamedTuple):
    """Finds the place of a key in a sorted array; the fields are the kernels' arguments, in order."""

    coarse: NDArray[np.int32]
    shift: int
    prefixes: NDArray[np.int64]
    branches: NDArray[np.int64]
    leaves: NDArray[np.int64]


def index_of(pool: ThreadPool, keys: Keys) -> Index:
    """The index of these sorted keys."""
    cuts = [0, *(place_of(keys, int(keys[part.stop - 1]) >> 12 << 12) for part in pool.parts(keys.size))]
    cuts[-1] = keys.size
    parts = list(pairwise(cuts))
    counts = np.array(pool.map(lambda part: array_kernels.count_index(keys[slice(*part)]), parts))
    before = np.cumsum(counts, 0) - counts
    branches, leaves = counts.sum(0).tolist()
    top = int(keys[-1]) >> 12
    shift = max(0, top.bit_length() - max(18, branches.bit_length() + 3))
    index = Index(
        np.empty((top >> shift) + 1, np.int32),
        shift,
        np.empty(branches, np.int64),
        np.empty(2 * branches, np.int64),
        np.empty(2 * leaves, np.int64),
    )

    def fill(i: int) -> None:
        begin, end = parts[i]
        bucket = (int(keys[begin - 1]) >> 12 >> shift) + 1 if begin else 0
        branch, leaf = before[i]
        array_kernels.fill_index(
            keys[begin:end],
            begin,
            branch,
            leaf,
            bucket,
            shift,
            index.coarse,
            index.prefixes,
            index.branches,
            index.leaves,
        )

    pool.map(fill, [i for i, (begin, end) in enumerate(parts) if begin < end])
    return index
