# mypy: ignore-errors
"""The inner loops that make rows of a dataset: a pattern like `rule_kernels.py`.

Children are looked up in a sorted array, as `verify_kernels.py` does, but one after another.
"""

import numpy as np
from numba import njit

from perfectplay.compiler.intrinsics import lowest
from perfectplay.compiler.pattern_stubs import AGAIN, again, image, key, moves, outcome, play, smallest, unkey

# ---- below this line the text is the same for every game ----

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
inner = njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)
LEAST_SCORE = np.int64(-(1 << 62))


@kernel
def unfold(keys, turns, mine, theirs):
    """Writes the words of the image with this number of each position, -1 where an image before it is the same."""
    for i in range(keys.size):
        here_mine, here_theirs = unkey(np.int64(keys[i]))
        new_mine, new_theirs = image(here_mine, here_theirs, turns[i])
        for before in range(turns[i]):
            other_mine, other_theirs = image(here_mine, here_theirs, before)
            if other_mine == new_mine and other_theirs == new_theirs:
                new_mine = np.int64(-1)
                break
        mine[i], theirs[i] = new_mine, new_theirs


@kernel
def canonical_keys_of(mine, theirs, out):
    """Writes the key of each position's canonical form."""
    for i in range(mine.size):
        out[i] = key(*smallest(mine[i], theirs[i]))


@inner
def grade_at(mine, theirs, keys, grades, starts, shift):
    """The grade of a position, 0 if it is not there."""
    least_mine, least_theirs = smallest(mine, theirs)
    number = key(least_mine, least_theirs)
    if number < 0 or number >> shift >= starts.size - 1:
        return np.int64(0)
    low, high = np.int64(starts[number >> shift]), np.int64(starts[(number >> shift) + 1])
    stop = high
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < number:
            low = middle + 1
        else:
            high = middle
    return np.int64(grades[low]) if low < stop and keys[low] == number else np.int64(0)


@kernel
def describe(mine, theirs, keys, grades, starts, shift, scores, seen, out, bits, wrong):
    """Writes of each position its grade, its legal, best and keeping moves as bits, and how often sights go wrong.

    `scores` has the score of a move by the grade of the child, its second half that of moves after which the same side
    moves again; its sign is the value of the move. `seen` has the scores to players of limited sight, a row for each,
    and `wrong` gets for each the probability that a move that looks best to it worsens the result. Returns the place of
    a position that is not in the table, or has such a child; -1 if there is none.
    """
    half = scores.size // 2
    turned = np.empty(64, np.int64)
    for i in range(mine.size):
        legal = moves(mine[i], theirs[i]) if outcome(mine[i], theirs[i]) == 2 else np.int64(0)
        out[i] = grade_at(mine[i], theirs[i], keys, grades, starts, shift)
        if out[i] == 0:
            return i
        best = keeping = np.int64(0)
        top, rest = LEAST_SCORE, legal
        while rest:
            move = lowest(rest)
            rest &= rest - 1
            next_mine, next_theirs = play(mine[i], theirs[i], move)
            grade = grade_at(next_mine, next_theirs, keys, grades, starts, shift)
            if grade == 0:
                return i
            if AGAIN and again(mine[i], theirs[i], move):
                grade += half
            turned[move] = grade
            if scores[grade] > top:
                top, best = scores[grade], np.int64(0)
            if scores[grade] == top:
                best |= np.int64(1) << move
        rest = legal
        while rest:
            move = lowest(rest)
            rest &= rest - 1
            keeping |= np.int64(np.sign(scores[turned[move]]) == np.sign(top)) << move
        bits[i, 0], bits[i, 1], bits[i, 2] = legal, best, keeping
        for sight in range(seen.shape[0]):
            top, liked, failing, rest = LEAST_SCORE, 0, 0, legal
            while rest:
                move = lowest(rest)
                rest &= rest - 1
                score = seen[sight, turned[move]]
                if score > top:
                    top, liked, failing = score, 0, 0
                if score == top:
                    liked += 1
                    failing += 1 - (keeping >> move & 1)
            wrong[i, sight] = failing / liked if liked else 0.0
    return -1
