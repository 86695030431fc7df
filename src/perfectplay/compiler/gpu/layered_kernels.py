# mypy: ignore-errors
"""The solver's loops on a GPU for layered games: forward from a layer's table to the next, and back.

This file is a pattern like ../rule_kernels.py, appended to device_rules.py.

The threads of a block visit slots, put unfinished positions into a shared queue, and process it together. Otherwise
every second thread would idle, at a free slot or a finished game, while the others visit children.
"""

from numba import cuda, int32, int64

from perfectplay.compiler.gpu.device_rules import (
    ASTRAY,
    EDGES,
    EXCESS,
    FRESH,
    FULL,
    LONG,
    UNLIKE,
    checked_margin,
    checked_moves,
    checked_outcome,
    child,
    is_kept,
    weight,
)
from perfectplay.compiler.gpu.hash_set import GRADE_AT, added, found, kernel, key_at, lowest, ones
from perfectplay.compiler.pattern_stubs import AGAIN, ENTRY, LOOKS, POINTS, THREADS, unkey

# ---- below this line the text is the same for every game ----

QUEUE = THREADS * (LOOKS + 1)
SHARED = 1024


@kernel
def expand(table, shape, marks, symmetric, below, below_shape, tallies):
    """Adds the children of all positions in the table to the next table; counts the new ones."""
    queue = cuda.shared.array(QUEUE, int64)
    state = cuda.shared.array(2, int32)
    me = cuda.threadIdx.x
    if me == 0:
        state[0] = 0
    fresh = many = 0
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
            if at < table.size and table[at] != 0:
                number = key_at(table, shape, at)
                mine, theirs = unkey(number)
                ended = checked_outcome(mine, theirs, number, tallies)
                if ones(mine) + ones(theirs) != marks:
                    tallies[UNLIKE] = 1
                if ended == 2:
                    queue[cuda.atomic.add(state, 0, 1)] = number
        begin += stride
        cuda.syncthreads()
        waiting = state[0]
        while waiting >= THREADS or (begin >= table.size and waiting > 0):
            waiting -= THREADS
            if waiting + me >= 0:
                mine, theirs = unkey(int(queue[waiting + me]))
                legal = checked_moves(mine, theirs, tallies)
                many += ones(legal)
                while legal:
                    number = child(mine, theirs, lowest(legal), symmetric)
                    legal &= legal - 1
                    if number < 0:
                        tallies[EXCESS if number == -1 else LONG] = 1
                        break
                    at, new = added(below, below_shape, number)
                    fresh += new
                    if at < 0:
                        tallies[FULL] = 1
                        break
        waiting = max(waiting, 0)
        cuda.syncthreads()
        if me == 0:
            state[0] = waiting
    if many > 0:
        cuda.atomic.add(tallies, FRESH, fresh)
        cuda.atomic.add(tallies, EDGES, many)


@kernel
def grade_by_children(table, shape, below, below_shape, ends, earlier, weighed, counts, tallies):
    """Grades all positions in the table by the best of their children in the next table; counts them by grade.

    The second half of `earlier` is for children in which the same side moves again.
    The number of graded positions is counted separately: a thread whose rules raise an error stops, so its count is
    missing.
    """
    queue = cuda.shared.array(QUEUE, int64)
    slots = cuda.shared.array(QUEUE, int64)
    state = cuda.shared.array(1, int32)
    here = cuda.shared.array(SHARED, int32)
    me = cuda.threadIdx.x
    if me == 0:
        state[0] = 0
    for grade in range(me, SHARED, THREADS):
        here[grade] = 0
    begin, stride = cuda.blockIdx.x * THREADS * LOOKS, cuda.gridDim.x * THREADS * LOOKS
    waiting = graded = 0
    while begin < table.size or waiting > 0:
        cuda.syncthreads()
        for look in range(LOOKS):
            at = begin + look * THREADS + me
            if at < table.size and table[at] != 0:
                number = key_at(table, shape, at)
                mine, theirs = unkey(number)
                ended = checked_outcome(mine, theirs, number, tallies)
                if ended == 2:
                    place = cuda.atomic.add(state, 0, 1)
                    queue[place] = number
                    slots[place] = at
                elif -1 <= ended <= 1:
                    best = ends[ended + 1]
                    if POINTS:
                        best = ends[1] + checked_margin(mine, theirs, ended, ends[1] - 1, tallies)
                    table[at] |= ENTRY(best << GRADE_AT)
                    cuda.atomic.add(here, best, weight(mine, theirs) if weighed else 1)
                    graded += 1
        begin += stride
        cuda.syncthreads()
        waiting = state[0]
        while waiting >= THREADS or (begin >= table.size and waiting > 0):
            waiting -= THREADS
            if waiting + me >= 0:
                mine, theirs = unkey(int(queue[waiting + me]))
                legal = checked_moves(mine, theirs, tallies)
                best = 0
                while legal:
                    move = lowest(legal)
                    number = child(mine, theirs, move, True)
                    legal &= legal - 1
                    at = found(below, below_shape, number) if number >= 0 else -1
                    if at < 0:
                        tallies[ASTRAY] = 1
                        break
                    grade = int(below[at]) >> GRADE_AT
                    if AGAIN:
                        grade += earlier.size // 2 * is_kept(mine, theirs, move)
                    best = max(best, earlier[grade])
                table[slots[waiting + me]] |= ENTRY(best << GRADE_AT)
                cuda.atomic.add(here, best, weight(mine, theirs) if weighed else 1)
                graded += 1
        waiting = max(waiting, 0)
        cuda.syncthreads()
        if me == 0:
            state[0] = waiting
    if graded > 0:
        cuda.atomic.add(tallies, FRESH, graded)
    cuda.syncthreads()
    for grade in range(me, SHARED, THREADS):
        if here[grade] > 0:
            cuda.atomic.add(counts, grade, here[grade])
