# mypy: ignore-errors
"""The solver's inner loops that call no rules: sorted key arrays, their index, and the edges of retrograde analysis.

Bound by memory: keys are scattered into buckets by their high bits, so that the work on each bucket stays in the cache.
Measured on 75 million children of drop:5,5,4, one core: the scatter takes 4.5 ns per child, removing duplicates with a
bit map 5 ns; numpy's sort and a comparison of neighbours take 29 ns (bench/NOTES.md).
"""

import numpy as np

from perfectplay.compiler.intrinsics import call_compress, lowest
from perfectplay.compiler.numba_compat import njit

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
def scatter_pairs(keys, grades, shift, places, out, out_grades):
    """The same for keys with their grades."""
    for i in range(keys.size):
        bucket = np.uint64(keys[i] >> shift)
        at = np.uint64(places[bucket])
        out[at] = keys[i]
        out_grades[at] = grades[i]
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
def sort_pairs(keys, grades, shift, spare, spare_grades):
    """Sorts the keys of a bucket with their grades; returns whether the result is in the spare arrays."""
    counts = np.empty(1 << DIGIT, np.int64)
    swapped = False
    for digit in range(0, shift, DIGIT):
        counts[:] = 0
        for i in range(keys.size):
            counts[keys[i] >> digit & 255] += 1
        total = 0
        for d in range(counts.size):
            count = counts[d]
            counts[d] = total
            total += count
        for i in range(keys.size):
            d = keys[i] >> digit & 255
            spare[np.uint64(counts[d])] = keys[i]
            spare_grades[np.uint64(counts[d])] = grades[i]
            counts[d] += 1
        keys, spare, grades, spare_grades = spare, keys, spare_grades, grades
        swapped = not swapped
    return swapped


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
def count_blocks(keys):
    """The number of blocks of 32 consecutive keys that have one of these sorted keys."""
    count = 0
    last = np.int64(-1)
    for i in range(keys.size):
        block = np.int64(keys[i]) >> 5
        count += block != last
        last = block
    return count


@kernel
def fill_blocks(keys, grades, earlier, block, branches, blocks):
    """Writes the grades of these sorted keys one ply earlier in blocks of 32 consecutive keys, from this block on.

    `branches` receives for each 64 blocks a bit for each that there is, and the number of the first. The keys may be
    a slice of all keys that begins with a branch of its own.
    """
    branch = last = np.int64(-1)
    block -= 1
    for i in range(keys.size):
        number = np.int64(keys[i])
        if number >> 5 != last:
            last = number >> 5
            block += 1
            if last >> 6 != branch:
                branch = last >> 6
                branches[np.uint64(2 * branch)] = 0
                branches[np.uint64(2 * branch + 1)] = block
            branches[np.uint64(2 * branch)] |= np.int64(1) << (last & 63)
        blocks[np.uint64(block << 5 | number & 31)] = earlier[grades[i]]


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
