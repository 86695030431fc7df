"""All positions that can be reached and the edges between them, found on all cores.

Every position is expanded once. Its children are looked up in a hash table, where new ones get the next numbers, and
its edges are kept as 4 bytes each, sorted by child as far as the cache allows, so that lists of parents can be made of
them without random access to memory.
"""

import mmap
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.engines import graph_kernels
from perfectplay.engines.graph_kernels import LOW_BITS, OFFSET_BITS, WIDTH
from perfectplay.solvers.expansion import ASTRAY, NO_GAME, TOO_WIDE, broken, ends_of, kind_of, scale_of
from perfectplay.solvers.sorted_keys import Keys
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.words import BadGame, TooBig

Range = tuple[int, int]
FULL = 0.7
"""The fraction of slots in use at which a hash table is replaced by one twice as large."""
NUMBERS = 1 << 12
"""Numbers that a thread takes at a time for new positions."""
LEAST, CHILDREN = 1 << 18, 1 << 22
"""Children generated between two steps, about: as many as there are positions, within these limits."""
GROUPS = 8
"""Edges are kept in so many groups; the memory of each is free again when its lists of parents are made."""
BLOCK = 1 << 22
"""Edges in a block of memory."""
MOST = 2**31 - 1


class Block:
    """Memory for the edges of one group, in rows: the edges of a few parents, sorted by the buckets of the children."""

    def __init__(self) -> None:
        self.edges: NDArray[np.uint32] = np.frombuffer(mmap.mmap(-1, 4 * BLOCK), np.uint32)
        self.used = 0
        self.bases: list[int] = []
        self.rows: list[NDArray[np.int32]] = []

    def directory(self, buckets: int) -> NDArray[np.int64]:
        """Where the edges of each bucket of the group begin, by row, and where the last ones end."""
        found = np.empty((len(self.rows), buckets + 1), np.int64)
        for row, known in zip(found, self.rows, strict=True):
            row[: known.size] = known
            row[known.size :] = known[-1]
        return found


class Parents(NamedTuple):
    """The parents of all positions: those of number n are between two places of its bucket; the kernels' arguments."""

    starts: NDArray[np.uint32]
    bases: NDArray[np.int64]
    parents: NDArray[np.int32]


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
        self.groups: list[list[Block]] = [[] for _ in range(GROUPS)]
        self.sizes: list[int] = []
        """The number of positions of each ply that is complete."""
        self.expanded = 0
        self.edges = 0
        self.lock = Lock()

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
        self.table = np.zeros(1 << self.bits, np.uint32)
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
            self.pool.map(lambda i: self.link(items[i], numbered[i][0], newest), range(len(items)))
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

    def link(self, item: Range, numbers: NDArray[np.int32], newest: int) -> None:
        """Keeps the edges from these parents to these children."""
        begin, stop = item
        buckets = np.zeros((self.top >> LOW_BITS) + 1, np.int64)
        waiting = self.waiting[begin:stop]
        counts = waiting.copy()
        total = graph_kernels.count_edges(numbers, counts, waiting, self.keys, newest, self.drop, buckets)
        kept = np.empty(numbers.size if self.kernels.AGAIN else 0, np.bool_)
        if self.kernels.AGAIN:
            self.kernels.turns_kept(self.keys[begin:stop], self.ended[begin:stop], kept)
        order = np.argsort(np.arange(buckets.size) % GROUPS, kind="stable")
        starts = np.zeros(buckets.size + 1, np.int64)
        np.cumsum(buckets[order], out=starts[1:])
        places = np.empty_like(buckets)
        places[order] = starts[:-1]
        out = np.empty(total, np.uint32)
        graph_kernels.sort_edges(numbers, counts, waiting, kept, places, out)
        cuts = np.searchsorted(order % GROUPS, range(GROUPS + 1)).tolist()
        for group, (first, last) in enumerate(pairwise(cuts)):
            if starts[first] < starts[last]:
                self.store(group, begin, starts[first : last + 1], out)

    def store(self, group: int, base: int, starts: NDArray[np.int64], edges: NDArray[np.uint32]) -> None:
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
            self.edges += size
        block.edges[at : at + size] = edges[starts[0] : starts[-1]]

    def parents(self) -> Steps[Parents]:
        """The parents of all positions; the edges are used up, and the table is freed."""
        self.table = np.zeros(0, np.uint32)
        buckets = (self.top >> LOW_BITS) + 1
        starts = np.zeros(buckets * (WIDTH + 1), np.uint32)
        sizes = np.zeros(buckets, np.int64)
        directories: list[list[NDArray[np.int64]]] = []
        for group, blocks in enumerate(self.groups):
            own = range(group, buckets, GROUPS)
            directories.append([block.directory(len(own)) for block in blocks])
            for found in directories[-1]:
                sizes[group::GROUPS] += np.diff(found).sum(0)
        bases = np.cumsum(sizes) - sizes
        parents = np.empty(self.edges, np.int32)
        done = 0
        for group, blocks in enumerate(self.groups):

            def place(bucket: int, blocks: list[Block] = blocks, group: int = group) -> None:
                j, own = bucket // GROUPS, starts[bucket * (WIDTH + 1) : (bucket + 1) * (WIDTH + 1)]
                ways = [(b, d[:, j], d[:, j + 1]) for b, d in zip(blocks, directories[group], strict=True)]
                for block, begins, ends in ways:
                    graph_kernels.add_counts(block.edges, begins, ends, own)
                np.cumsum(own, out=own)
                places, out = own.copy(), parents[bases[bucket] : bases[bucket] + sizes[bucket]]
                for block, begins, ends in ways:
                    rows = np.array(block.bases, np.int64)
                    graph_kernels.place_parents(block.edges, begins, ends, rows, places, out)

            own = range(group, buckets, GROUPS)
            self.pool.map(place, own)
            done += int(sizes[group::GROUPS].sum())
            blocks.clear()
            del place
            directories[group] = []
            yield Step("linking", done, self.edges)
        return Parents(starts, bases, parents)


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
