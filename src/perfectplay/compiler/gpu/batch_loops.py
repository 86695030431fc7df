# mypy: ignore-errors
"""The loops over games that are played side by side, on a GPU.

This file is a pattern like ../rule_kernels.py, after ../batch_rules.py: what a thread does with a game is the same text
as on the CPU, and so are the random moves. A thread takes a column of the arrays, so that a warp reads and writes them
in one piece. Random games stay in registers until their plies are played.

A step does nothing if an action is illegal: `find_illegal` runs first and leaves the first such game in flags[0];
flags[1] is a game whose rules break the contract, if there is one.
"""

from numba import cuda, int64

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
    TALLIES,
    THEIRS,
    after_ply,
    checked_moves,
    for_first,
    note_end,
    random_move,
    random_number,
)
from perfectplay.compiler.pattern_stubs import MOVES, PLANES, START_MINE, START_MOVES, START_THEIRS

# ---- below this line the text is the same for every game ----

device = cuda.jit(device=True)
kernel = cuda.jit(opt=True, cache=True)
ILLEGAL, BROKEN = 0, 1


@device
def ones(word):
    """The number of set bits in a word."""
    return cuda.popc(word)


@device
def nth_move(legal, n):
    """The n-th of the legal moves, counted from 0."""
    while n > 0:
        legal &= legal - 1
        n -= 1
    return cuda.popc(~legal & (legal - 1))


@device
def note_game(words, small, plies, at, mine, theirs, side, legal, count):
    """Keeps the position of a game, the side to move, its moves and the plies played."""
    words[MINE, at], words[THEIRS, at], words[LEGAL, at] = mine, theirs, legal
    small[SIDE, at], plies[at] = side, count


@device
def note_result(small, at, result, reward, cut):
    """Keeps how the last ply ended."""
    small[RESULT, at], small[REWARD, at] = result, reward
    small[DONE, at], small[CUT, at] = 1 if result != ONGOING else 0, 1 if cut else 0


@kernel
def find_illegal(words, actions, flags):
    """Leaves the first game whose action is not among its legal moves in the flags."""
    for i in range(cuda.grid(1), words.shape[1], cuda.gridsize(1)):
        action = int64(actions[i])
        if action < 0 or action > 62 or words[LEGAL, i] >> action & 1 == 0:
            cuda.atomic.min(flags, ILLEGAL, i)


@kernel
def step_games(words, small, plies, actions, flags, most):
    """Plays one ply in each game."""
    if flags[ILLEGAL] >= words.shape[1]:
        for i in range(cuda.grid(1), words.shape[1], cuda.gridsize(1)):
            mover, count = int64(small[SIDE, i]), int64(plies[i]) + 1
            mine, theirs, side, ended = after_ply(
                int64(words[MINE, i]), int64(words[THEIRS, i]), mover, int64(actions[i])
            )
            result, reward, cut = int64(ONGOING), int64(0), False
            if ended == ONGOING and count < most:
                legal = checked_moves(mine, theirs)
            else:
                result, _ = note_end(words, small, i, mine, theirs, side, ended)
                reward, cut = for_first(result, mover), ended == ONGOING
                mine, theirs, side, count = int64(START_MINE), int64(START_THEIRS), int64(0), int64(0)
                legal = int64(0) if result == FAULTY else int64(START_MOVES)
            if legal == 0:
                flags[BROKEN] = i
            note_game(words, small, plies, i, mine, theirs, side, legal, count)
            note_result(small, i, result, reward, cut)


@kernel
def draw_actions(words, actions, start, draw):
    """Writes a random legal move for each game."""
    for i in range(cuda.grid(1), words.shape[1], cuda.gridsize(1)):
        actions[i] = random_move(int64(words[LEGAL, i]), random_number(start, draw * words.shape[1] + i))


@kernel
def play_games(words, small, plies, tallies, flags, start, draw, steps, most):
    """Plays so many random plies in each game, and counts those that end."""
    found = cuda.shared.array(TALLIES, int64)
    if cuda.threadIdx.x == 0:
        for kind in range(TALLIES):
            found[kind] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), words.shape[1], cuda.gridsize(1)):
        mine, theirs, legal = int64(words[MINE, i]), int64(words[THEIRS, i]), int64(words[LEGAL, i])
        side, count = int64(small[SIDE, i]), int64(plies[i])
        result, reward, cut = int64(ONGOING), int64(0), False
        for step in range(steps):
            mover = side
            move = random_move(legal, random_number(start, (draw + step) * words.shape[1] + i))
            mine, theirs, side, ended = after_ply(mine, theirs, mover, move)
            count += 1
            result, reward, cut = int64(ONGOING), int64(0), False
            if ended == ONGOING and count < most:
                legal = checked_moves(mine, theirs)
            else:
                result, lead = note_end(words, small, i, mine, theirs, side, ended)
                reward, cut = for_first(result, mover), ended == ONGOING
                cuda.atomic.add(found, STOPPED if cut else DRAWN - result, 1)
                cuda.atomic.add(found, LENGTH, count)
                cuda.atomic.add(found, POINTS_WON, lead)
                mine, theirs, side, count = int64(START_MINE), int64(START_THEIRS), int64(0), int64(0)
                legal = int64(0) if result == FAULTY else int64(START_MOVES)
            if legal == 0:
                flags[BROKEN] = i
                break
        note_game(words, small, plies, i, mine, theirs, side, legal, count)
        note_result(small, i, result, reward, cut)
    cuda.syncthreads()
    for kind in range(cuda.threadIdx.x, TALLIES, cuda.blockDim.x):
        cuda.atomic.add(tallies, kind, found[kind])


@kernel
def reset_games(words, small, plies, chosen):
    """Begins the chosen games again."""
    for i in range(cuda.grid(1), words.shape[1], cuda.gridsize(1)):
        if chosen[i]:
            note_game(
                words, small, plies, i, int64(START_MINE), int64(START_THEIRS), int64(0), int64(START_MOVES), int64(0)
            )
            note_result(small, i, int64(ONGOING), int64(0), False)


@kernel
def write_masks(words, out):
    """Writes for each game and move whether it is legal."""
    for place in range(cuda.grid(1), out.shape[0] * MOVES, cuda.gridsize(1)):
        i = place // MOVES
        out[i, place - i * MOVES] = words[LEGAL, i] >> (place - i * MOVES) & 1


@device
def eight_planes(mine, theirs, masks, values, place, end):
    """The entries of the planes from this place on, eight of them or up to `end`, as the bytes of a word."""
    i = place // PLANES
    at = place - i * PLANES
    first, second = mine[i], theirs[i]
    found = int64(0)
    for byte in range(min(8, end - place)):
        if at == PLANES:
            i, at = i + 1, 0
            first, second = mine[i], theirs[i]
        word, entry = first, at
        if at >= PLANES // 2:
            word, entry = second, at - PLANES // 2
        if word & masks[entry] == values[entry]:
            found |= int64(1) << (8 * byte)
        at += 1
    return found


@kernel
def write_planes(mine, theirs, masks, values, out, out_bytes):
    """Writes the planes of each position, one after the other: a 1 where a word has this value under this mask.

    A thread writes eight bytes at once: with a thread for each byte it takes 1.6 times as long (bench/NOTES.md). The
    bytes that are left over, less than eight, are written one by one.
    """
    end = mine.size * PLANES
    for place in range(8 * cuda.grid(1), end, 8 * cuda.gridsize(1)):
        found = eight_planes(mine, theirs, masks, values, place, end)
        if place + 8 <= 8 * out.size:
            out[place // 8] = found
        else:
            for byte in range(min(8, end - place)):
                out_bytes[place + byte] = found >> (8 * byte) & 1
