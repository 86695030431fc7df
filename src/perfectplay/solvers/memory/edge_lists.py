"""The edges between positions, kept as 4 bytes each, and the lists of parents that are made of them.

Edges are kept by buckets of their children, in the order in which they are found. So the parents of a bucket are
sorted by child in the cache, without random access to memory. The buckets are in groups, and the memory of a group is
free again when its parents are listed: at no time is there room for all edges twice.
"""

import mmap
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.kernels import graph_kernels
from perfectplay.compiler.kernels.graph_kernels import LOW_BITS, WIDTH
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.thread_pool import ThreadPool

GROUPS = 8
"""Bucket n is in group n % 8."""
BLOCK = 1 << 22
"""Edges in a block of memory, at least as many as a few parents have."""
Places = NDArray[np.int64]


class Children(NamedTuple):
    """The children of some parents: their numbers in a row, how many each parent has and waits for, and who moves."""

    numbers: NDArray[np.int32]
    counts: NDArray[np.uint8]
    waiting: NDArray[np.uint8]
    kept: NDArray[np.bool_]


def empty_words(size: int) -> NDArray[np.uint32]:
    """An array of zeros that takes memory only where it is used, in huge pages, and gives it back when it is freed.

    Random access to a hash table of 128 MiB takes 0.8 of the time that way.
    """
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.frombuffer(mmap.mmap(-1, 4 * size), np.uint32)
    memory = mmap.mmap(-1, 4 * size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, np.uint32)


class Block:
    """Memory for the edges of one group, in rows: the edges of a few parents, sorted by the buckets of the children."""

    def __init__(self) -> None:
        self.edges = empty_words(BLOCK)
        self.used = 0
        self.bases: list[int] = []
        self.rows: list[NDArray[np.int32]] = []

    def directory(self, buckets: int) -> Places:
        """Where the edges of each bucket of the group begin, by row, and where the last ones end."""
        found = np.empty((len(self.rows), buckets + 1), np.int64)
        for row, known in zip(found, self.rows, strict=True):
            row[: known.size] = known
            row[known.size :] = known[-1]
        return found


class Parents(NamedTuple):
    """The parents of all positions: those of number n are between two places of its bucket; the kernels' arguments."""

    starts: NDArray[np.uint32]
    bases: Places
    parents: NDArray[np.int32]


class Edges:
    """All edges, in groups of blocks; threads add to it."""

    def __init__(self) -> None:
        self.groups: list[list[Block]] = [[] for _ in range(GROUPS)]
        self.count = 0
        self.lock = Lock()

    def add(self, base: int, children: Children, sizes: Places) -> None:
        """Adds the edges from the parents numbered from `base` on; `sizes` is their number in each bucket."""
        order = np.argsort(np.arange(sizes.size) % GROUPS, kind="stable")
        starts = np.zeros(sizes.size + 1, np.int64)
        np.cumsum(sizes[order], out=starts[1:])
        places = np.empty_like(sizes)
        places[order] = starts[:-1]
        edges = np.empty(starts[-1], np.uint32)
        graph_kernels.sort_edges(*children, places, edges)
        cuts = np.searchsorted(order % GROUPS, range(GROUPS + 1)).tolist()
        for group, (first, last) in enumerate(pairwise(cuts)):
            if starts[first] < starts[last]:
                self.store(group, base, starts[first : last + 1], edges)

    def store(self, group: int, base: int, starts: Places, edges: NDArray[np.uint32]) -> None:
        """Adds a row to the last block of the group, or to a new one."""
        size = int(starts[-1] - starts[0])
        with self.lock:
            blocks = self.groups[group]
            if not blocks or blocks[-1].used + size > BLOCK:
                blocks.append(Block())
            block = blocks[-1]
            at, block.used = block.used, block.used + size
            block.bases.append(base)
            block.rows.append((starts - starts[0] + at).astype(np.int32))
            self.count += size
        block.edges[at : at + size] = edges[starts[0] : starts[-1]]

    def parents(self, pool: ThreadPool, top: int) -> Steps[Parents]:
        """The parents of all positions up to that number; the edges are used up."""
        buckets = (top >> LOW_BITS) + 1
        sizes = np.zeros(buckets, np.int64)
        for group, blocks in enumerate(self.groups):
            for block in blocks:
                sizes[group::GROUPS] += np.diff(block.directory(sizes[group::GROUPS].size)).sum(0)
        starts = empty_words(buckets * (WIDTH + 1))
        found, done = Parents(starts, np.cumsum(sizes) - sizes, np.empty(self.count, np.int32)), 0
        for group in range(GROUPS):
            self.list_group(pool, group, found, sizes)
            self.groups[group] = []
            done += int(sizes[group::GROUPS].sum())
            yield Step("linking", done, self.count)
        return found

    def list_group(self, pool: ThreadPool, group: int, found: Parents, sizes: Places) -> None:
        """Writes the parents of the buckets of a group."""
        blocks = [(block, block.directory(sizes[group::GROUPS].size)) for block in self.groups[group]]

        def list_bucket(bucket: int) -> None:
            begin, end = found.bases[bucket], found.bases[bucket] + sizes[bucket]
            starts = found.starts[bucket * (WIDTH + 1) : (bucket + 1) * (WIDTH + 1)]
            list_parents(blocks, bucket // GROUPS, starts, found.parents[begin:end])

        pool.map(list_bucket, range(group, sizes.size, GROUPS))


def list_parents(blocks: list[tuple[Block, Places]], bucket: int, starts: NDArray[np.uint32], out: Any) -> None:
    """Writes the parents of a bucket, the n-th of its group, by child, and where those of each child begin."""
    rows = [(block, found[:, bucket], found[:, bucket + 1]) for block, found in blocks]
    for block, begins, ends in rows:
        graph_kernels.add_counts(block.edges, begins, ends, starts)
    np.cumsum(starts, out=starts)
    places = starts.copy()
    for block, begins, ends in rows:
        graph_kernels.place_parents(block.edges, begins, ends, np.array(block.bases, np.int64), places, out)
