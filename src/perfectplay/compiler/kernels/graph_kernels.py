# mypy: ignore-errors
"""The inner loops of retrograde analysis that call no rules: a set of positions, the edges between them, and waves.

Positions are numbered in the order in which they are found. The set is an open hash table whose entries are
    tag | number + 1
in 32 bits, with as many bits for the number as the table has, and the rest for the tag, more bits of the hash: so of
other keys at most few are compared. Threads take free slots by compare-and-swap; slots are only ever filled.
A position that is lost for the side to move, because the game is over, has ~key in the list of keys: its parents are
won in one move, and need no edges.

Bound by memory accesses: their addresses are computed in batches and prefetched. An edge takes two accesses when it is
found, to the table and to the list of keys, none when it is sorted by child, and one when it is used (bench/NOTES.md).
"""

import numpy as np

from perfectplay.compiler.intrinsics import fetch, swap, swap_if
from perfectplay.compiler.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
inner = njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)

BATCH = 64
MIX = 0x9E3779B97F4A7C15
LOW_BITS = 16
"""Children whose parents are sorted together: 2 ** 16, few enough for the cache."""
OFFSET_BITS = 15
"""Parents whose edges are kept together: at most 2 ** 15."""
WIDTH = 1 << LOW_BITS
LOW = WIDTH - 1
OFFSETS = (1 << OFFSET_BITS) - 1


@inner
def hashed(number):
    """64 bits that depend on all bits of a key."""
    number = np.uint64(number)
    number ^= number >> np.uint64(29)
    number *= np.uint64(MIX)
    number ^= number >> np.uint64(32)
    return number * np.uint64(MIX)


@inner
def entry_of(mixed, number, bits):
    """The entry of a position with that hash."""
    tag = mixed >> np.uint64(32 - bits) & np.uint64(0xFFFFFFFF)
    return np.uint32(tag >> np.uint64(bits) << np.uint64(bits) | np.uint64(number + 1))


@kernel
def put_all(table, bits, keys, first):
    """Adds distinct keys, numbered from `first` on, to a table that does not contain them."""
    homes = np.empty(BATCH, np.uint64)
    mask = np.int64(table.size - 1)
    for begin in range(0, keys.size, BATCH):
        end = min(begin + BATCH, keys.size)
        for i in range(begin, end):
            number = np.int64(keys[np.uint64(i)])
            homes[i - begin] = hashed(~number if number < 0 else number)
            fetch(table, np.int64(homes[i - begin] >> np.uint64(64 - bits)))
        for i in range(begin, end):
            mixed = homes[i - begin]
            at = np.int64(mixed >> np.uint64(64 - bits))
            entry = entry_of(mixed, first + i, bits)
            while table[np.uint64(at)] != 0 or swap_if(table, at, np.uint32(0), entry) != 0:
                at = (at + 1) & mask


@kernel
def find_or_add(table, bits, keys, children, begin, numbers, fresh, stop):
    """Writes the number of each child from `begin` on, ~number of one known to be lost.

    New ones get numbers from `fresh` on. Returns where it ended, since the numbers up to `stop` may not suffice, and
    the next free number.
    """
    mixes = np.empty(BATCH, np.uint64)
    mask = np.int64(table.size - 1)
    low = np.uint32((np.int64(1) << bits) - 1)
    while begin < children.size:
        end = min(begin + BATCH, children.size)
        for i in range(begin, end):
            mixed = hashed(children[np.uint64(i)])
            mixes[i - begin] = mixed
            fetch(table, np.int64(mixed >> np.uint64(64 - bits)))
        for i in range(begin, end):
            entry = table[np.uint64(mixes[i - begin] >> np.uint64(64 - bits))]
            if entry != 0:
                fetch(keys, np.int64(entry & low) - 1)
        for i in range(begin, end):
            child = np.int64(children[np.uint64(i)])
            mixed = mixes[i - begin]
            at = np.int64(mixed >> np.uint64(64 - bits))
            wanted = entry_of(mixed, -1, bits)
            while True:
                entry = table[np.uint64(at)]
                if entry == 0:
                    if fresh == stop:
                        return i, fresh
                    keys[np.uint64(fresh)] = child
                    entry = swap_if(table, at, np.uint32(0), np.uint32(wanted | np.uint32(fresh + 1)))
                    if entry == 0:
                        numbers[np.uint64(i)] = fresh
                        fresh += 1
                        break
                if entry & ~low == wanted:
                    number = np.int64(entry & low) - 1
                    known = np.int64(keys[np.uint64(number)])
                    if known == child:
                        numbers[np.uint64(i)] = number
                        break
                    if known == ~child:
                        numbers[np.uint64(i)] = ~number
                        break
                at = (at + 1) & mask
        begin = end
    return begin, fresh


@kernel
def mark_lost(keys, grades, lost):
    """Makes the keys of the positions with that grade ~key."""
    for i in range(keys.size):
        if grades[i] == lost and keys[i] >= 0:
            keys[i] = ~keys[i]


@kernel
def count_edges(numbers, counts, waiting, keys, newest, drop, buckets):
    """Counts the edges by the bucket of their child.

    If `drop`, parents with a lost child have no edges and wait for none: they are won. Children from `newest` on may be
    lost without being marked in `numbers`. `counts` are those of the parents' children, and `waiting` gets those of
    their edges.
    """
    at = 0
    for i in range(counts.size):
        end = at + np.int64(counts[i])
        won = False
        if drop:
            for e in range(at, end):
                number = numbers[np.uint64(e)]
                won |= number < 0 or (number >= newest and keys[np.uint64(number)] < 0)
        waiting[i] = 0 if won else counts[i]
        if not won:
            for e in range(at, end):
                number = numbers[np.uint64(e)]
                if number < 0:
                    number = ~number
                buckets[np.uint64(number >> LOW_BITS)] += 1
        at = end


@kernel
def sort_edges(numbers, counts, waiting, kept, places, out):
    """Writes the edges of the parents that wait for any to the next places of their children's buckets.

    An edge is the offset of its parent, whether the same side moves again, and the low bits of its child.
    """
    at = 0
    for i in range(counts.size):
        end = at + np.int64(counts[i])
        if waiting[i]:
            for e in range(at, end):
                number = np.int64(numbers[np.uint64(e)])
                if number < 0:
                    number = ~number
                place = np.uint64(number >> LOW_BITS)
                edge = number & LOW | np.int64(i) << (LOW_BITS + 1)
                if kept.size and kept[e]:
                    edge |= WIDTH
                out[np.uint64(places[place])] = edge
                places[place] += 1
        at = end


@kernel
def add_counts(edges, begins, ends, starts):
    """Adds to starts[i + 1] the number of edges to child i of a bucket; they are in these ranges."""
    for k in range(begins.size):
        for e in range(begins[k], ends[k]):
            starts[np.uint64((edges[np.uint64(e)] & LOW) + 1)] += 1


@kernel
def place_parents(edges, begins, ends, bases, places, parents):
    """Writes the parents of a bucket's children to their next places, ~parent where the same side moves again."""
    for k in range(begins.size):
        base = np.int64(bases[k])
        for e in range(begins[k], ends[k]):
            edge = np.int64(edges[np.uint64(e)])
            child = np.uint64(edge & LOW)
            parent = base + (edge >> (LOW_BITS + 1))
            parents[np.uint64(places[child])] = ~parent if edge & WIDTH else parent
            places[child] += 1


@inner
def fetch_parents(wave, begin, end, starts, bases, parents, firsts, lasts):
    """Notes where the parents of these positions are, and prefetches them; returns their number."""
    total = 0
    for i in range(begin, end):
        number = np.int64(wave[np.uint64(i)])
        fetch(starts, number + (number >> LOW_BITS))
    for i in range(begin, end):
        number = np.int64(wave[np.uint64(i)])
        bucket = number >> LOW_BITS
        base = bases[np.uint64(bucket)]
        firsts[i - begin] = base + np.int64(starts[np.uint64(number + bucket)])
        lasts[i - begin] = base + np.int64(starts[np.uint64(number + bucket + 1)])
        total += lasts[i - begin] - firsts[i - begin]
        fetch(parents, firsts[i - begin])
        fetch(parents, lasts[i - begin])
    return total


@kernel
def spread(wave, begin, grades, waiting, starts, bases, parents, earlier, lost, out):
    """Takes positions of a wave from `begin` on, and grades the parents that they decide; writes these to `out`.

    All positions of a wave are equally far from the end, and nearer waves came before. So the first child lost for the
    opponent gives the fastest win, and the last child won for the opponent, which `waiting` counts, the slowest loss;
    it is 0 for positions with a grade. Grades up to `lost` are losses. A parent ~i moves again, and the second half of
    `earlier` has its grade. Returns where it ended, since `out` may be full, and the positions written.
    """
    half = earlier.size // 2
    firsts, lasts = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    count = 0
    while begin < wave.size:
        end = min(begin + BATCH, wave.size)
        total = fetch_parents(wave, begin, end, starts, bases, parents, firsts, lasts)
        if count + total > out.size:
            break
        for i in range(end - begin):
            for at in range(firsts[i], lasts[i]):
                parent = parents[np.uint64(at)]
                fetch(waiting, np.int64(~parent if parent < 0 else parent))
        for i in range(end - begin):
            opposite = earlier[grades[wave[begin + i]]]
            same = earlier[half + np.int64(grades[wave[begin + i]])]
            for at in range(firsts[i], lasts[i]):
                parent, grade = np.int64(parents[np.uint64(at)]), opposite
                if parent < 0:
                    parent, grade = ~parent, same
                left = waiting[np.uint64(parent)]
                if left == 0:
                    continue
                if grade > lost:
                    left = swap(waiting, parent, np.uint8(0))
                    decided = left != 0
                else:
                    before = swap_if(waiting, parent, left, np.uint8(left - 1))
                    while before != left and before != 0:
                        left = before
                        before = swap_if(waiting, parent, left, np.uint8(left - 1))
                    decided = before == 1
                if decided:
                    grades[np.uint64(parent)] = grade
                    out[np.uint64(count)] = parent
                    count += 1
        begin = end
    return begin, count


@kernel
def spread_margins(wave, begin, grades, waiting, starts, bases, parents, earlier, out):
    """The same in a game for points, by one thread: parents are graded when all their children are.

    The grade of a parent that waits is the best so far.
    """
    half = earlier.size // 2
    firsts, lasts = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    count = 0
    while begin < wave.size:
        end = min(begin + BATCH, wave.size)
        if count + fetch_parents(wave, begin, end, starts, bases, parents, firsts, lasts) > out.size:
            break
        for i in range(end - begin):
            mine = np.int64(grades[wave[begin + i]])
            for at in range(firsts[i], lasts[i]):
                parent, grade = np.int64(parents[at]), earlier[mine]
                if parent < 0:
                    parent, grade = ~parent, earlier[half + mine]
                grades[parent] = max(grades[parent], grade)
                waiting[parent] -= 1
                if waiting[parent] == 0:
                    out[count] = parent
                    count += 1
        begin = end
    return begin, count
