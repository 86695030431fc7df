# mypy: ignore-errors
"""Alpha-beta on a board of rows, to a depth: what lies beyond is judged by the rows still open.

`routes` looks at every square. `threats` looks at the most promising squares near marks, keeps what it has found in a
table, does not count a forced answer as a ply of depth, and looks for wins by fours where its depth ends. Both are one
loop with a stack in arrays: numba cannot load functions that call themselves from its cache.
"""

from typing import Any, NamedTuple

import numpy as np

from perfectplay.engines.forcing import NODES, STOP, must_take, win_by_fours
from perfectplay.engines.rows import EMPTY, kernel, put, take

WON = 1 << 40
"""The score of a win, less the plies to it."""
SURE = WON - 10_000
"""From here on a score is a proven win."""
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
MANY = 14
"""So many squares are tried in a position, the most promising ones."""
FOURS_NODES = 60
"""Nodes for wins by fours where the depth ends."""
DEEPEST = 96
"""The plies that a stack has room for."""


class Stack(NamedTuple):
    """The positions on the way from the root: their windows, moves and what was found so far."""

    moves: Any
    numbers: Any
    table: Any


DEPTH, ALPHA, BETA, BEST, BEST_MOVE, NEXT, COUNT, MADE = range(8)
"""Places in `numbers`, for each ply."""


def new_stack(size, table_bits):
    """A stack for boards of so many squares, and a table of scores."""
    moves, numbers = np.zeros((DEEPEST, size), np.int64), np.zeros((DEEPEST, 8), np.int64)
    return Stack(moves, numbers, np.zeros((1 << table_bits, 5), np.int64))


@kernel
def promising(board, side, most, everywhere, moves):
    """Writes the empty squares near marks, or all, the most promising first, no more than so many; how many."""
    count = 0
    for square in range(board.marks.size):
        if board.marks[square] == EMPTY and (everywhere or board.around[square]):
            moves[count] = (2 * board.worth[side, square] + board.worth[1 - side, square]) << 10 | square
            count += 1
    moves[:count] = -np.sort(-moves[:count])
    for i in range(min(count, most)):
        moves[i] &= 1023
    return min(count, most)


@kernel
def judged(board, side, depth, ply, sign, clever):
    """Whether a position needs no search, and its score: nobody has filled a row before."""
    if board.state[1] == board.marks.size:
        return True, np.int64(0)
    if not clever:
        return depth <= 0, sign * (board.totals[side] - board.totals[1 - side])
    if board.nearly[side]:
        return True, np.int64(WON - ply - 1)
    if must_take(board, side) == -2:
        return True, np.int64(ply + 2 - WON)
    if depth > 0 or board.nearly[1 - side]:
        return False, np.int64(0)
    quick = np.array([0, FOURS_NODES, 0])
    if win_by_fours(board, side, 8, quick) >= 0:
        return True, np.int64(SURE + 1)
    return True, 3 * board.totals[side] // 2 - board.totals[1 - side]


@kernel
def search(board, side, depth, alpha, beta, sign, clever, stack, work):
    """The score of the position for the side to move, which no one has won yet; anything if it was stopped.

    `clever` searches like `threats`, else like `routes`; with sign -1 a full row loses.
    """
    numbers, table = stack.numbers, stack.table
    at = 0
    numbers[0, DEPTH], numbers[0, ALPHA], numbers[0, BETA] = depth, alpha, beta
    while True:
        # A new position.
        here, mover = numbers[at], side ^ (at & 1)
        work[NODES] += 1
        known, score = judged(board, mover, here[DEPTH], at, sign, clever)
        key = board.state[0] ^ mover
        slot = key & (table.shape[0] - 1)
        remembered = np.int64(-1)
        if not known and clever and table[slot, 0] == key:
            remembered, score, kind = table[slot, 3], table[slot, 2], table[slot, 4]
            known = table[slot, 1] >= here[DEPTH] and (
                kind == EXACT
                or (kind == AT_LEAST and score >= here[BETA])
                or (kind == AT_MOST and score <= here[ALPHA])
            )
        if not known and at == DEEPEST - 1:
            known, score = True, np.int64(0)
        if not known:
            here[BEST], here[BEST_MOVE], here[NEXT] = -WON, -1, 0
            moves = stack.moves[at]
            forced = must_take(board, mover) if clever else np.int64(-1)
            if forced >= 0:
                moves[0], here[COUNT] = forced, 1
                here[DEPTH] += 1
            else:
                here[COUNT] = promising(board, mover, MANY if clever else moves.size, not clever, moves)
                for i in range(here[COUNT]):
                    if moves[i] == remembered:
                        moves[1 : i + 1] = moves[:i].copy()
                        moves[0] = remembered
        # On with the next move, or back with the score.
        while True:
            if work[STOP] != 0:
                while at:
                    at -= 1
                    take(board, numbers[at, MADE])
                return np.int64(0)
            here, mover = numbers[at], side ^ (at & 1)
            if not known:
                if here[NEXT] < here[COUNT] and here[BEST] < here[BETA]:
                    square = stack.moves[at, here[NEXT]]
                    here[NEXT] += 1
                    put(board, square, mover)
                    if board.state[2]:
                        take(board, square)
                        score = np.int64(sign * (WON - at - 1))
                        if score > here[BEST]:
                            here[BEST], here[BEST_MOVE] = score, square
                        continue
                    here[MADE] = square
                    numbers[at + 1, DEPTH] = here[DEPTH] - 1
                    numbers[at + 1, ALPHA] = -here[BETA]
                    numbers[at + 1, BETA] = -max(here[ALPHA], here[BEST])
                    at += 1
                    break
                score = here[BEST]
                if clever and abs(score) < SURE:
                    key = board.state[0] ^ mover
                    slot = key & (table.shape[0] - 1)
                    table[slot, 0], table[slot, 1], table[slot, 2] = key, here[DEPTH], score
                    table[slot, 3] = here[BEST_MOVE]
                    table[slot, 4] = AT_LEAST if score >= here[BETA] else AT_MOST if score <= here[ALPHA] else EXACT
            if at == 0:
                return score
            at -= 1
            here = numbers[at]
            take(board, here[MADE])
            known = False
            if -score > here[BEST]:
                here[BEST], here[BEST_MOVE] = -score, here[MADE]
