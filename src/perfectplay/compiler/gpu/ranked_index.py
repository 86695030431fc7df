# mypy: ignore-errors
"""Sets of positions on a GPU as bits, for games with tiers and keys without large gaps; then an index of them.

This file is a pattern like ../rule_kernels.py, appended to cyclic_kernels.py.

Forward, a key is a bit in a page of the pool; pages come as they are needed. A finished tier becomes an index: blocks
of BLOCK keys that have any bit set, each as 32 entries of 32 bits with the number of bits set before them in the block,
and the number of classes before the block. `directory` gives the block of a key. So classes are numbered in the order
of their keys.
"""

from numba import cuda, int64, uint32

from perfectplay.compiler.gpu.device_rules import (
    EXCESS,
    FALLING,
    FRESH,
    FULL,
    LONG,
    checked_moves,
    checked_outcome,
    child,
)
from perfectplay.compiler.gpu.hash_set import device, kernel, lowest, ones
from perfectplay.compiler.pattern_stubs import PAGE_BITS, unkey

# ---- below this line the text is the same for every game ----

BLOCK = 1024
TILE = 256


@device
def word_of(pages, number):
    """The index of the word in the pool that has the key's bit; negative if its page is missing."""
    page = int64(pages[number >> PAGE_BITS])
    return -1 if page < 0 else (page << PAGE_BITS | number & ((1 << PAGE_BITS) - 1)) >> 5


@kernel
def set_bit(pages, pool, number):
    """Adds one key."""
    if cuda.grid(1) == 0:
        pool[word_of(pages, number)] |= uint32(1 << (number & 31))


@kernel
def grow(pages, pool, begin, end, keys, done, needed, tallies):
    """Adds the children of all keys of the tier that are not done; asks for pages that are missing."""
    fresh = 0
    for at in range(cuda.grid(1), (end - begin) >> 5, cuda.gridsize(1)):
        if tallies[FULL] != 0:
            break
        first = begin + (at << 5)
        place = word_of(pages, first)
        if place < 0:
            continue
        bits = int64(pool[place]) & ~int64(done[at])
        if bits == 0:
            continue
        added, whole = bits, True
        while bits:
            number = first + lowest(bits)
            bits &= bits - 1
            mine, theirs = unkey(number)
            if checked_outcome(mine, theirs, number, tallies) != 2:
                continue
            legal = checked_moves(mine, theirs, tallies)
            while legal:
                after = child(mine, theirs, lowest(legal), True)
                legal &= legal - 1
                if after < begin:
                    tallies[EXCESS if after == -1 else LONG if after == -2 else FALLING] = 1
                    continue
                if after >= keys:
                    tallies[LONG] = 1
                    continue
                there = word_of(pages, after)
                if there < 0:
                    needed[after >> PAGE_BITS] = 1
                    tallies[FULL] = 1
                    whole = False
                elif int64(pool[there]) >> (after & 31) & 1 == 0:
                    cuda.atomic.or_(pool, there, uint32(1 << (after & 31)))
        if whole:
            done[at] = uint32(int64(done[at]) | added)
            fresh += ones(added)
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)


@kernel
def count_blocks(pages, pool, begin, counts):
    """Writes how many keys each block of the tier has."""
    for block in range(cuda.grid(1), counts.size, cuda.gridsize(1)):
        place = word_of(pages, begin + block * BLOCK)
        many = 0
        if place >= 0:
            for i in range(32):
                many += ones(int64(pool[place + i]))
        counts[block] = many


@kernel
def sum_tiles(numbers, sums, used):
    """Writes the sum of each tile of numbers, and how many of them are not 0."""
    for tile in range(cuda.grid(1), sums.size, cuda.gridsize(1)):
        total, many = 0, 0
        for at in range(tile * TILE, min((tile + 1) * TILE, numbers.size)):
            total += numbers[at]
            many += numbers[at] != 0
        sums[tile] = total
        used[tile] = many


@kernel
def place_blocks(counts, sums, used, begin, directory, firsts, homes):
    """Numbers the blocks that have keys; `sums` and `used` have the classes and blocks before each tile."""
    for tile in range(cuda.grid(1), sums.size, cuda.gridsize(1)):
        number, block = int64(sums[tile]), int64(used[tile])
        for at in range(tile * TILE, min((tile + 1) * TILE, counts.size)):
            if counts[at] != 0:
                directory[begin // BLOCK + at] = block
                firsts[block] = number
                homes[block] = begin // BLOCK + at
                number += counts[at]
                block += 1


@kernel
def write_blocks(pages, pool, homes, entries):
    """Writes the bits of each block, with the number of bits before them."""
    for block in range(cuda.grid(1), homes.size, cuda.gridsize(1)):
        place = word_of(pages, int64(homes[block]) * BLOCK)
        before = 0
        for i in range(32):
            bits = int64(pool[place + i])
            entries[block * 32 + i] = before << 32 | bits
            before += ones(bits)


@kernel
def shift_blocks(directory, begin, end, by):
    """Renumbers the blocks of the keys from begin to end."""
    for at in range(begin // BLOCK + cuda.grid(1), end // BLOCK, cuda.gridsize(1)):
        if directory[at] >= 0:
            directory[at] += by


@device
def class_at(directory, entries, firsts, number):
    """The number of the class with this key; negative if there is none."""
    block = int64(directory[number // BLOCK])
    if block < 0:
        return -1
    entry = int64(entries[block * 32 + (number >> 5 & 31)])
    below = (1 << (number & 31)) - 1
    return int64(firsts[block]) + (entry >> 32) + ones(entry & below) if entry >> (number & 31) & 1 else -1


@kernel
def class_of_key(directory, entries, firsts, number, out):
    """Writes the number of one class."""
    if cuda.grid(1) == 0:
        out[0] = class_at(directory, entries, firsts, number)
