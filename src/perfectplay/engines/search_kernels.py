# mypy: ignore-errors
"""The inner loops of the search: one text for all games, a pattern like `rule_kernels.py`.

A score is a number: a win after d plies TOP - d, a loss after d plies d - TOP, a draw 0. Plies count from the root of
the search; in the transposition table, from the position itself. A null-window test asks whether a position scores at
least a goal, and returns a proven bound: at least the goal, or an upper bound below it. A search narrows the bounds
`low` and `high` of the root, test by test. It visits only positions in which the side to move cannot win immediately
and has a safe move; all others are judged where they arise.

The state of a search is in `work`, so it can pause and resume, and in `slots`, the transposition table:
    rest of the hashed key | upper bound 8 bits | lower bound 8 bits
one word per slot, always replaced. The hash is a bijection, so slot and rest together give the key. Positions `NEAR`
the horizon go to a corner of the table that fits the CPU cache: they are most of the lookups, and main memory would
cost more than the few nodes they save (bench/NOTES.md). A slot number means another key in the corner
than outside it, so the two never share a slot.
"""

import numpy as np
from numba import njit

from perfectplay.engines.default_hints import (
    HAS_PLIES_LEFT,
    NO_SUICIDE,
    RANKED,
    hopeless,
    inside,
    order,
    plies_left,
    safe,
    wins,
)
from perfectplay.engines.intrinsics import lowest
from perfectplay.engines.pattern_stubs import IMAGES, KEY_BITS, MOVES, RANKS, WIDE, key, moves, outcome, play, smallest

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
PAUSED, ROOT, HISTORY, STACK = 8, 16, 32, 160
"""Offsets in `work`: single words, then the paused test, the root, the history of good moves and the frames."""
RESULT_FIRST, DEEPEN, ONE_TEST = 0, 1, 2
"""Styles of a search."""
PAUSE = 1000
"""The result of a test that has used up its nodes."""

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)


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
        found = slots[u(2 * at)] ^ rest << 16
        if slots[u(2 * at + 1)] != mine:
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
        slots[u(2 * at + 1)] = work[u(frame + 7)]
    else:
        slots[u(at)] = word


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
    nodes = np.int64(0)
    end = work[ROOT + 3]
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
        horizon = min(left, TOP - ply - goal if goal > 0 else TOP - ply + goal)
        if not known and NO_SUICIDE and HAS_PLIES_LEFT and goal > 0 and horizon < LATER:
            known, score = True, TOP - ply - LATER if left >= LATER else np.int64(0)
            if wins_in_three(mine, theirs, good):
                score = TOP - ply - SOON
        if not known:
            kept_mine, kept_theirs = standing(mine, theirs, horizon >= EARLY)
            number = mixed(kept_mine, kept_theirs)
            at = corner + (number >> shift) if horizon >= NEAR else number >> corner_shift
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
                mine, theirs, good = nth_child(work, frame, tried)
                goal = 1 - goal
                ply += 1
                frame += FRAME
                break
            remember(work, slots, rest_mask, frame, tried, score, goal, ply)


@inside
def trial_nodes(left):
    """The nodes in which a search looks for a near end before it asks for the result, few where few plies are left."""
    return np.int64(1) << 5 + min(left, 36) // 4 if left >= 14 else np.int64(0)


@kernel
def begin(work, mine, theirs):
    """Sets the root and the bounds that need no search."""
    low, high = LATE - TOP, TOP - SOON
    good = 0
    ended = outcome(mine, theirs)
    if ended != 2:
        low = high = ended * TOP
    elif wins(mine, theirs):
        low = high = TOP - 1
    else:
        good = safe(mine, theirs)
        if good == 0:
            low = high = lost_in(mine, theirs) - TOP
        elif HAS_PLIES_LEFT:
            left = plies_left(mine, theirs)
            low = low if left >= LATE else 0
            high = high if left >= SOON else 0
    work[LOW_BOUND], work[HIGH_BOUND], work[TESTING], work[NODES] = low, high, 0, 0
    work[ROOT], work[ROOT + 1], work[ROOT + 2] = mine, theirs, good
    work[ROOT + 3] = plies_left(mine, theirs) if HAS_PLIES_LEFT else FAR
    work[TRIAL] = trial_nodes(work[ROOT + 3]) if HAS_PLIES_LEFT else 0


@inside
def next_goal(low, high, left, deepen):
    """The goal of the next test, above `low` and at most `high`; above both if none is worth a try.

    To deepen is to ask for ends further and further away. Otherwise: does the side to move lose, does it win, and
    then a bisection of the distances that there are, while it is within the bounds: known to be no near end does not
    make the distant ones likelier.
    """
    if deepen:
        if high > 0 and TOP - high <= (TOP + low if low < 0 else 2 * TOP):
            return high if TOP - high <= left else TOP
        if low < 0:
            return low + 1 if TOP + low <= left else TOP
        return high
    if low < 0 <= high:
        return 0
    if low <= 0 < high:
        return max(1, TOP - left)
    middle = (LATE - TOP + high + 1) >> 1 if high < 0 else (low + TOP - SOON + 1) >> 1
    return middle if low < middle <= high else (low + high + 1) >> 1


@kernel
def search(work, slots, slot_bits, budget):
    """Narrows the bounds of the root; returns True when they are final, False when the nodes are used up."""
    last = work[NODES] + budget
    while work[LOW_BOUND] < work[HIGH_BOUND]:
        trial = work[STYLE] == RESULT_FIRST and work[NODES] < work[TRIAL]
        if not work[TESTING]:
            if work[STYLE] != ONE_TEST:
                deepen = trial or work[STYLE] == DEEPEN or not HAS_PLIES_LEFT
                work[GOAL] = next_goal(work[LOW_BOUND], work[HIGH_BOUND], work[ROOT + 3], deepen)
            if work[GOAL] > work[HIGH_BOUND]:
                break
            work[PAUSED], work[PAUSED + 1], work[PAUSED + 2] = work[ROOT], work[ROOT + 1], work[ROOT + 2]
            work[PAUSED + 3], work[PAUSED + 4], work[PAUSED + 5] = work[GOAL], 0, STACK
        score = test(work, slots, slot_bits, (min(last, work[TRIAL]) if trial else last) - work[NODES])
        work[TESTING] = score == PAUSE
        if trial and work[NODES] >= work[TRIAL]:
            # What follows is as if the trial had not been, but for the bounds.
            work[TESTING] = 0
            for index in range(HISTORY, STACK):
                work[index] = 0
        if score == PAUSE:
            if work[NODES] >= last:
                return False
            continue
        if score >= work[GOAL]:
            work[LOW_BOUND] = score
        else:
            work[HIGH_BOUND] = score
        if work[STYLE] == ONE_TEST:
            break
    return True


@kernel
def solve(work, slots, slot_bits, mine, theirs, budget):
    """The score of the position, or PAUSE if it is not found within that many nodes: a search in a single call."""
    for at in range(STACK):
        work[u(at)] = 0
    begin(work, mine, theirs)
    search(work, slots, slot_bits, budget)
    return work[LOW_BOUND] if work[LOW_BOUND] == work[HIGH_BOUND] else PAUSE
