# mypy: ignore-errors
"""A set of positions in GPU memory: a hash table whose entries omit what their slot implies.

This file is a pattern like ../rule_kernels.py, placed before the loops of layered_kernels.py and cyclic_kernels.py.

A key is mixed by invertible steps; its top bits pick its home slot, and an entry holds
    grade | tries | rest
the low bits of the mixed key, the number of slots tried up to this one, so that no entry is 0, and a grade. Slot and
entry together give back the key. Eight slots of four bytes, or four of eight, make a bucket of 32 bytes, one memory
transaction: a probe tries all slots of the home bucket first, from the home on and around, then other buckets, in
steps that depend on the rest, so that full buckets do not cluster.

Slots are only ever filled, and a probe for a key tries the same slots in the same order up to the first free one.
So a stale read does no harm: a thread takes a free slot by compare-and-swap.
"""

from numba import cuda

from perfectplay.compiler.pattern_stubs import BUCKET, ENTRY, FOLD, KEY_BITS, KEYS, REST_BITS, SPREAD, UNSPREAD

# ---- below this line the text is the same for every game ----

device = cuda.jit(device=True)
kernel = cuda.jit(opt=True, cache=True)

TRY_BITS = 7
GRADE_AT = REST_BITS + TRY_BITS
ONE = 1 << REST_BITS
REST = ONE - 1
KNOWN = (1 << GRADE_AT) - 1
TRIES = (1 << TRY_BITS) - 1
ROUNDS = TRIES // BUCKET
STEP = 255


@device
def ones(word):
    """The number of set bits in a word."""
    return cuda.popc(word)


@device
def lowest(word):
    """The index of the lowest set bit in a nonzero word.

    It counts trailing zeros, since numba's simulator of `cuda.ffs` is right for 32 bits only.
    """
    return cuda.popc(~word & (word - 1))


@device
def mixed(number):
    """The key with its bits mixed; a bijection."""
    number ^= number >> FOLD
    number = number * SPREAD & KEYS
    number ^= number >> FOLD
    return number * SPREAD & KEYS


@device
def unmixed(number):
    """The inverse of the mixing."""
    number = number * UNSPREAD & KEYS
    number ^= number >> FOLD
    number = number * UNSPREAD & KEYS
    return number ^ number >> FOLD


@device
def home_of(number, shape, slots):
    """The home slot of a mixed key.

    The table is 2 ** `parts` interleaved tables: the highest bits of the key pick one,
    and the next `top` bits are scaled to its size.
    """
    parts, top = shape >> 8, shape & 255
    inside = number >> (KEY_BITS - parts - top) & ((1 << top) - 1)
    return (inside * (slots >> parts) >> top) << parts | number >> (KEY_BITS - parts)


@device
def step(rest, buckets):
    """The distance from a bucket to the next one to try; never a full circle."""
    return 1 + (rest & STEP) % (buckets - 1)


@device
def added(table, shape, number):
    """The slot of the key, negative if there is no room, and whether the key is new."""
    number = mixed(number)
    home = home_of(number, shape, table.size)
    bucket = home // BUCKET
    wanted = number & REST | ONE
    for _ in range(ROUNDS):
        for i in range(BUCKET):
            at = bucket * BUCKET + ((home + i) & (BUCKET - 1))
            entry = int(table[at])
            if entry == 0:
                entry = int(cuda.atomic.cas(table, at, ENTRY(0), ENTRY(wanted)))
                if entry == 0:
                    return at, True
            if entry & KNOWN == wanted:
                return at, False
            wanted += ONE
        buckets = table.size // BUCKET
        bucket = (bucket + step(wanted & REST, buckets)) % buckets
    return -1, False


@device
def found(table, shape, number):
    """The slot of the key, negative if it is missing."""
    number = mixed(number)
    home = home_of(number, shape, table.size)
    bucket = home // BUCKET
    wanted = number & REST | ONE
    for _ in range(ROUNDS):
        for i in range(BUCKET):
            at = bucket * BUCKET + ((home + i) & (BUCKET - 1))
            entry = int(table[at]) & KNOWN
            if entry == wanted:
                return at
            if entry == 0:
                return -1
            wanted += ONE
        buckets = table.size // BUCKET
        bucket = (bucket + step(wanted & REST, buckets)) % buckets
    return -1


@device
def mixed_at(rest, rest_bits, tries, at, shape, slots):
    """The mixed key of an entry in that slot, of whose rest `rest_bits` bits are known."""
    bucket = at // BUCKET
    if tries > BUCKET:
        buckets = slots // BUCKET
        bucket = (bucket - (tries - 1) // BUCKET * step(rest, buckets)) % buckets
    home = bucket * BUCKET + ((at - tries + 1) & (BUCKET - 1))
    parts, top, size = shape >> 8, shape & 255, slots >> (shape >> 8)
    inside = (((home >> parts) << top) + size - 1) // size
    least = (((home & ((1 << parts) - 1)) << top) + inside) << (KEY_BITS - parts - top)
    return least + ((rest - least) & ((1 << rest_bits) - 1))


@device
def key_at(table, shape, at):
    """The key of the entry in that occupied slot."""
    entry = int(table[at])
    return unmixed(mixed_at(entry & REST, REST_BITS, entry >> REST_BITS & TRIES, at, shape, table.size))


@kernel
def fill(array, number):
    """Fills the array with this number."""
    for at in range(cuda.grid(1), array.size, cuda.gridsize(1)):
        array[at] = number


@kernel
def put(table, shape, keys):
    """Adds the keys, for which there must be room."""
    for i in range(cuda.grid(1), keys.size, cuda.gridsize(1)):
        added(table, shape, int(keys[i]))


@kernel
def unload(table, shape, values, begin, end, keys, grades, count):
    """Writes the keys of the positions in the slots from `begin` to `end`, and their values, in any order.

    Values come from an array, by slot, or from the entries if the array is empty.
    """
    for at in range(begin + cuda.grid(1), min(end, table.size), cuda.gridsize(1)):
        if table[at] != 0:
            place = cuda.atomic.add(count, 0, 1)
            keys[place] = key_at(table, shape, at)
            grades[place] = int(values[at]) if values.size > 0 else int(table[at]) >> GRADE_AT


@kernel
def greatest(table, shape, out):
    """Writes the greatest key."""
    most = 0
    for at in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        if table[at] != 0:
            most = max(most, key_at(table, shape, at))
    cuda.atomic.max(out, 0, most)


@kernel
def count_buckets(table, shape, shift, counts):
    """Counts the keys of each bucket; the bits from `shift` on give the bucket."""
    for at in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        if table[at] != 0:
            cuda.atomic.add(counts, key_at(table, shape, at) >> shift, 1)


@kernel
def deal(table, shape, values, shift, first, places, keys, grades):
    """Writes keys and values, as `unload` does, to the places of their buckets, of those from `first` on."""
    for at in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        if table[at] != 0:
            number = key_at(table, shape, at)
            bucket = (number >> shift) - first
            if 0 <= bucket < places.size:
                place = cuda.atomic.add(places, bucket, 1)
                keys[place] = number
                grades[place] = int(values[at]) if values.size > 0 else int(table[at]) >> GRADE_AT


@kernel
def look_up(table, shape, values, keys, out):
    """Writes the value, or else the grade, of each key; -1 for missing keys."""
    for i in range(cuda.grid(1), keys.size, cuda.gridsize(1)):
        at = found(table, shape, int(keys[i]))
        if at < 0:
            out[i] = -1
        else:
            out[i] = int(values[at]) if values.size > 0 else int(table[at]) >> GRADE_AT
