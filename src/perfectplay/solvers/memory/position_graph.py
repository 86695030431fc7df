"""All positions that can be reached and the edges between them, found on all cores.

Every position is expanded once. Its children are looked up in a hash table, where new ones get the next numbers.
"""

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.kernels import graph_kernels
from perfectplay.compiler.kernels.graph_kernels import LOW_BITS, OFFSET_BITS
from perfectplay.solvers.memory.edge_lists import Children, Edges, Parents, empty_words
from perfectplay.solvers.memory.expansion import ASTRAY, NO_GAME, TOO_WIDE, broken, ends_of, kind_of, scale_of
from perfectplay.solvers.memory.sorted_keys import Keys
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
