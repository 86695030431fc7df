# mypy: ignore-errors
"""Tables of hash_set.py while they are not needed: some 14 bits per position, in no order but that of the slots.

This file is a pattern like ../rule_kernels.py, appended to hash_set.py.

A large table's slots imply most of a key, so `rest_bits` bits of the rest are enough. A thread packs a group of 32
slots into whole words; groups follow each other without gaps, and a tile is the groups of a block of threads.
"""

from numba import cuda, int32

from perfectplay.compiler.gpu.hash_set import REST, TRIES, device, kernel, mixed_at
from perfectplay.compiler.pattern_stubs import ENTRY, REST_BITS, THREADS

# ---- below this line the text is the same for every game ----

GROUP = 32
PIECE = 30


@device
def written(words, at, word, filled, number, bits):
    """Appends a number of at most 31 bits; returns the index of the next word, its bits so far, and their number."""
    word |= number << filled
    filled += bits
    if filled >= 32:
        words[at] = word & 0xFFFFFFFF
        return at + 1, word >> 32, filled - 32
    return at, word, filled


@device
def slot_of(begin, group, i):
    """The slot of a group: those of a group are 32 apart, so that neighbouring threads visit neighbouring slots."""
    return begin + group // GROUP * (GROUP * GROUP) + i * GROUP + group % GROUP


@device
def place_of(before, sizes, places, tile):
    """The first word of this thread's group, one of a tile; `before` is shared by the threads."""
    me = cuda.threadIdx.x
    group = tile * THREADS + me
    size = int(sizes[group]) if group < sizes.size else 0
    cuda.syncthreads()
    before[me] = size
    cuda.syncthreads()
    reach = 1
    while reach < THREADS:
        more = before[me - reach] if me >= reach else 0
        cuda.syncthreads()
        before[me] += more
        cuda.syncthreads()
        reach *= 2
    return int(places[tile]) + int(before[me]) - size


@kernel
def measure(table, begin, end, rest_bits, sizes, sums):
    """Writes how many words each group of slots takes when it is packed, and adds them up by tiles of groups."""
    for group in range(cuda.grid(1), sizes.size, cuda.gridsize(1)):
        bits = 0
        for i in range(GROUP):
            at = slot_of(begin, group, i)
            if at < end:
                tries = int(table[at]) >> REST_BITS & TRIES
                bits += 1 + (tries + rest_bits if tries else 0)
        sizes[group] = (bits + 31) // 32
        cuda.atomic.add(sums, group // THREADS, (bits + 31) // 32)


@kernel
def pack(table, begin, end, rest_bits, sizes, places, words):
    """Packs the slots, a thread each group: the tries as ones and a zero, then `rest_bits` bits of the rest.

    A free slot is one zero. At a load of 0.7 a slot has 1.5 tries on average, and this code is near their entropy.
    """
    before = cuda.shared.array(THREADS, int32)
    for tile in range(cuda.blockIdx.x, places.size, cuda.gridDim.x):
        place, word, filled = place_of(before, sizes, places, tile), 0, 0
        group = tile * THREADS + cuda.threadIdx.x
        for i in range(GROUP if group < sizes.size else 0):
            at = slot_of(begin, group, i)
            if at >= end:
                break
            entry = int(table[at])
            tries = entry >> REST_BITS & TRIES
            ones_left = tries
            while ones_left >= PIECE:
                place, word, filled = written(words, place, word, filled, (1 << PIECE) - 1, PIECE)
                ones_left -= PIECE
            place, word, filled = written(words, place, word, filled, (1 << ones_left) - 1, ones_left + 1)
            if tries:
                for done in range(0, rest_bits, PIECE):
                    bits = min(PIECE, rest_bits - done)
                    number = entry >> done & ((1 << bits) - 1)
                    place, word, filled = written(words, place, word, filled, number, bits)
        if filled > 0:
            words[place] = word


@kernel
def unpack(sizes, places, words, rest_bits, table, begin, end, shape):
    """Fills the slots from the packed words."""
    before = cuda.shared.array(THREADS, int32)
    for tile in range(cuda.blockIdx.x, places.size, cuda.gridDim.x):
        place, word, filled = place_of(before, sizes, places, tile), 0, 0
        group = tile * THREADS + cuda.threadIdx.x
        for i in range(GROUP if group < sizes.size else 0):
            at = slot_of(begin, group, i)
            if at >= end:
                break
            tries, more = -1, 1
            while more:
                if filled == 0:
                    word = int(words[place])
                    filled = 32
                    place += 1
                more = word & 1
                word >>= 1
                filled -= 1
                tries += 1
            rest = 0
            for done in range(0, rest_bits if tries else 0, PIECE):
                bits = min(PIECE, rest_bits - done)
                if filled < bits:
                    word |= int(words[place]) << filled
                    filled += 32
                    place += 1
                rest |= (word & ((1 << bits) - 1)) << done
                word >>= bits
                filled -= bits
            entry = 0
            if tries:
                number = mixed_at(rest, rest_bits, tries, at, shape, table.size)
                entry = number & REST | tries << REST_BITS
            table[at] = ENTRY(entry)
