# mypy: ignore-errors
"""The values of positions on a GPU that are numbered by ranked_index.py, tier by tier from the highest.

This file is a pattern like ../rule_kernels.py, appended to ranked_index.py. Codes are those of cyclic_kernels.py, in
the order of classes.

A tier is linked once: each position learns from its children in higher tiers, and its edges within the tier are
reversed. Then distance after distance, positions with a code of that distance pass it to those before them.
A code of a greater distance is provisional; `states` holds for each position the greatest distance of its known lost
moves and, in the low byte, the number of moves within the tier that are not known as lost, or NEVER.
"""

from numba import cuda, int32, int64

from perfectplay.compiler.gpu.cyclic_kernels import SAME
from perfectplay.compiler.gpu.device_rules import (
    ASTRAY,
    DRAWS,
    FARTHEST,
    FRESH,
    checked_moves,
    checked_outcome,
    child,
    is_kept,
    weight,
)
from perfectplay.compiler.gpu.hash_set import kernel, lowest
from perfectplay.compiler.gpu.layered_kernels import SHARED
from perfectplay.compiler.gpu.ranked_index import BLOCK, TILE, class_at
from perfectplay.compiler.pattern_stubs import THREADS, moves, outcome, unkey

# ---- below this line the text is the same for every game ----

NEVER = 255
LOST, DRAWN, WON = 1, 2, 3
FAR_AWAY = 1 << 14


@kernel
def learn(directory, entries, firsts, homes, begin, end, codes, first, states, starts, drawn, tallies):
    """Gives provisional codes to the positions of blocks begin to end, whose first class is `first`.

    Counts in `starts` how many edges within the tier lead to each position. With `drawn`, only positions without a code
    get one: that of the soonest draw among their children in higher tiers.
    """
    farthest, last = 0, first + states.size
    for at in range(begin * 32 + cuda.grid(1), end * 32, cuda.gridsize(1)):
        bits = int64(entries[at]) & 0xFFFFFFFF
        me = int64(firsts[at >> 5]) + (int64(entries[at]) >> 32) - 1
        while bits:
            number = int64(homes[at >> 5]) * BLOCK + ((at & 31) << 5) + lowest(bits)
            bits &= bits - 1
            me += 1
            if drawn and codes[me] != 0:
                continue
            mine, theirs = unkey(number)
            ended = checked_outcome(mine, theirs, number, tallies)
            if ended != 2:
                codes[me] = ended + 2
                states[me - first] = NEVER
                if ended == 0:
                    tallies[DRAWS] = 1
                continue
            legal = checked_moves(mine, theirs, tallies)
            soonest, worst, within, held, draw = FAR_AWAY, 0, 0, False, FAR_AWAY
            while legal:
                move = lowest(legal)
                legal &= legal - 1
                after = child(mine, theirs, move, True)
                there = class_at(directory, entries, firsts, after) if after >= 0 else -1
                if there < 0:
                    tallies[ASTRAY] = 1
                    continue
                if first <= there < last:
                    within += 1
                    if not drawn:
                        cuda.atomic.add(starts, there - first, 1)
                    continue
                code = int64(codes[there])
                if code == 0:
                    held = True
                elif code & 3 == DRAWN:
                    held = True
                    draw = min(draw, code >> 2)
                    tallies[DRAWS] = 1
                elif code & 3 == (WON if is_kept(mine, theirs, move) else LOST):
                    soonest = min(soonest, code >> 2)
                else:
                    worst = max(worst, code >> 2)
            code, left = 0, NEVER
            if drawn:
                code = draw + 1 << 2 | DRAWN if draw < FAR_AWAY else 0
            elif soonest < FAR_AWAY:
                code = soonest + 1 << 2 | WON
            elif within == 0 and not held:
                code = worst + 1 << 2 | LOST
            elif not held:
                left = within
            codes[me] = code
            states[me - first] = worst << 8 | left
            farthest = max(farthest, code >> 2)
    if farthest > 0:
        cuda.atomic.max(tallies, FARTHEST, farthest)


@kernel
def start_tiles(numbers, sums):
    """Replaces each number by the sum of all before it; `sums` has that of each tile."""
    for tile in range(cuda.grid(1), sums.size, cuda.gridsize(1)):
        total = int64(sums[tile])
        for at in range(tile * TILE, min((tile + 1) * TILE, numbers.size)):
            many = int64(numbers[at])
            numbers[at] = total
            total += many


@kernel
def reverse(directory, entries, firsts, homes, begin, end, first, starts, edges):
    """Writes the edges within the tier, by the positions to which they lead; `starts` becomes where these end."""
    last = first + starts.size
    for at in range(begin * 32 + cuda.grid(1), end * 32, cuda.gridsize(1)):
        bits = int64(entries[at]) & 0xFFFFFFFF
        me = int64(firsts[at >> 5]) + (int64(entries[at]) >> 32) - 1
        while bits:
            number = int64(homes[at >> 5]) * BLOCK + ((at & 31) << 5) + lowest(bits)
            bits &= bits - 1
            me += 1
            mine, theirs = unkey(number)
            legal = moves(mine, theirs) if outcome(mine, theirs) == 2 else 0
            while legal:
                move = lowest(legal)
                legal &= legal - 1
                there = class_at(directory, entries, firsts, child(mine, theirs, move, True))
                if first <= there < last:
                    place = cuda.atomic.add(starts, there - first, 1)
                    edges[place] = (me - first) | is_kept(mine, theirs, move) << 31


@kernel
def settle(codes, first, states, starts, edges, distance, drawn, tallies):
    """Passes the codes of that distance to the positions before them."""
    farthest, fresh = 0, 0
    for at in range(cuda.grid(1), states.size, cuda.gridsize(1)):
        code = int64(codes[first + at])
        if code >> 2 != distance or code == 0 or (code & 3 == DRAWN) != drawn:
            continue
        fresh += 1
        for edge in range(int64(starts[at - 1]) if at > 0 else 0, int64(starts[at])):
            before = int64(edges[edge])
            place = before & (SAME - 1)
            old = int64(codes[first + place])
            if drawn:
                if old == 0 or (old & 3 == DRAWN and old >> 2 > distance + 1):
                    codes[first + place] = distance + 1 << 2 | DRAWN
                    farthest = distance + 1
            elif code & 3 == (WON if before >= SAME else LOST):
                if old == 0 or old >> 2 > distance + 1:
                    codes[first + place] = distance + 1 << 2 | WON
                    farthest = max(farthest, distance + 1)
            else:
                state = cuda.atomic.sub(states, place, 1)
                if state & 255 == 1:
                    far = max(distance, state >> 8) + 1
                    codes[first + place] = far << 2 | LOST
                    farthest = max(farthest, far)
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)
    if farthest > 0:
        cuda.atomic.max(tallies, FARTHEST, farthest)


@kernel
def tell_codes(entries, firsts, homes, begin, end, codes, counts, tallies):
    """Counts the codes of all positions of blocks begin to end, each weighted by its images."""
    here = cuda.shared.array(SHARED, int32)
    for code in range(cuda.threadIdx.x, SHARED, THREADS):
        here[code] = 0
    fresh = 0
    cuda.syncthreads()
    for at in range(begin * 32 + cuda.grid(1), end * 32, cuda.gridsize(1)):
        bits = int64(entries[at]) & 0xFFFFFFFF
        me = int64(firsts[at >> 5]) + (int64(entries[at]) >> 32)
        while bits:
            mine, theirs = unkey(int64(homes[at >> 5]) * BLOCK + ((at & 31) << 5) + lowest(bits))
            bits &= bits - 1
            many = weight(mine, theirs)
            if codes[me] < SHARED:
                cuda.atomic.add(here, codes[me], many)
            else:
                cuda.atomic.add(counts, codes[me], many)
            me += 1
            fresh += 1
    if fresh > 0:
        cuda.atomic.add(tallies, FRESH, fresh)
    cuda.syncthreads()
    for code in range(cuda.threadIdx.x, SHARED, THREADS):
        if here[code] > 0:
            cuda.atomic.add(counts, code, here[code])


@kernel
def tell_keys(entries, firsts, homes, begin, end, first, keys):
    """Writes the keys of all classes of blocks begin to end, in their order."""
    for at in range(begin * 32 + cuda.grid(1), end * 32, cuda.gridsize(1)):
        bits = int64(entries[at]) & 0xFFFFFFFF
        me = int64(firsts[at >> 5]) + (int64(entries[at]) >> 32) - first
        while bits:
            keys[me] = int64(homes[at >> 5]) * BLOCK + ((at & 31) << 5) + lowest(bits)
            bits &= bits - 1
            me += 1
