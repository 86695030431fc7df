# mypy: ignore-errors
"""The solver's loops on a GPU for games of any kind: one table for all positions, solved by retrograde analysis.

This file is a pattern like ../rule_kernels.py, appended to layered_kernels.py.

A value is a 16-bit code per slot, of distance and kind, 0 while unknown, with a code of its own for free slots.
A bit plane also marks the slots with a value of some kind. It is small enough for the GPU's cache, and children are
looked up there.
If they fit, the slots of all children are stored when they are first generated; if not, every pass generates and
looks up the children again. A child in which the same side moves again has bit 31 set, and another plane.
In a game for points the code is the margin, plus EVEN; a position gets one when all its children have theirs.
Of a game with tiers only the positions of one tier are expanded at a time.
"""

from numba import cuda, int32, int64, uint32

from perfectplay.compiler.gpu.device_rules import (
    ASTRAY,
    EDGES,
    EXCESS,
    FRESH,
    FULL,
    LONG,
    SHORT,
    checked_margin,
    checked_moves,
    checked_outcome,
    child,
    is_kept,
    weight,
)
from perfectplay.compiler.gpu.hash_set import GRADE_AT, added, found, kernel, key_at, lowest, ones
from perfectplay.compiler.gpu.layered_kernels import QUEUE, SHARED
from perfectplay.compiler.pattern_stubs import AGAIN, ENTRY, LOOKS, POINTS, THREADS, TIERED, moves, tier, unkey

# ---- below this line the text is the same for every game ----

SEEN = 1 << GRADE_AT
FREE = 65535
COUNT_BITS = 6
EVEN = 32767
SAME = 1 << 31


@kernel
def spread(table, shape, symmetric, only, codes, edges, firsts, tallies):
    """Adds the children of all new positions of the tier to the table itself; gives codes to finished positions.

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
                if TIERED and tier(mine, theirs) != only:
                    continue
                ended = checked_outcome(mine, theirs, number, tallies)
                if ended == 2:
                    place = cuda.atomic.add(state, 0, 1)
                    queue[place] = number
                    slots[place] = at
                else:
                    table[at] |= ENTRY(SEEN)
                    if codes.size > 0:
                        codes[at] = ended + 2
                        if POINTS:
                            codes[at] = EVEN + checked_margin(mine, theirs, ended, EVEN - 1, tallies)
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
                move = lowest(legal)
                number = child(mine, theirs, move, symmetric)
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
                    edges[first + done] = at | is_kept(mine, theirs, move) << 31
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
def pull(codes, edges, firsts, plane, same, every, code, tallies):
    """Gives the code to all undecided positions with some child, or every child, in the plane.

    Children in which the same side moves again are looked up in the plane `same`.
    """
    fresh = 0
    for at in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
        if codes[at] == 0:
            first = firsts[at] >> COUNT_BITS
            end = first + (firsts[at] & ((1 << COUNT_BITS) - 1))
            hit = every
            while first < end and hit == every:
                place = int(edges[first])
                if AGAIN and place >= SAME:
                    place -= SAME
                    hit = int(same[place >> 5]) >> (place & 31) & 1 != 0
                else:
                    hit = int(plane[place >> 5]) >> (place & 31) & 1 != 0
                first += 1
            if hit:
                codes[at] = code
                fresh += 1
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)


@kernel
def pull_again(table, shape, codes, plane, same, every, code, tallies):
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
                    move = lowest(legal)
                    number = child(mine, theirs, move, True)
                    legal &= legal - 1
                    place = found(table, shape, number) if number >= 0 else -1
                    if place < 0:
                        tallies[ASTRAY] = 1
                        hit = False
                        break
                    if AGAIN and is_kept(mine, theirs, move):
                        hit = int(same[place >> 5]) >> (place & 31) & 1 != 0
                    else:
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
def pull_margins(codes, edges, firsts, tallies):
    """Gives undecided positions whose children all have codes the best of these."""
    fresh = 0
    for at in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
        if codes[at] == 0:
            first = firsts[at] >> COUNT_BITS
            end = first + (firsts[at] & ((1 << COUNT_BITS) - 1))
            best = 0
            while first < end:
                place = int(edges[first])
                code = int(codes[place % SAME])
                if code == 0:
                    break
                best = max(best, code if place >= SAME else 2 * EVEN - code)
                first += 1
            if first == end:
                codes[at] = best
                fresh += 1
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)


@kernel
def pull_margins_again(table, shape, codes, tallies):
    """The same, but generates the children again."""
    fresh = 0
    for at in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
        if codes[at] == 0:
            mine, theirs = unkey(key_at(table, shape, at))
            legal = moves(mine, theirs)
            best = 0
            while legal:
                move = lowest(legal)
                number = child(mine, theirs, move, True)
                place = found(table, shape, number) if number >= 0 else -1
                if place < 0:
                    tallies[ASTRAY] = 1
                code = int(codes[place]) if place >= 0 else 0
                if code == 0:
                    break
                best = max(best, code if is_kept(mine, theirs, move) else 2 * EVEN - code)
                legal &= legal - 1
            if legal == 0:
                codes[at] = best
                fresh += 1
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)


@kernel
def put_known(table, shape, keys, values, codes):
    """Gives codes to positions in the table, which are not to be expanded."""
    for i in range(cuda.grid(1), keys.size, cuda.gridsize(1)):
        at = found(table, shape, int(keys[i]))
        if at >= 0:
            table[at] |= ENTRY(SEEN)
            codes[at] = values[i]


@kernel
def tiers_at(table, shape, tiers):
    """Writes the tier of the position in each occupied slot."""
    for at in range(cuda.grid(1), table.size, cuda.gridsize(1)):
        if table[at] != 0:
            mine, theirs = unkey(key_at(table, shape, at))
            tiers[at] = tier(mine, theirs)


@kernel
def count_codes(table, shape, only, codes, weighed, counts, tallies):
    """Counts the codes of all positions of the tier in the table, each weighted by its images if `weighed`.

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
            mine, theirs = unkey(key_at(table, shape, at))
            if TIERED and tier(mine, theirs) != only:
                continue
            many = weight(mine, theirs) if weighed else 1
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
