# mypy: ignore-errors
"""The solver's loops on a GPU for games of any kind: one table for all positions, solved by retrograde analysis.

This file is a pattern like ../rule_kernels.py, appended to layered_kernels.py.

A value is a 16-bit code per slot, of distance and kind, 0 while unknown, with a code of its own for free slots.
A bit plane also marks the slots with a value of some kind. It is small enough for the GPU's cache, and children are
looked up there.
If they fit, the slots of all children are stored when they are first generated; if not, every pass generates and
looks up the children again.
"""

from numba import cuda, int32, int64, uint32

from perfectplay.engines.gpu.device_rules import (
    ASTRAY,
    EDGES,
    EXCESS,
    FRESH,
    FULL,
    LONG,
    SHORT,
    checked_moves,
    checked_outcome,
    child,
    weight,
)
from perfectplay.engines.gpu.hash_set import GRADE_AT, added, found, kernel, key_at, lowest, ones
from perfectplay.engines.gpu.layered_kernels import QUEUE, SHARED
from perfectplay.engines.pattern_stubs import ENTRY, LOOKS, THREADS, moves, unkey

# ---- below this line the text is the same for every game ----

SEEN = 1 << GRADE_AT
FREE = 65535
COUNT_BITS = 6


@kernel
def spread(table, shape, symmetric, codes, edges, firsts, tallies):
    """Adds the children of all new positions to the table itself; gives codes to finished positions.

    The slots of the children are appended to `edges` while there is room; `firsts` gets where they begin and their
    number.
    """
    queue = cuda.shared.array(QUEUE, int64)
    slots = cuda.shared.array(QUEUE, int64)
    state = cuda.shared.array(3, int32)
    base = cuda.shared.array(1, int64)
    me = cuda.threadIdx.x
    if me == 0:
        state[0] = 0
    fresh = 0
    begin, stride = cuda.blockIdx.x * THREADS * LOOKS, cuda.gridDim.x * THREADS * LOOKS
    waiting = 0
    while begin < table.size or waiting > 0:
        if me == 0:
            state[1] = tallies[FULL]
        cuda.syncthreads()
        if state[1] != 0:
            break
        for look in range(LOOKS):
            at = begin + look * THREADS + me
            if at < table.size and table[at] != 0 and int(table[at]) < SEEN:
                number = key_at(table, shape, at)
                mine, theirs = unkey(number)
                ended = checked_outcome(mine, theirs, number, tallies)
                if ended == 2:
                    place = cuda.atomic.add(state, 0, 1)
                    queue[place] = number
                    slots[place] = at
                else:
                    table[at] |= ENTRY(SEEN)
                    if codes.size > 0:
                        codes[at] = ended + 2
        begin += stride
        cuda.syncthreads()
        waiting = state[0]
        while waiting >= THREADS or (begin >= table.size and waiting > 0):
            waiting -= THREADS
            mine, theirs = unkey(int(queue[max(waiting + me, 0)]))
            legal = checked_moves(mine, theirs, tallies) if waiting + me >= 0 else 0
            many = ones(legal)
            if me == 0:
                state[2] = 0
            cuda.syncthreads()
            first = cuda.atomic.add(state, 2, many)
            cuda.syncthreads()
            if me == 0:
                base[0] = cuda.atomic.add(tallies, EDGES, int64(state[2]))
            cuda.syncthreads()
            first += base[0]
            kept = first + many <= edges.size
            if not kept:
                tallies[SHORT] = 1
            done = 0
            while legal:
                number = child(mine, theirs, lowest(legal), symmetric)
                legal &= legal - 1
                if number < 0:
                    tallies[EXCESS if number == -1 else LONG] = 1
                    break
                at, new = added(table, shape, number)
                fresh += new
                if at < 0:
                    tallies[FULL] = 1
                    break
                if kept:
                    edges[first + done] = at
                done += 1
            if waiting + me >= 0 and done == many:
                at = slots[waiting + me]
                if kept:
                    firsts[at] = first << COUNT_BITS | many
                table[at] |= ENTRY(SEEN)
                if codes.size > 0:
                    codes[at] = 0
        waiting = max(waiting, 0)
        cuda.syncthreads()
        if me == 0:
            state[0] = waiting
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)


@kernel
def mark(codes, code, plane):
    """Sets the bits of the slots that have this code."""
    for at in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
        if codes[at] == code:
            cuda.atomic.or_(plane, at >> 5, uint32(1 << (at & 31)))


@kernel
def pull(codes, edges, firsts, plane, every, code, tallies):
    """Gives the code to all undecided positions with some child, or every child, in the plane."""
    fresh = 0
    for at in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
        if codes[at] == 0:
            first = firsts[at] >> COUNT_BITS
            end = first + (firsts[at] & ((1 << COUNT_BITS) - 1))
            hit = every
            while first < end and hit == every:
                place = int(edges[first])
                hit = int(plane[place >> 5]) >> (place & 31) & 1 != 0
                first += 1
            if hit:
                codes[at] = code
                fresh += 1
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)


@kernel
def pull_again(table, shape, codes, plane, every, code, tallies):
    """The same, but generates the children again."""
    slots = cuda.shared.array(QUEUE, int64)
    state = cuda.shared.array(1, int32)
    me = cuda.threadIdx.x
    if me == 0:
        state[0] = 0
    fresh = 0
    begin, stride = cuda.blockIdx.x * THREADS * LOOKS, cuda.gridDim.x * THREADS * LOOKS
    waiting = 0
    while begin < table.size or waiting > 0:
        cuda.syncthreads()
        for look in range(LOOKS):
            at = begin + look * THREADS + me
            if at < table.size and codes[at] == 0:
                slots[cuda.atomic.add(state, 0, 1)] = at
        begin += stride
        cuda.syncthreads()
        waiting = state[0]
        while waiting >= THREADS or (begin >= table.size and waiting > 0):
            waiting -= THREADS
            if waiting + me >= 0:
                mine, theirs = unkey(key_at(table, shape, int(slots[waiting + me])))
                legal = moves(mine, theirs)
                hit = every
                while legal and hit == every:
                    number = child(mine, theirs, lowest(legal), True)
                    legal &= legal - 1
                    place = found(table, shape, number) if number >= 0 else -1
                    if place < 0:
                        tallies[ASTRAY] = 1
                        hit = False
                        break
                    hit = int(plane[place >> 5]) >> (place & 31) & 1 != 0
                if hit:
                    codes[slots[waiting + me]] = code
                    fresh += 1
        waiting = max(waiting, 0)
        cuda.syncthreads()
        if me == 0:
            state[0] = waiting
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)


@kernel
def count_codes(table, shape, codes, weighed, counts, tallies):
    """Counts the codes of all positions in the table, each weighted by its number of images if `weighed`.

    The number of positions is counted separately.
    """
    here = cuda.shared.array(SHARED, int32)
    me = cuda.threadIdx.x
    for code in range(me, SHARED, THREADS):
        here[code] = 0
    fresh = 0
    cuda.syncthreads()
    for at in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        if table[at] != 0:
            many = 1
            if weighed:
                mine, theirs = unkey(key_at(table, shape, at))
                many = weight(mine, theirs)
            fresh += 1
            if codes[at] < SHARED:
                cuda.atomic.add(here, codes[at], many)
            else:
                cuda.atomic.add(counts, codes[at], many)
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)
    cuda.syncthreads()
    for code in range(me, SHARED, THREADS):
        if here[code] > 0:
            cuda.atomic.add(counts, code, here[code])
