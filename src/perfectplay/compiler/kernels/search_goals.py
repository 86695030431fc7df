# mypy: ignore-errors
"""A search, test by test: its goals, and the threads that take part. The pattern after `search_kernels.py`.

A search narrows the bounds `low` and `high` of the root until they are equal or no goal is worth a test. It begins with
a trial of a few nodes that looks for a near end. Several threads may run the same test; the first of them leads.
"""

import numpy as np

from perfectplay.compiler.kernels.default_hints import HAS_PLIES_LEFT, inside, plies_left, safe, wins
from perfectplay.compiler.kernels.search_kernels import (
    CORNER,
    DEEPEN,
    FAR,
    FRAME,
    GOAL,
    HARD,
    HIGH_BOUND,
    HISTORY,
    LATE,
    LOW_BOUND,
    NODES,
    ONE_TEST,
    PATH,
    PAUSE,
    PAUSED,
    RESULT_FIRST,
    ROOT,
    SOON,
    SPLIT,
    STACK,
    STYLE,
    TESTING,
    THREAD,
    THREADS,
    TOP,
    TRIAL,
    bounds_in,
    distance,
    kernel,
    lost_in,
    moved,
    name_of,
    nth_child,
    path_of,
    test,
    u,
)
from perfectplay.compiler.pattern_stubs import KEY_BITS, outcome

# ---- below this line the text is the same for every game ----


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
def next_goal(low, high, left, deepen, hard):
    """The goal of the next test, above `low` and at most `high`; above both if none is worth a try.

    To deepen is to ask for ends further and further away. Otherwise: does the side to move win, and does it lose, the
    latter first if the number of plies left is odd; then whether the end can be sooner than the last, where that is
    likely, and then a bisection of the distances that there are, while it is within the bounds: that there is no near
    end does not make the distant ones likelier. The order was found by measurement (bench/NOTES.md).
    """
    if deepen:
        if high > 0 and TOP - high <= (TOP + low if low < 0 else 2 * TOP):
            return high if TOP - high <= left else TOP
        if low < 0:
            return low + 1 if TOP + low <= left else TOP
        return high
    if low < 0 < high and left & 1 == 0:
        return max(1, TOP - left)
    if low < 0 <= high:
        return 0
    if low <= 0 < high:
        return max(1, TOP - left)
    if hard and 0 < low <= TOP - left + 1:
        return low + 1
    if hard and left - TOP - 1 <= high < 0:
        return high
    middle = (LATE - TOP + high + 1) >> 1 if high < 0 else (low + TOP - SOON + 1) >> 1
    return middle if low < middle <= high else (low + high + 1) >> 1


@inside
def start_test(work):
    """Sets the paused test to its begin."""
    work[PAUSED], work[PAUSED + 1], work[PAUSED + 2] = work[ROOT], work[ROOT + 1], work[ROOT + 2]
    work[PAUSED + 3], work[PAUSED + 4], work[PAUSED + 5] = work[GOAL], 0, STACK
    work[TESTING] = 1


@inside
def aimed(work):
    """Whether there is a test to run: the paused one or the next; False if the bounds are final."""
    if work[LOW_BOUND] >= work[HIGH_BOUND]:
        return False
    if not work[TESTING]:
        if work[STYLE] != ONE_TEST:
            trial = work[STYLE] == RESULT_FIRST and work[NODES] < work[TRIAL]
            deepen = trial or work[STYLE] == DEEPEN or not HAS_PLIES_LEFT
            hard = work[NODES] >= HARD
            work[GOAL] = next_goal(work[LOW_BOUND], work[HIGH_BOUND], work[ROOT + 3], deepen, hard)
        if not work[LOW_BOUND] < work[GOAL] <= work[HIGH_BOUND]:
            return False
        start_test(work)
    return True


@inside
def settled(work, score):
    """Narrows the bounds by what a test of the goal has found."""
    if score >= work[GOAL]:
        work[LOW_BOUND] = max(work[LOW_BOUND], score)
    else:
        work[HIGH_BOUND] = min(work[HIGH_BOUND], score)
    work[TESTING] = 0


@kernel
def search(work, slots, slot_bits, budget):
    """Narrows the bounds of the root; returns True when they are final, False when the nodes are used up."""
    last = work[NODES] + budget
    while aimed(work):
        trial = work[STYLE] == RESULT_FIRST and work[NODES] < work[TRIAL]
        score = test(work, slots, slot_bits, (min(last, work[TRIAL]) if trial else last) - work[NODES])
        if score != PAUSE:
            settled(work, score)
        if trial and work[NODES] >= work[TRIAL]:
            # What follows is as if the trial had not been, but for the bounds.
            work[TESTING] = 0
            for at in range(HISTORY, STACK):
                work[u(at)] = 0
        if score == PAUSE and work[NODES] >= last:
            return False
    return True


@kernel
def aim(work):
    """`aimed`, for threads."""
    return aimed(work)


@kernel
def settle(work, score):
    """`settled`, for threads."""
    settled(work, score)


@kernel
def join(work, leader, thread, threads):
    """Takes part in the leader's test as this thread of so many; from its begin, unless it takes part already."""
    taken = work[TESTING] and work[GOAL] == leader[GOAL]
    for at in range(ROOT, ROOT + 2):
        taken = taken and work[u(at)] == leader[u(at)]
    if thread and not taken:
        nodes = work[NODES]
        for at in range(STACK):  # slices take seconds to compile
            work[u(at)] = leader[u(at)]
        work[NODES] = nodes
        start_test(work)
    work[THREAD], work[THREADS] = thread, threads


@kernel
def catch_up(work, slots, slot_bits):
    """Gives up what other threads have settled since the test was paused, and tells them what this one is trying."""
    rest_mask = (np.int64(1) << max(KEY_BITS - slot_bits, KEY_BITS - CORNER)) - 1
    path = path_of(slots, work[THREAD])
    for at in range(path, path + PATH):
        slots[u(at)] = 0
    mine, theirs, good, goal, ply = work[ROOT], work[ROOT + 1], work[ROOT + 2], work[GOAL], np.int64(0)
    for frame in range(STACK, work[PAUSED + 5], FRAME):
        here = work[u(frame)]
        found = bounds_in(slots, work[u(frame + 6)], work[u(frame + 5)] & rest_mask, work[u(frame + 7)])
        low, high = moved((found & 255) - 128, -here), moved((found >> 8) - 128, -here)
        if found and (low >= work[u(frame + 1)] or high < work[u(frame + 1)]):
            work[PAUSED], work[PAUSED + 1], work[PAUSED + 2] = mine, theirs, good
            work[PAUSED + 3], work[PAUSED + 4], work[PAUSED + 5] = goal, ply, frame
            return
        tried = work[u(frame + 3)] - 1
        mine, theirs, good = nth_child(work, frame, tried)
        goal, ply = 1 - work[u(frame + 1)], here + 1
        if distance(work[ROOT + 3], here, work[u(frame + 1)]) >= SPLIT and ply < PATH:
            slots[u(path + ply)] = name_of(work, frame, tried)


@kernel
def solve(work, slots, slot_bits, mine, theirs, budget):
    """The score of the position, or PAUSE if it is not found within that many nodes: a search in a single call."""
    for at in range(STACK):
        work[u(at)] = 0
    begin(work, mine, theirs)
    search(work, slots, slot_bits, budget)
    return work[LOW_BOUND] if work[LOW_BOUND] == work[HIGH_BOUND] else PAUSE
