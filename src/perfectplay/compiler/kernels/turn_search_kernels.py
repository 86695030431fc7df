# mypy: ignore-errors
"""The inner loops of the search where a side may move again, plays for points, or has words of more than 63 bits.

A pattern like `search_kernels.py`.

A score is the margin where a game has one. Elsewhere it is as in `search_kernels.py`: a win after d plies TOP - d, a
loss after d plies d - TOP, a draw 0, plies counted from the root of the search, in the transposition table from the
position itself. A null-window test asks whether a position scores at least a goal, and returns a proven bound: at least
the goal, or an upper bound below it. After a move with another turn the goal stays, else it is negated. A search
narrows the bounds `low` and `high` of the root, test by test.

The state of a search is in `work`, so it can pause and resume, and in `slots`, the transposition table. A slot is the
position, as its key or as two words, and a word of bounds:
    size of the tree 8 bits | plies to the horizon 7 | best move 7 | upper bound 20 | lower bound 20
The position is stored combined with that word, so threads that write at the same time leave nothing that looks true.
Of two slots side by side, one keeps what took the larger search.
"""

import numpy as np
from numba import njit

from perfectplay.compiler.intrinsics import lowest
from perfectplay.compiler.narrow_arrays import WORDS, folded, number, put_word, word_at
from perfectplay.compiler.pattern_stubs import (
    AGAIN,
    IMAGES,
    MOVES,
    POINTS,
    RANKS,
    WIDE,
    again,
    hopeless,
    key,
    margin,
    moves,
    order,
    outcome,
    play,
    plies_left,
    safe,
    smallest,
    wins,
)

# ---- below this line the text is the same for every game ----

RANKED, HAS_PLIES_LEFT = order is not None, plies_left is not None
HAS_WINS, HAS_SAFE = wins is not None and not POINTS, wins is not None and safe is not None and not POINTS
"""Winning moves say nothing about points; without them, `safe` would have to look for them."""

TOP = 127
FAR = 100
"""The search depth for a game of unknown length, unless it is played for points."""
MOST = (1 << 19) - 1
"""The greatest margin."""
LEAST, GREATEST = (-MOST, MOST) if POINTS else (1 - TOP, TOP - 1)
FRAMES = 1000 if POINTS else 130
SLOT_WORDS = 2 * WORDS + 1 if WIDE else 2
SYMMETRIC = 12
"""Plies from the root in which symmetry pays."""
MIX, MIX_AGAIN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
FULL = np.int64((1 << 20) - 1)
MOST_PRAISE = 1 << 20
WIDTH = -(-MOVES // 8) * 8
POSITION = 10
"""The offset of the position in a frame."""
HEAD = POSITION + 2 * WORDS
FRAME = HEAD + (2 * WORDS + 1) * WIDTH

LOW_BOUND, HIGH_BOUND, GOAL, NODES, TESTING, STYLE, RISING = 0, 1, 2, 3, 4, 5, 6
HORIZON, LEFT, PAUSED, PAUSED_AT, ROOT, HISTORY, STACK = 7, 8, 12, 16, 20, 32, 288
"""Offsets in `work`: single numbers, the paused test and its position, the root, the history of good moves, frames."""
RESULT_FIRST, DEEPEN, ONE_TEST = 0, 1, 2
"""Styles of a search."""
PAUSE, TOO_DEEP = 1 << 40, 1 << 41
"""The results of a test that has used up its nodes, and of one that met a game of too many plies."""

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
inside = njit(forceinline=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)


@inside
def nothing(mine, theirs):
    """The stub for a missing hint."""
    return 0


@inside
def nothing_more(mine, theirs, move):
    """The stub for a missing hint about a move."""
    return 0


order, wins, safe = order or nothing_more, wins or nothing, safe or nothing
plies_left, hopeless = plies_left or nothing, hopeless or nothing


@inside
def u(index):
    """An index without the test for negative indices."""
    return np.uint64(index)


@inside
def position_at(array, at):
    """The two words at that place."""
    return word_at(array, u(at)), word_at(array, u(at + WORDS))


@inside
def put_position(array, at, mine, theirs):
    """Writes two words to that place."""
    put_word(array, u(at), mine)
    put_word(array, u(at + WORDS), theirs)


@inside
def spread(mix, shift):
    """An even number of 64 - shift bits."""
    mix *= MIX_AGAIN
    mix = (mix ^ mix >> np.uint64(29)) * MIX
    return np.int64(mix >> np.uint64(shift)) & ~1


@inside
def hashed(mine, theirs, shift):
    """The number of the position's first slot."""
    if WIDE:
        return spread(folded(mine) * MIX + folded(theirs), shift)
    return spread(np.uint64(key(mine, theirs)), shift)


@inside
def standing(mine, theirs, ply):
    """The position whose slot holds the bounds: near the root the canonical form."""
    if IMAGES > 1 and ply < SYMMETRIC:
        return smallest(mine, theirs)
    return mine, theirs


@inside
def holds(slots, at, mine, theirs, word):
    """Whether the slot with this word of bounds holds the position."""
    veil = np.int64(np.uint64(word) * MIX)
    if WIDE:
        kept_mine, kept_theirs = position_at(slots, SLOT_WORDS * at)
        return kept_mine ^ veil == mine and kept_theirs ^ veil == theirs
    return slots[u(SLOT_WORDS * at)] ^ veil == key(mine, theirs)


@inside
def bounds_of(slots, at, mine, theirs, left):
    """The word of bounds of the position, searched to the same horizon, else 0."""
    for slot in range(at, at + 2):
        word = slots[u(SLOT_WORDS * slot + SLOT_WORDS - 1)]
        if word and word >> 47 & 127 == left and holds(slots, slot, mine, theirs, word):
            return word
    return 0


@inside
def store(slots, at, mine, theirs, word):
    """Writes the word of bounds: to the first slot if its search was at least as large, else to the second."""
    last = SLOT_WORDS - 1
    before = slots[u(SLOT_WORDS * at + last)]
    same = before != 0 and (before ^ word) >> 47 & 127 == 0 and holds(slots, at, mine, theirs, before)
    slot = at if same or word >> 54 >= before >> 54 else at + 1
    if slot == at and before and not same:
        # What gives way moves to the second slot.
        for i in range(SLOT_WORDS):
            slots[u(SLOT_WORDS * (at + 1) + i)] = slots[u(SLOT_WORDS * at + i)]
    veil = np.int64(np.uint64(word) * MIX)
    if WIDE:
        put_position(slots, SLOT_WORDS * slot, mine ^ veil, theirs ^ veil)
    else:
        slots[u(SLOT_WORDS * slot)] = key(mine, theirs) ^ veil
    slots[u(SLOT_WORDS * slot + last)] = word


@inside
def moved(score, plies):
    """The score with its end `plies` sooner; an end put off beyond all scores keeps its sign."""
    if POINTS or score == 0:
        return score
    return max(score + plies, 1) if score > 0 else min(score - plies, -1)


@inside
def low_of(word, ply):
    """The lower bound in a word, as a score of the search."""
    return moved((word & FULL) - MOST - 1, -ply)


@inside
def high_of(word, ply):
    """The upper bound."""
    return moved((word >> 20 & FULL) - MOST - 1, -ply)


@inside
def end_score(mine, theirs, ended, ply):
    """The score of a finished position for the side that sees it."""
    if POINTS:
        return number(margin(mine, theirs))
    return ended * (TOP - ply)


@inside
def promise(mine, theirs, move, praise, same):
    """The move's rating, higher ones are tried first: the game's order, another turn, the history of cutoffs."""
    if RANKED:
        return number(order(mine, theirs, move)) * MOST_PRAISE + praise
    return (same * MOST_PRAISE + praise) * 64 + RANKS[move]


@inside
def remember(work, slots, frame, score, goal, ply, nodes, horizon):
    """Stores the bound of the frame's position; a move that reached the goal gains history."""
    at = work[u(frame + 5)]
    mine, theirs = position_at(work, frame + POSITION)
    left = horizon - ply if horizon else 0
    word = bounds_of(slots, at, mine, theirs, left)
    low, high, move = LEAST, GREATEST, 127
    if word:
        low, high, move = (word & FULL) - MOST - 1, (word >> 20 & FULL) - MOST - 1, word >> 40 & 127
    if score >= goal:
        low = max(low, moved(score, ply))
        move = work[u(frame + 8)]
        cut = HISTORY + work[u(frame + 6)] * 128 + move
        work[u(cut)] = min(work[u(cut)] + 1, MOST_PRAISE - 1)
    else:
        high = min(high, moved(score, ply))
    size = np.int64(1)
    searched = nodes - work[u(frame + 9)]
    while searched > 1 and size < 255:
        searched >>= 1
        size += 1
    store(slots, at, mine, theirs, size << 54 | left << 47 | move << 40 | (high + MOST + 1) << 20 | low + MOST + 1)


@inside
def nth_child(work, frame, nth):
    """The position after the i-th move to try, whether the same side moves on, and the move."""
    word = work[u(frame + HEAD + 2 * WORDS * WIDTH + nth)]
    mine, theirs = position_at(work, frame + HEAD + 2 * WORDS * (word & 127))
    return mine, theirs, word >> 14 & 1, word >> 7 & 127


@kernel
def test(work, slots, slot_bits, budget):
    """Whether the root scores at least the goal: a bound on its score, or PAUSE, or TOO_DEEP.

    A stack frame is a position whose moves are being tried: ply, goal, the best score so far, the number of moves
    tried and their total, the slot, the side to move, whether the move being tried gives another turn, that move, the
    nodes before, and the position as it is stored; then the moves. Only unfinished positions have nodes.
    """
    shift = 64 - slot_bits
    nodes, before = np.int64(0), work[NODES]
    horizon = work[HORIZON]
    mine, theirs = position_at(work, PAUSED_AT)
    goal, ply, frame, side = work[PAUSED], work[PAUSED + 1], work[PAUSED + 2], work[PAUSED + 3]
    while True:
        deep = ply >= FRAMES - 1
        if nodes >= budget or deep:
            put_position(work, PAUSED_AT, mine, theirs)
            work[PAUSED], work[PAUSED + 1], work[PAUSED + 2], work[PAUSED + 3] = goal, ply, frame, side
            work[NODES] += nodes
            return TOO_DEEP if deep else PAUSE
        nodes += 1
        known, score, best = False, np.int64(0), np.int64(LEAST if POINTS else ply + 1 - TOP)
        if HAS_WINS and wins(mine, theirs):
            known, score = True, TOP - ply - 1
        elif goal > 0 and hopeless(mine, theirs):
            known, score = True, np.int64(0)
        if not known:
            left = horizon - ply if horizon else 0
            kept_mine, kept_theirs = standing(mine, theirs, ply)
            at = hashed(kept_mine, kept_theirs, shift)
            word = bounds_of(slots, at, kept_mine, kept_theirs, left)
            first = 127
            if word:
                if kept_mine == mine and kept_theirs == theirs:
                    first = word >> 40 & 127
                score = low_of(word, ply)
                known = score >= goal
                if not known:
                    score = high_of(word, ply)
                    known = score < goal
        if not known:
            # Its moves, the most promising first; those that need no search are judged here.
            count = 0
            rest = moves(mine, theirs)
            if HAS_SAFE:
                good = safe(mine, theirs)
                if good != rest:
                    best, rest = ply + 2 - TOP, good
            while rest:
                move = lowest(rest)
                rest &= rest - 1
                next_mine, next_theirs = play(mine, theirs, move)
                same = 1 if AGAIN and again(mine, theirs, move) else 0
                sign = 2 * same - 1
                ended = number(outcome(next_mine, next_theirs))
                if ended != 2 or left == 1:
                    if ended != 2:
                        best = max(best, sign * end_score(next_mine, next_theirs, ended, ply + 1))
                    else:
                        best = max(best, 0)
                    if best >= goal:
                        known, score = True, best
                        break
                    continue
                if not POINTS:
                    if TOP - ply - 2 < goal:
                        best = max(best, TOP - ply - 2)
                        continue
                    if ply + 2 - TOP >= goal:
                        known, score = True, ply + 2 - TOP
                        break
                seen_mine, seen_theirs = standing(next_mine, next_theirs, ply + 1)
                seen = hashed(seen_mine, seen_theirs, shift)
                word = bounds_of(slots, seen, seen_mine, seen_theirs, left - 1 if left else 0)
                if word:
                    low, high = low_of(word, ply + 1), high_of(word, ply + 1)
                    if not same:
                        low, high = -high, -low
                    if low >= goal:
                        known, score = True, low
                        break
                    if high < goal:
                        best = max(best, high)
                        continue
                word = promise(mine, theirs, move, work[u(HISTORY + side * 128 + move)], same)
                if move == first:
                    word = 1 << 47
                word = (word << 1 | same) << 14 | move << 7 | count
                put_position(work, frame + HEAD + 2 * WORDS * count, next_mine, next_theirs)
                start = frame + HEAD + 2 * WORDS * WIDTH
                place = start + count
                while place > start and work[u(place - 1)] < word:
                    work[u(place)] = work[u(place - 1)]
                    place -= 1
                work[u(place)] = word
                count += 1
            if not known:
                if count == 0:
                    score = best
                else:
                    work[u(frame)], work[u(frame + 1)], work[u(frame + 2)], work[u(frame + 3)] = ply, goal, best, 1
                    work[u(frame + 4)], work[u(frame + 5)], work[u(frame + 6)] = count, at, side
                    put_position(work, frame + POSITION, kept_mine, kept_theirs)
                    mine, theirs, same, move = nth_child(work, frame, 0)
                    work[u(frame + 7)], work[u(frame + 8)], work[u(frame + 9)] = same, move, before + nodes
                    if not same:
                        goal, side = 1 - goal, 1 - side
                    ply += 1
                    frame += FRAME
                    continue
        # The score is known: back up to the last position with untried moves.
        while True:
            if frame == STACK:
                work[NODES] += nodes
                return score
            frame -= FRAME
            score = max(score if work[u(frame + 7)] else -score, work[u(frame + 2)])
            ply, goal, tried, side = work[u(frame)], work[u(frame + 1)], work[u(frame + 3)], work[u(frame + 6)]
            if score < goal and tried < work[u(frame + 4)]:
                work[u(frame + 2)], work[u(frame + 3)] = score, tried + 1
                mine, theirs, same, move = nth_child(work, frame, tried)
                work[u(frame + 7)], work[u(frame + 8)] = same, move
                if not same:
                    goal, side = 1 - goal, 1 - side
                ply += 1
                frame += FRAME
                break
            remember(work, slots, frame, score, goal, ply, before + nodes, horizon)


@kernel
def begin(work, mine, theirs):
    """Sets the root and the bounds that need no search."""
    low, high = LEAST, GREATEST
    ended = number(outcome(mine, theirs))
    if ended != 2:
        low = high = end_score(mine, theirs, ended, 0)
    work[LOW_BOUND], work[HIGH_BOUND], work[TESTING], work[NODES] = low, high, 0, 0
    put_position(work, ROOT, mine, theirs)
    work[LEFT] = FAR
    if HAS_PLIES_LEFT and ended == 2:
        work[LEFT] = number(plies_left(mine, theirs))


@inside
def next_goal(low, high, left, deepen, rising):
    """The goal of the next test, above `low` and at most `high`; above both if none is worth a try.

    Points: does the side to move win, does it lose, then from the last bound on. Otherwise as in `search_kernels.py`.
    """
    if POINTS:
        if low <= 0 < high:
            return 1
        if low < 0 <= high:
            return 0
        return low + 1 if rising else high
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
    return (low + high + 1) >> 1


@kernel
def search(work, slots, slot_bits, budget):
    """Narrows the bounds of the root; returns True when they are final, False when the nodes are used up."""
    last = work[NODES] + budget
    while work[LOW_BOUND] < work[HIGH_BOUND]:
        if not work[TESTING]:
            if work[STYLE] != ONE_TEST:
                deepen = work[STYLE] == DEEPEN or not HAS_PLIES_LEFT
                work[GOAL] = next_goal(work[LOW_BOUND], work[HIGH_BOUND], work[LEFT], deepen, work[RISING])
            if work[GOAL] > work[HIGH_BOUND]:
                break
            mine, theirs = position_at(work, ROOT)
            put_position(work, PAUSED_AT, mine, theirs)
            work[PAUSED], work[PAUSED + 1], work[PAUSED + 2], work[PAUSED + 3] = work[GOAL], 0, STACK, 0
        score = test(work, slots, slot_bits, last - work[NODES])
        work[TESTING] = score >= PAUSE
        if score == TOO_DEEP:
            work[GOAL] = TOO_DEEP
            return True
        if score == PAUSE:
            return False
        work[RISING] = score >= work[GOAL]
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
