"""All positions that can be reached and the edges between them, found on all cores.

Every position is expanded once. Its children are looked up in a hash table, where new ones get the next numbers.
"""

import mmap
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.kernels import graph_kernels
from perfectplay.compiler.kernels.graph_kernels import LOW_BITS, OFFSET_BITS, WIDTH
from perfectplay.solvers.memory.expansion import ASTRAY, NO_GAME, TOO_WIDE, broken, ends_of, kind_of, scale_of
from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import BadGame, TooBig

# The edges between positions, kept as 4 bytes each, and the lists of parents that are made of them.
#
# Edges are kept by buckets of their children, in the order in which they are found. So the parents of a bucket are
# sorted by child in the cache, without random access to memory. The buckets are in groups, and the memory of a group is
# free again when its parents are listed: at no time is there room for all edges twice.


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


Range = tuple[int, int]
FULL = 0.7
"""The fraction of slots in use at which a hash table is replaced by one twice as large."""
NUMBERS = 1 << 12
"""Numbers that a thread takes at a time for new positions."""
LEAST, CHILDREN = 1 << 18, 1 << 22
"""Children generated between two steps, about: as many as there are positions, within these limits."""
MOST = 2**31 - 1


class PositionGraph:
    """Positions by number, in the order in which they are found, with their edges.

    `keys` has ~key of a position that is lost at the end of the game, `ended` the grades of finished positions, and
    `waiting` the number of children; where `wins` are not kept, it is 0 for a position that wins at once.
    """

    def __init__(self, kernels: Any, pool: ThreadPool, symmetric: bool, linked: bool = True) -> None:
        self.kernels, self.pool, self.symmetric, self.linked = kernels, pool, symmetric, linked
        scale = scale_of(kernels, narrow=True)
        self.ends, self.drop = ends_of(scale), not (kernels.POINTS or kernels.AGAIN)
        self.bits = 0
        self.table: NDArray[np.uint32] = np.zeros(1, np.uint32)
        self.keys: Keys = np.empty(0, np.int32)
        self.ended: NDArray[Any] = np.empty(0, kind_of(scale))
        self.waiting: NDArray[np.uint8] = np.empty(0, np.uint8)
        self.top = 0
        self.spare: list[Range] = []
        self.pending: list[Range] = []
        self.links = Edges()
        self.sizes: list[int] = []
        """The number of positions of each ply that is complete."""
        self.expanded = 0
        self.lock = Lock()

    @property
    def edges(self) -> int:
        """The number of edges kept."""
        return self.links.count

    @property
    def count(self) -> int:
        """The number of positions."""
        return self.top - sum(stop - begin for begin, stop in self.spare)

    def add(self, keys: Keys, known: bool = False) -> None:
        """Adds distinct keys that are not in the graph yet; those that are `known` are not expanded."""
        self.reserve(keys.size, keys.dtype)
        begin, self.top = self.top, self.top + keys.size
        self.keys[begin : self.top] = keys
        ranges = [(begin + part.start, begin + part.stop) for part in self.pool.parts(keys.size)]
        self.pool.map(lambda part: self.put(*part), ranges)
        if known:
            self.ended[begin : self.top], self.waiting[begin : self.top] = self.ends[1], 0
        else:
            self.judge(ranges)
            self.pending += ranges
            self.sizes = [self.top]

    def put(self, begin: int, stop: int) -> None:
        """Enters these numbers in the table."""
        graph_kernels.put_all(self.table, self.bits, self.keys[begin:stop], begin)

    def reserve(self, more: int, kind: Any = np.int32) -> None:
        """Makes room for more positions, and for keys of that type."""
        if self.keys.dtype != np.int64 and kind == np.int64:
            self.keys = self.keys.astype(np.int64)
        needed = self.top + more + NUMBERS * (2 * self.pool.threads + 1)
        if needed > MOST:
            raise TooBig(f"{needed:,} positions are too many: at most {MOST:,} can be numbered")
        if needed <= FULL * self.table.size:
            return
        while needed > FULL * (1 << self.bits):
            self.bits += 1
        room = int(FULL * (1 << self.bits)) + 1
        self.keys, self.ended, self.waiting = (
            longer(array, self.top, room) for array in (self.keys, self.ended, self.waiting)
        )
        self.table = np.zeros(0, np.uint32)
        self.table = empty_words(1 << self.bits)
        self.pool.map(lambda part: self.put(*part), split(self.used(), 1 << OFFSET_BITS))

    def found(self) -> Keys:
        """The keys of all positions found so far."""
        keys: Keys = np.concatenate([self.keys[begin:stop] for begin, stop in self.used()])
        return as_keys(keys)

    def positions(self, grades: NDArray[Any]) -> tuple[Keys, NDArray[Any]]:
        """The keys of all positions in any order, and their grades; the arrays are used up."""
        for begin, stop in split([(0, self.top)], 1 << 20):
            as_keys(self.keys[begin:stop])
        stop = self.top
        for begin, end in sorted(self.spare, reverse=True):
            moved = min(end - begin, stop - end)  # the last ones take the place of numbers that none has
            for array in (self.keys, grades):
                array[begin : begin + moved] = array[stop - moved : stop]
            stop -= end - begin
        return self.keys[:stop], grades[:stop]

    def used(self) -> list[Range]:
        """The numbers that positions have."""
        cuts = [0, *(end for spare in sorted(self.spare) for end in spare), self.top]
        return [(begin, stop) for begin, stop in zip(cuts[::2], cuts[1::2], strict=True) if begin < stop]

    def take(self) -> Range:
        """Numbers for new positions."""
        with self.lock:
            if self.spare:
                return self.spare.pop()
            self.top += NUMBERS
            return self.top - NUMBERS, self.top

    def judge(self, ranges: list[Range]) -> None:
        """Grades the finished ones among these positions, and counts the children of the others."""

        def judge(begin: int, stop: int) -> int:
            here = self.keys[begin:stop]
            fault, _ = self.kernels.judge(here, self.ended[begin:stop], self.ends, 0, self.waiting[begin:stop])
            if fault >= 0 and self.drop:
                graph_kernels.mark_lost(here, self.ended[begin:stop], self.ends[0])
            return int(fault)

        for (begin, _), fault in zip(ranges, self.pool.map(lambda part: judge(*part), ranges), strict=True):
            if fault < 0:
                raise broken(self.kernels, int(self.keys[begin - 1 - fault]), NO_GAME)

    def explore(self, closed: bool = False) -> Steps[None]:
        """Expands all positions, ply by ply; if `closed`, BadGame is raised if there is another one."""
        following: list[Range] = []
        while self.pending:
            items, many = self.next_items()
            fresh = self.expand(items, many)
            if closed and fresh:
                raise BadGame(ASTRAY)
            following += fresh
            self.expanded += sum(stop - begin for begin, stop in items)
            if not self.pending:
                self.pending, following = joined(following), []
                self.sizes.append(self.count - self.expanded)
            yield Step("forward", self.expanded, ahead=many)

    def next_items(self) -> tuple[list[Range], int]:
        """Positions to expand next, several parts for each thread, and the number of their children."""
        left = sum(stop - begin for begin, stop in self.pending)
        size = min(1 << OFFSET_BITS, max(1 << 10, left // (4 * self.pool.threads)))
        pieces, items, many = split(self.pending, size), [], 0
        while pieces and many < max(LEAST, min(CHILDREN, self.top)):
            begin, stop = pieces.pop(0)
            items.append((begin, stop))
            many += int(self.waiting[begin:stop].sum(dtype=np.int64))
        self.pending = joined(pieces)
        return items, many

    def expand(self, items: list[Range], many: int) -> list[Range]:
        """Finds the children of these positions, and keeps the edges; returns the numbers of new positions."""
        self.reserve(many)
        found = self.pool.map(lambda item: self.children_of(*item), items)
        if any(greatest > np.iinfo(self.keys.dtype).max for _, greatest in found):
            self.keys = self.keys.astype(np.int64)
            found = self.pool.map(lambda item: self.children_of(*item), items)
        spare_before = list(self.spare)
        newest = min([self.top, *(begin for begin, _ in spare_before)])
        numbered = self.pool.map(lambda one: self.numbers_of(one[0]), found)
        fresh = [part for _, parts in numbered for part in parts]
        self.judge(fresh)
        if self.linked:
            self.pool.map(lambda i: self.link(*items[i], numbered[i][0], newest), range(len(items)))
        return fresh

    def children_of(self, begin: int, stop: int) -> tuple[Keys, int]:
        """The keys of the children of these positions, in a row, and the greatest in full."""
        keys, ended = self.keys[begin:stop], self.ended[begin:stop]
        out = np.empty(int(self.waiting[begin:stop].sum(dtype=np.int64)), keys.dtype)
        fault, greatest = self.kernels.expand(keys, ended, self.symmetric, out)
        if fault:
            raise broken(self.kernels, int(keys[-1 - fault]), TOO_WIDE)
        return out, int(greatest)

    def numbers_of(self, children: Keys) -> tuple[NDArray[np.int32], list[Range]]:
        """The numbers of these positions, and which of them are new."""
        numbers, fresh = np.empty(children.size, np.int32), []
        at = 0
        while at < children.size:
            begin, stop = self.take()
            at, end = graph_kernels.find_or_add(self.table, self.bits, self.keys, children, at, numbers, begin, stop)
            fresh.append((begin, end))
            if end < stop:
                with self.lock:
                    self.spare.append((end, stop))
        return numbers, [(begin, end) for begin, end in fresh if begin < end]

    def link(self, begin: int, stop: int, numbers: NDArray[np.int32], newest: int) -> None:
        """Keeps the edges from these parents to their children; those from `newest` on are not known to be lost."""
        waiting = self.waiting[begin:stop]
        counts = waiting.copy()
        buckets = np.zeros((self.top >> LOW_BITS) + 1, np.int64)
        graph_kernels.count_edges(numbers, counts, waiting, self.keys, newest, self.drop, buckets)
        kept = np.empty(numbers.size if self.kernels.AGAIN else 0, np.bool_)
        if self.kernels.AGAIN:
            self.kernels.turns_kept(self.keys[begin:stop], self.ended[begin:stop], kept)
        self.links.add(begin, Children(numbers, counts, waiting, kept), buckets)

    def parents(self) -> Steps[Parents]:
        """The parents of all positions; the edges are used up, and the hash table is freed."""
        self.table = np.zeros(0, np.uint32)
        return self.links.parents(self.pool, self.top)


def as_keys(keys: Keys) -> Keys:
    """The keys, in place, with ~key made key."""
    keys ^= keys >> (8 * keys.itemsize - 1)
    return keys


def longer(array: NDArray[Any], used: int, size: int) -> NDArray[Any]:
    """A larger array with the same first elements; the others take no memory yet."""
    found = np.empty(size, array.dtype)
    found[:used] = array[:used]
    return found


def split(ranges: list[Range], most: int) -> list[Range]:
    """The same ranges in pieces of at most that size."""
    return [(at, min(at + most, stop)) for begin, stop in ranges for at in range(begin, stop, most)]


def joined(ranges: list[Range]) -> list[Range]:
    """The same ranges in order, with neighbours joined."""
    found: list[Range] = []
    for begin, stop in sorted(ranges):
        if found and found[-1][1] == begin:
            found[-1] = found[-1][0], stop
        else:
            found.append((begin, stop))
    return found
