# mypy: ignore-errors
"""The inner loops of the search: one text for all games, a pattern like `rule_kernels.py`.

A score is a number: a win after d plies TOP - d, a loss after d plies d - TOP, a draw 0. Plies count from the root of
the search; in the transposition table, from the position itself. A null-window test asks whether a position scores at
least a goal, and returns a proven bound: at least the goal, or an upper bound below it. A search narrows the bounds
`low` and `high` of the root, test by test. It visits only positions in which the side to move cannot win immediately
and has a safe move; all others are judged where they arise.

The state of a search is in `work`, so it can pause and resume, and in `slots`, the transposition table:
    rest of the hashed key | upper bound 8 bits | lower bound 8 bits
one word per slot, always replaced. Without a key a second word holds the position's own, combined with the first, so
that threads which write at the same time leave nothing that looks true. The hash is a bijection, so slot and rest
together give the key. Positions `NEAR` the horizon go to a corner of the table that fits the CPU cache: they are most
of the lookups, and main memory would cost more than the few nodes they save (bench/NOTES.md). A slot number means
another key in the corner than outside it, so the two never share a slot.

Several threads may run the same test, each with its own `work` and its own corner. Far from the horizon
each tells the others, in the last words of `slots`, which moves it is trying, and leaves those of others for later:
then their bounds are known.
"""

import numpy as np
from numba import njit

from perfectplay.compiler.intrinsics import lowest
from perfectplay.compiler.kernels.default_hints import (
    HAS_PLIES_LEFT,
    NO_SUICIDE,
    RANKED,
    hopeless,
    inside,
    order,
    safe,
)
from perfectplay.compiler.pattern_stubs import IMAGES, KEY_BITS, MOVES, RANKS, WIDE, key, moves, outcome, play, smallest

# ---- below this line the text is the same for every game ----

TOP = 127
FAR = 100
"""The search depth for a game of unknown length."""
SOON, LATER, LATE = (3, 5, 4) if NO_SUICIDE else (2, 4, 3)
"""If nobody wins immediately: the first ply that can win, the next one, the first that can lose."""
NEAR = int(30 / np.log(max(MOVES, 3)))
EARLY = NEAR + 6
"""The least number of plies to the horizon at which symmetry and a probe of the children's slots pay."""
CORNER = 15
"""The corner has 2 ** CORNER slots, or as many as the rest of the table if that is smaller."""
MIX = np.uint64(0x9E3779B97F4A7C15)
LOW = np.uint64((1 << KEY_BITS) - 1)
ANY = 1 << 62
MOST_PRAISE = 1 << 20
WIDTH = -(-MOVES // 8) * 8
FRAME = 8 + 4 * WIDTH

LOW_BOUND, HIGH_BOUND, GOAL, NODES, TESTING, STYLE, TRIAL = 0, 1, 2, 3, 4, 5, 6
PAUSED, ROOT, THREAD, THREADS, HISTORY, STACK = 8, 16, 20, 21, 32, 160
"""Offsets in `work`: single words, the paused test, the root, this thread and their number, the history, the frames."""
THREADED = True
"""Whether threads may take part; not on a page."""
HARD = 1 << 20
"""The nodes of a search that is likely to end late."""
PATH = 64
"""The plies from the root of which each thread tells the others."""
SPLIT = EARLY
"""The least number of plies to the horizon at which threads try different moves."""
RESULT_FIRST, DEEPEN, ONE_TEST = 0, 1, 2
"""Styles of a search."""
PAUSE = 1000
"""The result of a test that has used up its nodes."""

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
apart = njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)


@inside
def u(index):
    """An index without the test for negative indices."""
    return np.uint64(index)


@inside
def standing(mine, theirs, far):
    """The position whose slot holds the bounds: the canonical form if the horizon is far."""
    if IMAGES > 1 and far:
        return smallest(mine, theirs)
    return mine, theirs


@inside
def mixed(mine, theirs):
    """The hashed key; without a key, a hash of theirs that depends on mine."""
    if WIDE:
        return np.int64((np.uint64(theirs) * MIX + (np.uint64(mine) * MIX >> np.uint64(9))) & LOW)
    return np.int64(np.uint64(key(mine, theirs)) * MIX & LOW)


@inside
def bounds_in(slots, at, rest, mine):
    """The bounds in the slot if it holds this position, else 0."""
    if WIDE:
        word = slots[u(2 * at)]
        found = word ^ rest << 16
        if slots[u(2 * at + 1)] ^ np.int64(np.uint64(word) * MIX) != mine:
            found = 0
    else:
        found = slots[u(at)] ^ rest << 16
    return found if 0 < found < 65536 else 0


@inside
def moved(score, plies):
    """The score with its end `plies` sooner; an end put off beyond all scores keeps its sign."""
    if score > 0:
        return max(score + plies, 1)
    return min(score - plies, -1) if score < 0 else score


@inside
def lost_in(mine, theirs):
    """The number of plies in which a position without a safe move is lost."""
    if NO_SUICIDE:
        return 2
    rest = moves(mine, theirs)
    while rest:
        next_mine, next_theirs = play(mine, theirs, lowest(rest))
        rest &= rest - 1
        if outcome(next_mine, next_theirs) == 2:
            return 2
    return 1


@inside
def promise(mine, theirs, move, praise):
    """The move's rating, higher ones are tried first: the game's order and the history of cutoffs."""
    if RANKED:
        return order(mine, theirs, move) * MOST_PRAISE + praise
    return praise * 64 + RANKS[move]


@inside
def judged(left, ply, goal):
    """Whether the best and worst possible result of a position settle the goal, and a score that does."""
    best = TOP - ply - SOON if left >= SOON else 0
    worst = ply + LATE - TOP if left >= LATE else 0
    return best < goal or worst >= goal, worst if worst >= goal else best


@inside
def wins_in_three(mine, theirs, good):
    """Whether a move leaves the opponent without a safe move."""
    while good:
        next_mine, next_theirs = play(mine, theirs, lowest(good))
        good &= good - 1
        if safe(next_mine, next_theirs) == 0:
            return True
    return False


@inside
def is_over(mine, theirs, left):
    """Whether a game that nobody has just won is over, and so drawn."""
    return left == 0 if HAS_PLIES_LEFT else outcome(mine, theirs) != 2


@inside
def nth_child(work, frame, number):
    """The position after the i-th move to try, and its safe moves."""
    at = frame + 8 + (work[u(frame + 8 + 3 * WIDTH + number)] & 63)
    return work[u(at)], work[u(at + WIDTH)], work[u(at + 2 * WIDTH)]


@inside
def remember(work, slots, rest_mask, frame, tried, score, goal, ply):
    """Stores the bound in the position's slot; a move that reached the goal gains history."""
    at, rest = work[u(frame + 6)], work[u(frame + 5)] & rest_mask
    found = bounds_in(slots, at, rest, work[u(frame + 7)])
    low, high = LATE - TOP, TOP - SOON
    if found:
        low, high = (found & 255) - 128, (found >> 8) - 128
    if score >= goal:
        low = max(low, moved(score, ply))
        cut = HISTORY + (ply & 1) * 64 + (work[u(frame + 7 + 3 * WIDTH + tried)] >> 6 & 63)
        work[u(cut)] = min(work[u(cut)] + 1, MOST_PRAISE - 1)
    else:
        high = min(high, moved(score, ply))
    word = rest << 16 | (high + 128) << 8 | (low + 128)
    if WIDE:
        slots[u(2 * at)] = word
        slots[u(2 * at + 1)] = work[u(frame + 7)] ^ np.int64(np.uint64(word) * MIX)
    else:
        slots[u(at)] = word


@inside
def distance(end, ply, goal):
    """The plies to the horizon of a test: to the end of the game, or to where an end no longer reaches the goal."""
    left = end - ply if HAS_PLIES_LEFT else np.int64(2 * TOP)
    return min(left, TOP - ply - goal if goal > 0 else TOP - ply + goal)


@inside
def path_of(slots, thread):
    """Where the thread tells which moves it is trying."""
    return slots.size - (thread + 1) * PATH


@inside
def name_of(work, frame, number):
    """The name of the position after the i-th move to try: that of all its images."""
    mine, theirs, _ = nth_child(work, frame, number)
    return mixed(*standing(mine, theirs, True))


@apart
def choose_apart(work, slots, frame, tried):
    """Moves to the front of the untried moves one that no other thread is trying, if any, and tells the others."""
    ply, thread = work[u(frame)] + 1, work[THREAD]
    name = name_of(work, frame, tried)
    for number in range(tried, work[u(frame + 4)]):
        found = name_of(work, frame, number)
        busy = False
        for other in range(work[THREADS]):
            busy |= other != thread and slots[u(path_of(slots, other) + ply)] == found
        if not busy:
            name, at = found, frame + 8 + 3 * WIDTH
            work[u(at + number)], work[u(at + tried)] = work[u(at + tried)], work[u(at + number)]
            break
    slots[u(path_of(slots, thread) + ply)] = name


@kernel
def test(work, slots, slot_bits, budget):
    """Whether the root scores at least the goal: a bound on its score, or PAUSE.

    A stack frame is a position whose moves are being tried: ply, goal, the best score so far, the number of moves
    tried and their total, the hashed key, the slot, the first word; then the moves. It is one long loop: with
    move generation in a function of its own it takes 1.17 of the time, inlined or not.
    """
    shift = KEY_BITS - slot_bits
    corner_shift = max(shift, KEY_BITS - CORNER)
    corner = np.int64(1) << min(CORNER, slot_bits)
    rest_mask = (np.int64(1) << corner_shift) - 1
    own = corner * work[THREAD] + (np.int64(1) << slot_bits) if THREADED and work[THREAD] else np.int64(0)
    nodes = np.int64(0)
    end, together = work[ROOT + 3], work[THREADS] > 1
    mine, theirs, good = work[PAUSED], work[PAUSED + 1], work[PAUSED + 2]
    goal, ply, frame = work[PAUSED + 3], work[PAUSED + 4], work[PAUSED + 5]
    while True:
        if nodes >= budget:
            work[PAUSED], work[PAUSED + 1], work[PAUSED + 2] = mine, theirs, good
            work[PAUSED + 3], work[PAUSED + 4], work[PAUSED + 5] = goal, ply, frame
            work[NODES] += nodes
            return PAUSE
        # A new position: nobody can win immediately, and there is a safe move.
        nodes += 1
        left = end - ply if HAS_PLIES_LEFT else np.int64(2 * TOP)
        known, score = judged(left, ply, goal)
        while NO_SUICIDE and not known and good & (good - 1) == 0:
            # One safe move: no choice, nothing to store.
            mine, theirs = play(mine, theirs, lowest(good))
            nodes += 1
            ply += 1
            left -= 1
            goal = 1 - goal
            if is_over(mine, theirs, left):
                known, score = True, np.int64(0)
                break
            good = safe(mine, theirs)
            if good == 0:
                known, score = True, ply + 2 - TOP
                break
            known, score = judged(left, ply, goal)
        if not known and goal > 0 and hopeless(mine, theirs):
            known, score = True, np.int64(0)
        horizon = distance(end, ply, goal)
        if not known and NO_SUICIDE and HAS_PLIES_LEFT and goal > 0 and horizon < LATER:
            known, score = True, TOP - ply - LATER if left >= LATER else np.int64(0)
            if wins_in_three(mine, theirs, good):
                score = TOP - ply - SOON
        if not known:
            kept_mine, kept_theirs = standing(mine, theirs, horizon >= EARLY)
            number = mixed(kept_mine, kept_theirs)
            at = corner + (number >> shift) if horizon >= NEAR else own + (number >> corner_shift)
            found = bounds_in(slots, at, number & rest_mask, kept_mine)
            if found:
                score = moved((found & 255) - 128, -ply)
                known = score >= goal
                if not known:
                    score = moved((found >> 8) - 128, -ply)
                    known = score < goal
            best = ply + LATE - TOP if left >= LATE else 0
            if not known:
                # Its moves, the most promising first; those that need no search are judged here.
                count = 0
                rest = good
                while rest:
                    move = lowest(rest)
                    rest &= rest - 1
                    next_mine, next_theirs = play(mine, theirs, move)
                    if is_over(next_mine, next_theirs, left - 1):
                        best = max(best, 0)
                        known = best >= goal
                        if known:
                            score = best
                            break
                        continue
                    next_good = safe(next_mine, next_theirs)
                    if next_good == 0:
                        best = max(best, TOP - ply - 1 - lost_in(next_mine, next_theirs))
                        known = best >= goal
                        if known:
                            score = best
                            break
                        continue
                    if goal <= 0 and hopeless(next_mine, next_theirs):
                        score = np.int64(0)
                        known = True
                        break
                    if horizon > EARLY:
                        seen_mine, seen_theirs = standing(next_mine, next_theirs, True)
                        seen = mixed(seen_mine, seen_theirs)
                        found = bounds_in(slots, corner + (seen >> shift), seen & rest_mask, seen_mine)
                        if found:
                            score = -moved((found >> 8) - 128, -ply - 1)
                            if score >= goal:
                                known = True
                                break
                    changed = lowest(next_theirs & ~mine | ANY)
                    word = (
                        promise(mine, theirs, move, work[u(HISTORY + (ply & 1) * 64 + changed)]) << 6 | changed
                    ) << 6
                    word |= count
                    child = frame + 8 + count
                    work[u(child)] = next_mine
                    work[u(child + WIDTH)] = next_theirs
                    work[u(child + 2 * WIDTH)] = next_good
                    place = child + 3 * WIDTH
                    first = frame + 8 + 3 * WIDTH
                    while place > first and work[u(place - 1)] < word:
                        work[u(place)] = work[u(place - 1)]
                        place -= 1
                    work[u(place)] = word
                    count += 1
            if not known:
                if count == 0:
                    score = best
                else:
                    work[u(frame)], work[u(frame + 1)], work[u(frame + 2)], work[u(frame + 3)] = ply, goal, best, 1
                    work[u(frame + 4)], work[u(frame + 5)], work[u(frame + 6)] = count, number, at
                    work[u(frame + 7)] = kept_mine
                    if THREADED and together and horizon >= SPLIT and ply + 1 < PATH:
                        slots[u(path_of(slots, work[THREAD]) + ply + 1)] = name_of(work, frame, 0)
                    mine, theirs, good = nth_child(work, frame, 0)
                    goal = 1 - goal
                    ply += 1
                    frame += FRAME
                    continue
        # The score is known: back up to the last position with untried moves.
        while True:
            if frame == STACK:
                work[NODES] += nodes
                return -score if ply & 1 else score
            frame -= FRAME
            score = max(-score if (ply - work[u(frame)]) & 1 else score, work[u(frame + 2)])
            ply, goal, tried = work[u(frame)], work[u(frame + 1)], work[u(frame + 3)]
            if score < goal and tried < work[u(frame + 4)]:
                work[u(frame + 2)], work[u(frame + 3)] = score, tried + 1
                if THREADED and together and distance(end, ply, goal) >= SPLIT and ply + 1 < PATH:
                    choose_apart(work, slots, frame, tried)
                mine, theirs, good = nth_child(work, frame, tried)
                goal = 1 - goal
                ply += 1
                frame += FRAME
                break
            remember(work, slots, rest_mask, frame, tried, score, goal, ply)
