# mypy: ignore-errors
"""The inner loops of a solve on disk: delta-coded keys, and the places of sorted keys in others.

A delta is the difference to the previous number, its sign in the lowest bit, in groups of 7 bits, the lowest first;
all bytes but the last have their high bit set. Measured on drop:6,4,4: 1.3 bytes and 3 ns per key, either way.
"""

import numpy as np

from perfectplay.compiler.numba_compat import njit

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)


@kernel
def encode(numbers, cuts, shift, out, stops):
    """Writes numbers as deltas, by segments: segment c is numbers[cuts[c] : cuts[c + 1]], starting at c << shift.

    `stops` receives the end of each segment.
    """
    at = np.uint64(0)
    for c in range(cuts.size - 1):
        last = np.int64(c) << shift
        for i in range(cuts[c], cuts[c + 1]):
            step = np.int64(numbers[i]) - last
            last = np.int64(numbers[i])
            rest = np.uint64((step << 1) ^ (step >> 63))
            while rest > np.uint64(127):
                out[at] = (rest & np.uint64(127)) | np.uint64(128)
                at += np.uint64(1)
                rest >>= np.uint64(7)
            out[at] = rest
            at += np.uint64(1)
        stops[c] = at


@kernel
def decode(data, base, out):
    """Reads the numbers of a segment that starts at `base`; returns their count, or -1 if it is not that of `out`."""
    last = np.int64(base)
    count = 0
    rest = np.uint64(0)
    shift = np.uint64(0)
    for i in range(data.size):
        byte = np.uint64(data[i])
        rest |= (byte & np.uint64(127)) << shift
        if byte & np.uint64(128):
            shift += np.uint64(7)
        else:
            if count == out.size:
                return -1
            last += np.int64(rest >> np.uint64(1)) ^ -np.int64(rest & np.uint64(1))
            out[np.uint64(count)] = last
            count += 1
            rest = shift = np.uint64(0)
    return count if shift == 0 and count == out.size else -1


@kernel
def decode_all(data, lengths, counts, shift, out):
    """Reads the numbers of consecutive segments, of which segment c starts at c << shift; -1 if the counts differ."""
    begin = at = 0
    for c in range(counts.size):
        if counts[c]:
            if decode(data[begin : begin + lengths[c]], c << shift, out[at : at + counts[c]]) < 0:
                return -1
            begin += lengths[c]
            at += counts[c]
    return at


@kernel
def places_of(numbers, keys, places):
    """Writes the place of each wanted key among the keys, both sorted, or -1; returns the number of missing keys.

    A galloping search from the last place: as fast as a merge for arrays of like size, else as a binary search.
    """
    low = 0
    misses = 0
    for i in range(numbers.size):
        number = numbers[i]
        step = 1
        high = low
        while high < keys.size and keys[high] < number:
            low = high + 1
            high += step
            step += step
        high = min(high, keys.size)
        while low < high:
            middle = (low + high) >> 1
            if keys[middle] < number:
                low = middle + 1
            else:
                high = middle
        if low < keys.size and keys[low] == number:
            places[i] = low
        else:
            places[i] = -1
            misses += 1
    return misses


@kernel
def count_edges(places, counts, starts):
    """Adds to starts[place + 2] the number of parents of each place, from lists of these lengths."""
    for i in range(places.size):
        starts[places[i] + 2] += counts[i]


@kernel
def fill_edges(places, counts, parents, starts, out):
    """Appends the parents of each place to those already there; starts[place + 1] moves from begin to end."""
    at = 0
    for i in range(places.size):
        place = starts[places[i] + 1]
        for e in range(at, at + counts[i]):
            out[place] = parents[e]
            place += 1
        starts[places[i] + 1] = place
        at += counts[i]


@kernel
def decide(grades, waiting, parents, at_once, grade, new):
    """Notes at these positions that a child is decided; writes those that this decides, and returns their number.

    A lost or drawn child decides `at_once`, a won child only as the last one waited for.
    """
    count = 0
    for i in range(parents.size):
        parent = parents[i]
        if grades[parent] == 0:
            waiting[parent] -= 1
            if at_once or waiting[parent] == 0:
                grades[parent] = grade
                new[count] = parent
                count += 1
    return count


@kernel
def decide_by_points(grades, best, waiting, messages, own, grade_bits, new):
    """Notes at positions, numbered from `own` on, the grades that children give them; writes those it decides.

    A message is a position's number, and below it a grade. Returns the number of decided positions.
    """
    count = 0
    for i in range(messages.size):
        parent = (messages[i] >> grade_bits) - own
        grade = messages[i] & ((1 << grade_bits) - 1)
        best[parent] = max(best[parent], grade)
        waiting[parent] -= 1
        if waiting[parent] == 0:
            grades[parent] = best[parent]
            new[count] = parent
            count += 1
    return count


@kernel
def parents_of(places, starts, parents, out):
    """Writes the parents of all these places, one list after another; returns their number."""
    at = 0
    for i in range(places.size):
        for e in range(starts[places[i]], starts[places[i] + 1]):
            out[at] = parents[e]
            at += 1
    return at
