# mypy: ignore-errors
"""The inner loops of the solver that know no rules: sorted arrays of keys, their index, edges taken back.

Bound by memory: keys are scattered into buckets by their high bits, so that what follows stays within the cache.
Measured on 75 million children of drop:5,5,4, one core: scatter 4.5 ns a child, repeats removed by a bit map 5 ns;
numpy's sort and a comparison of neighbours took 29 (bench/NOTES.md).
"""

import numpy as np

from perfectplay.engines.intrinsics import lowest
from perfectplay.engines.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
DIGIT = 8


@kernel
def count_buckets(keys, shift, counts):
    """Adds up how many keys fall into each bucket, by their bits from `shift` on."""
    for i in range(keys.size):
        counts[np.uint64(keys[i] >> shift)] += 1


@kernel
def scatter(keys, shift, places, out):
    """Writes each key to the next place of its bucket."""
    for i in range(keys.size):
        bucket = np.uint64(keys[i] >> shift)
        out[np.uint64(places[bucket])] = keys[i]
        places[bucket] += 1


@kernel
def unique_by_bits(keys, starts, first, last, shift, bits):
    """Sorts the buckets [first, last), without repeats, to where the first begins; how many keys remain.

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
    """The same for keys too far apart for a bit map: a radix sort of each bucket from the lowest digit up."""
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
    keys[starts[first] : at] = spare[starts[first] : at]
    return at - starts[first]


@kernel
def sort_few(keys):
    """Sorts a few keys in place, by insertion."""
    for i in range(1, keys.size):
        number = keys[i]
        j = i
        while j and keys[j - 1] > number:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = number


@kernel
def merge_new(known, fresh, merged, new):
    """Merges two sorted arrays; how many of the fresh keys are new, which are written apart, too."""
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
    """How many branches and leaves the index of these sorted keys has: different keys but for 12 and for 6 bits."""
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
    """Writes the index: where each prefix is; its leaves as bits and the first one; a leaf's keys as bits, the first.

    So the place of a key is found by counting bits, almost without a search. The keys may be a part of all, beginning
    with a prefix of its own: then `place`, `branch`, `leaf` and `bucket` say how many there are before.
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
    """Adds up in starts[i + 2] how often position i is a child."""
    for e in range(children.size):
        starts[children[e] + 2] += 1


@kernel
def fill_parents(children, counts, starts, parents):
    """Writes for each position those that it is a child of; starts[i + 1] moves from begin to end of its list."""
    at = 0
    for i in range(counts.size):
        for e in range(at, at + counts[i]):
            place = starts[children[e] + 1]
            parents[place] = i
            starts[children[e] + 1] = place + 1
        at += counts[i]


@kernel
def spread(grades, starts, parents, waiting, queue, head, tail, most, earlier, lost):
    """Takes up to `most` positions from the queue and grades what they decide for their parents, which join the queue.

    Nearest ends come first, so the first child lost for the other side gives the quickest win, and the last child won
    for it, which `waiting` counts, the latest loss. Grades up to `lost` are losses. Returns the queue's head and tail.
    """
    stop = min(head + most, queue.size)
    while head < tail and head < stop:
        end = queue[head]
        head += 1
        grade = earlier[grades[end]]
        for at in range(starts[end], starts[end + 1]):
            parent = parents[at]
            if grades[parent] == 0:
                waiting[parent] -= 1
                if grade > lost or waiting[parent] == 0:
                    grades[parent] = grade
                    queue[tail] = parent
                    tail += 1
    return head, tail
