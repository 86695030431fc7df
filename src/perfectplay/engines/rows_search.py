# mypy: ignore-errors
"""Alpha-beta on a board of rows, to a depth: what lies beyond is judged by the rows still open.

`routes` looks at every square. `threats` looks at the most promising squares near marks, keeps what it has found in a
table, does not count a forced answer as a ply of depth, and looks for wins by fours where its depth ends.
"""

import numpy as np

from perfectplay.engines.forcing import NODES, STOP, must_take, win_by_fours
from perfectplay.engines.rows import EMPTY, completions, kernel, put, take

WON = 1 << 40
"""The score of a win, less the plies to it."""
SURE = WON - 10_000
"""From here on a score is a proven win."""
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
MANY = 14
"""So many squares are tried in a position, the most promising ones."""
FOURS_NODES = 60
"""Nodes for wins by fours where the depth ends."""


@kernel
def routes(board, side, depth, ply, alpha, beta, sign, work):
    """The score of the position for the side to move; with sign -1 a full row loses."""
    if work[STOP] != 0:
        return alpha
    work[NODES] += 1
    if board.state[1] == board.marks.size:
        return np.int64(0)
    if depth == 0:
        return sign * (board.totals[side] - board.totals[1 - side])
    squares = promising(board, side, board.marks.size, everywhere=True)
    best = np.int64(-WON)
    for square in squares:
        put(board, square, side)
        if board.state[2]:
            score = sign * (WON - ply - 1)
        else:
            score = -routes(board, 1 - side, depth - 1, ply + 1, -beta, -max(alpha, best), sign, work)
        take(board, square)
        best = max(best, score)
        if best >= beta:
            break
    return best


@kernel
def promising(board, side, most, everywhere):
    """The empty squares near marks, or all, the most promising first, and no more than so many."""
    values = np.empty(board.marks.size, np.int64)
    count = 0
    for square in range(board.marks.size):
        if board.marks[square] == EMPTY and (everywhere or board.around[square]):
            value = 2 * board.worth[side, square] + board.worth[1 - side, square]
            values[count] = -(value << 10 | square)
            count += 1
    order = np.sort(values[:count])[:most]
    return -order & 1023


@kernel
def threats(board, side, depth, ply, alpha, beta, table, work):
    """The score of the position for the side to move; alpha if the search has to stop."""
    if work[STOP] != 0:
        return alpha
    work[NODES] += 1
    found = np.empty(2, np.int64)
    if completions(board, side, found):
        return np.int64(WON - ply - 1)
    if board.state[1] == board.marks.size:
        return np.int64(0)
    forced = must_take(board, side)
    if forced == -2:
        return np.int64(ply + 2 - WON)
    if forced >= 0:
        put(board, forced, side)
        score = -threats(board, 1 - side, depth, ply + 1, -beta, -alpha, table, work)
        take(board, forced)
        return score
    if depth <= 0:
        quick = np.array([0, FOURS_NODES, 0])
        if win_by_fours(board, side, 8, quick) >= 0:
            return np.int64(SURE + 1)
        return 3 * board.totals[side] // 2 - board.totals[1 - side]
    slot = (board.state[0] ^ side) & (table.shape[0] - 1)
    first = np.int64(-1)
    if table[slot, 0] == board.state[0] ^ side:
        first = table[slot, 3]
        if table[slot, 1] >= depth:
            score, kind = table[slot, 2], table[slot, 4]
            if kind == EXACT or (kind == AT_LEAST and score >= beta) or (kind == AT_MOST and score <= alpha):
                return score
    best, best_square, low = np.int64(-WON), np.int64(-1), alpha
    squares = promising(board, side, MANY, everywhere=False)
    for i in range(-1, squares.size):
        square = first if i < 0 else squares[i]
        if square < 0 or (i >= 0 and square == first) or board.marks[square] != EMPTY:
            continue
        put(board, square, side)
        score = -threats(board, 1 - side, depth - 1, ply + 1, -beta, -low, table, work)
        take(board, square)
        if work[STOP] != 0:
            return alpha
        if score > best:
            best, best_square = score, square
            low = max(low, best)
            if best >= beta:
                break
    if abs(best) < SURE:
        table[slot, 0], table[slot, 1], table[slot, 2], table[slot, 3] = board.state[0] ^ side, depth, best, best_square
        table[slot, 4] = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
    return best
