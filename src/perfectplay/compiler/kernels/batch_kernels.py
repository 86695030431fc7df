# mypy: ignore-errors
"""The loops over games that are played side by side, on the CPU.

This file is a pattern, like `rule_kernels.py`, after `batch_rules.py`. Each call takes the games from `begin` to `end`,
so that threads share the arrays. A game that ends begins again in the same step.

Bound by the instructions of the rules, as long as games are independent of each other: random plies in blocks of games
take 18 ns each in connect four, one game after the other 21 ns (bench/NOTES.md).
"""

import numpy as np
from numba import njit, njit as guard

from perfectplay.compiler.batch_rules import (
    CUT,
    DONE,
    DRAWN,
    FAULTY,
    LEGAL,
    LENGTH,
    MINE,
    ONGOING,
    POINTS_WON,
    RESULT,
    REWARD,
    SIDE,
    STOPPED,
    THEIRS,
    after_ply,
    checked_moves,
    for_first,
    note_end,
    random_move,
    random_number,
)
from perfectplay.compiler.intrinsics import ones
from perfectplay.compiler.pattern_stubs import MOVES, START_MINE, START_MOVES, START_THEIRS

# ---- below this line the text is the same for every game ----

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
BLOCK = 1024
"""Games whose random plies are played together: their arrays fit the cache."""
BYTES, HIGH_BITS = 0x0101010101010101, -0x7F7F7F7F7F7F7F80
PAIRS, FOURS, EIGHTS = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
PLACES = np.array(
    [([bit for bit in range(8) if byte >> bit & 1] + [0] * 8)[n] for n in range(8) for byte in range(256)], np.uint8
)


@guard
def nth_move(legal, n):
    """The n-th of the legal moves, counted from 0; without branches, which would be mispredicted."""
    if MOVES <= 8:
        return np.int64(PLACES[np.uint64(n << 8 | legal)])
    counts = legal - (legal >> 1 & PAIRS)
    counts = (counts & FOURS) + (counts >> 2 & FOURS)
    counts = (counts + (counts >> 4) & EIGHTS) * BYTES  # byte b: the number of moves in bytes 0 to b
    begin = ones(((n * BYTES | HIGH_BITS) - counts) & HIGH_BITS) << 3
    n -= (counts << 8) >> begin & 255
    return begin + np.int64(PLACES[np.uint64(n << 8 | legal >> begin & 255)])


@kernel
def step_games(words, small, plies, actions, tallies, most, begin, end):
    """Plays one ply in each game, and counts those that end; returns a game whose rules break the contract, or -1."""
    fault = -1
    for i in range(begin, end):
        at = np.uint64(i)
        mover, count = np.int64(small[SIDE, at]), np.int64(plies[at]) + 1
        mine, theirs, side, ended = after_ply(words[MINE, at], words[THEIRS, at], mover, actions[at])
        result, reward, cut = np.int64(ONGOING), np.int64(0), False
        if ended == ONGOING and count < most:
            legal = checked_moves(mine, theirs)
        else:
            result, lead = note_end(words, small, at, mine, theirs, side, ended)
            reward, cut = for_first(result, mover), ended == ONGOING
            tallies[STOPPED if cut else DRAWN - result] += 1
            tallies[LENGTH] += count
            tallies[POINTS_WON] += lead
            mine, theirs, side, count = np.int64(START_MINE), np.int64(START_THEIRS), np.int64(0), np.int64(0)
            legal = np.int64(0) if result == FAULTY else np.int64(START_MOVES)
        if legal == 0:
            fault = i
        words[MINE, at], words[THEIRS, at], words[LEGAL, at], plies[at] = mine, theirs, legal, count
        small[SIDE, at], small[RESULT, at], small[REWARD, at] = side, result, reward
        small[DONE, at], small[CUT, at] = result != ONGOING, cut
    return fault


@kernel
def draw_actions(words, actions, start, draw, begin, end):
    """Writes a random legal move for each game."""
    place = draw * words.shape[1]
    for i in range(begin, end):
        actions[np.uint64(i)] = random_move(words[LEGAL, np.uint64(i)], random_number(start, place + i))


@kernel
def play_games(words, small, plies, actions, tallies, start, draw, steps, most, begin, end):
    """Plays so many random plies in each game; returns a game whose rules break the contract, or -1."""
    for low in range(begin, end, BLOCK):
        high = min(end, low + BLOCK)
        for step in range(steps):
            draw_actions(words, actions, start, draw + step, low, high)
            fault = step_games(words, small, plies, actions, tallies, most, low, high)
            if fault >= 0:
                return fault
    return -1
