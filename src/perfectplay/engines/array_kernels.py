# mypy: ignore-errors
"""The solver's inner loops that call no rules: sorted key arrays, their index, and the edges of retrograde analysis.

Bound by memory: keys are scattered into buckets by their high bits, so that the work on each bucket stays in the cache.
Measured on 75 million children of drop:5,5,4, one core: the scatter takes 4.5 ns per child, removing duplicates with a
bit map 5 ns; numpy's sort and a comparison of neighbours take 29 ns (bench/NOTES.md).
"""

import numpy as np

from perfectplay.engines.intrinsics import call_compress, lowest
from perfectplay.engines.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
DIGIT = 8


@kernel
def count_buckets(keys, shift, counts):
    """Adds to the count of each bucket its number of keys; the bits from `shift` on give the bucket."""
    for i in range(keys.size):
        counts[np.uint64(keys[i] >> shift)] += 1


@kernel
def scatter(keys, shift, places, out):
    """Writes each key to the next free place of its bucket."""
    for i in range(keys.size):
        bucket = np.uint64(keys[i] >> shift)
        out[np.uint64(places[bucket])] = keys[i]
        places[bucket] += 1


@kernel
def unique_by_bits(keys, starts, first, last, shift, bits):
    """Sorts the buckets [first, last) without duplicates to the place where the first begins; returns the keys left.

    `bits` has a bit for each key that a bucket can hold; it is clear before and after.
    """
    at = starts[first]
    for bucket in range(first, last):
        begin, end = starts[bucket], starts[bucket + 1]
        if begin == end:
            continue
        base = np.int64(bucket) << shift
        low, high = bits.size, 0
        for i in range(begin, end):
            offset = keys[np.uint64(i)] - base
            word = offset >> 6
            bits[np.uint64(word)] |= np.int64(1) << (offset & 63)
            low, high = min(low, word), max(high, word)
        for word in range(low, high + 1):
            rest = bits[np.uint64(word)]
            if rest:
                bits[np.uint64(word)] = 0
                while rest:
                    keys[np.uint64(at)] = base + (word << 6) + lowest(rest)
                    at += 1
                    rest &= rest - 1
    return at - starts[first]


@kernel
def unique_by_digits(keys, starts, first, last, shift, spare):
    """The same for keys too far apart for a bit map: an LSD radix sort of each bucket."""
    at = starts[first]
    counts = np.empty(1 << DIGIT, np.int64)
    for bucket in range(first, last):
        begin, end = starts[bucket], starts[bucket + 1]
        here, there = keys[begin:end], spare[begin:end]
        if here.size <= 48:
            sort_few(here)
        else:
            for digit in range(0, shift, DIGIT):
                counts[:] = 0
                for i in range(here.size):
                    counts[here[i] >> digit & 255] += 1
                total = 0
                for d in range(counts.size):
                    count = counts[d]
                    counts[d] = total
                    total += count
                for i in range(here.size):
                    d = here[i] >> digit & 255
                    there[counts[d]] = here[i]
                    counts[d] += 1
                here, there = there, here
        for i in range(here.size):
            number = here[i]
            if i == 0 or number != here[i - 1]:
                spare[at] = number
                at += 1
    for i in range(starts[first], at):  # assigning a slice would take three seconds to compile
        keys[i] = spare[i]
    return at - starts[first]


@kernel
def sort_few(keys):
    """Sorts a few keys in place by insertion."""
    for i in range(1, keys.size):
        number = keys[i]
        j = i
        while j and keys[j - 1] > number:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = number


@kernel
def merge_new(known, fresh, merged, new):
    """Merges two sorted arrays, and also writes the new ones among the fresh keys apart; returns their number."""
    i = j = at = count = 0
    while i < known.size or j < fresh.size:
        if j == fresh.size or (i < known.size and known[i] <= fresh[j]):
            if j < fresh.size and known[i] == fresh[j]:
                j += 1
            merged[at] = known[i]
            i += 1
        else:
            merged[at] = new[count] = fresh[j]
            count += 1
            j += 1
        at += 1
    return count


@kernel
def count_index(keys):
    """The number of branches and leaves in the index of these sorted keys: distinct keys less 12 and less 6 bits."""
    branch_count = leaf_count = 0
    prefix = leaf = np.int64(-1)
    for i in range(keys.size):
        number = np.int64(keys[i])
        if number >> 6 != leaf:
            leaf = number >> 6
            leaf_count += 1
            if number >> 12 != prefix:
                prefix = number >> 12
                branch_count += 1
    return branch_count, leaf_count


@kernel
def fill_index(keys, place, branch, leaf, bucket, shift, coarse, prefixes, branches, leaves):
    """Writes the index: each prefix's place; its leaves as bits, and the first; a leaf's keys as bits, and the first.

    A key's place is found by counting bits, almost without a search. The keys may be a slice of all keys that begins
    with a prefix of its own; `place`, `branch`, `leaf` and `bucket` then count what comes before it.
    """
    prefix = last = np.int64(-1)
    for i in range(keys.size):
        number = np.int64(keys[i])
        if number >> 6 != last:
            if number >> 12 != prefix:
                prefix = number >> 12
                prefixes[branch] = prefix
                branches[2 * branch] = 0
                branches[2 * branch + 1] = leaf
                while bucket <= prefix >> shift:
                    coarse[bucket] = branch
                    bucket += 1
                branch += 1
            last = number >> 6
            branches[2 * branch - 2] |= np.int64(1) << (last & 63)
            leaves[2 * leaf] = 0
            leaves[2 * leaf + 1] = place + i
            leaf += 1
        leaves[2 * leaf - 2] |= np.int64(1) << (number & 63)


@kernel
def count_parents(children, starts):
    """Adds to starts[i + 2] the number of times that position i is a child; a child ~i is i, too."""
    for e in range(children.size):
        child = children[e]
        starts[(~child if child < 0 else child) + 2] += 1


@kernel
def fill_parents(children, counts, starts, parents):
    """Writes the parents of each position, ~parent of a child ~i; starts[i + 1] moves from begin to end of its list."""
    at = 0
    for i in range(counts.size):
        for e in range(at, at + counts[i]):
            child = children[e]
            same = child < 0
            if same:
                child = ~child
            place = starts[child + 1]
            parents[place] = ~i if same else i
            starts[child + 1] = place + 1
        at += counts[i]


@kernel
def spread(grades, starts, parents, waiting, queue, head, tail, most, earlier, lost):
    """Takes up to `most` positions from the queue, and queues and grades the parents that they decide.

    The nearest positions come first, so the first child lost for the opponent gives the fastest win, and the last child
    won for the opponent, which `waiting` counts, the slowest loss. Grades up to `lost` are losses. A parent ~i moves
    again, and the second half of `earlier` has its grade. Returns the queue's head and tail.
    """
    half = earlier.size // 2
    stop = min(head + most, queue.size)
    while head < tail and head < stop:
        end = queue[head]
        head += 1
        opposite = earlier[grades[end]]
        same = earlier[half + grades[end]]
        for at in range(starts[end], starts[end + 1]):
            parent = parents[at]
            grade = opposite
            if parent < 0:
                parent, grade = ~parent, same
            if grades[parent] == 0:
                waiting[parent] -= 1
                if grade > lost or waiting[parent] == 0:
                    grades[parent] = grade
                    queue[tail] = parent
                    tail += 1
    return head, tail


@kernel
def spread_margins(grades, best, starts, parents, waiting, queue, head, tail, most, earlier):
    """Takes up to `most` positions from the queue, and queues and grades the parents all of whose children are graded.

    `best` is the best grade so far. Returns the queue's head and tail.
    """
    half = earlier.size // 2
    stop = min(head + most, queue.size)
    while head < tail and head < stop:
        end = queue[head]
        head += 1
        for at in range(starts[end], starts[end + 1]):
            parent = parents[at]
            grade = earlier[grades[end]]
            if parent < 0:
                parent, grade = ~parent, earlier[half + grades[end]]
            best[parent] = max(best[parent], grade)
            waiting[parent] -= 1
            if waiting[parent] == 0:
                grades[parent] = best[parent]
                queue[tail] = parent
                tail += 1
    return head, tail


@kernel
def compress_rows(function, level, texts, out, lengths):
    """Compresses each row by zlib's function at that address; returns the number of rows done.

    The GIL is held by nobody meanwhile. `zlib.compress` takes it while it sets its memory up, and for each block:
    sixteen threads then wait for each other three quarters of the time.
    """
    for i in range(texts.shape[0]):
        lengths[i] = out.shape[1]
        here, there = out.ctypes.data + i * out.shape[1], lengths.ctypes.data + i * 8
        text = texts.ctypes.data + i * texts.shape[1]
        if call_compress(function, np.int64(here), np.int64(there), np.int64(text), texts.shape[1], level) != 0:
            return i
    return texts.shape[0]
