# mypy: ignore-errors
"""Winning sequences of forcing moves on a board of rows.

A four, a row that lacks one mark, must be answered on the square that it lacks. A three is a move after which the
side could make two fours at once with its next move; it must be answered on one of a few squares, or by fours.
"""

import numpy as np

from perfectplay.engines.rows import EMPTY, completions, kernel, put, take

NODES, LIMIT, STOP = 0, 1, 2
"""Places in `work`: nodes so far, how many there may be, and whether to stop at once."""
MOST_FOURS = 16
"""So many fours, one after another, are looked for."""
MOST_ANSWERS = 29
"""A three that can be answered by more fours than this is given up."""


@kernel
def spent(work):
    """Whether the search has to stop; counts a node."""
    work[NODES] += 1
    return work[NODES] > work[LIMIT] or work[STOP] != 0


@kernel
def must_take(board, side):
    """The square that the side must take or lose; -1 if there is none, -2 if there are two."""
    found = np.empty(2, np.int64)
    count = completions(board, 1 - side, found)
    return -1 if count == 0 else found[0] if count == 1 else -2


@kernel
def win_by_fours(board, side, depth, work):
    """The first move of a win by one four after another, of at most so many; -1 if none is found."""
    found = np.empty(2, np.int64)
    if completions(board, side, found):
        return found[0]
    forced = must_take(board, side)
    if forced == -2 or depth == 0 or spent(work):
        return np.int64(-1)
    length, other = board.rows.shape[1], 1 - side
    for row in range(board.rows.shape[0]):
        if board.counts[side, row] != length - 2 or board.counts[other, row] != 0:
            continue
        for j in range(length):
            square = board.rows[row, j]
            if board.marks[square] != EMPTY or (forced >= 0 and square != forced):
                continue
            put(board, square, side)
            won = False
            if board.nearly[other] == 0:
                count = completions(board, side, found)
                if count == 2:
                    won = True
                else:
                    reply = found[0]
                    put(board, reply, other)
                    won = board.state[2] == 0 and win_by_fours(board, side, depth - 1, work) >= 0
                    take(board, reply)
            take(board, square)
            if won:
                return np.int64(square)
    return np.int64(-1)


@kernel
def answers_to_threat(board, side, answers):
    """Writes the squares that stop the side from making two fours at once; -1 if it cannot, else how many squares."""
    length, other = board.rows.shape[1], 1 - side
    found = np.empty(3, np.int64)
    threats, count = 0, 0
    for row in range(board.rows.shape[0]):
        if board.counts[side, row] != length - 2 or board.counts[other, row] != 0:
            continue
        for j in range(length):
            square = board.rows[row, j]
            if board.marks[square] != EMPTY:
                continue
            put(board, square, side)
            ways = completions(board, side, found)
            take(board, square)
            if ways < 2:
                continue
            threats += 1
            if threats == 1:
                answers[0] = square
                count = 1
                if ways == 2:
                    answers[1], answers[2] = found[0], found[1]
                    count = 3
            else:
                kept = 0
                for i in range(count):
                    stops = answers[i] == square
                    if ways == 2:
                        stops |= answers[i] == found[0] or answers[i] == found[1]
                    if stops:
                        answers[kept] = answers[i]
                        kept += 1
                count = kept
    return count if threats else -1


@kernel
def fours_of(board, side, squares, count):
    """Writes behind the first `count` squares those on which the side makes a four; how many there are then."""
    length = board.rows.shape[1]
    for row in range(board.rows.shape[0]):
        if board.counts[side, row] == length - 2 and board.counts[1 - side, row] == 0:
            for j in range(length):
                if board.marks[board.rows[row, j]] == EMPTY and count < squares.size:
                    squares[count] = board.rows[row, j]
                    count += 1
    return count


@kernel
def win_by_force(board, side, depth, work):
    """The first move of a win by fours and threes, of at most so many threes; -1 if none is found.

    A three must hold against each answer that stops it and against each four of the other side.
    """
    first = win_by_fours(board, side, MOST_FOURS, work)
    if first >= 0:
        return first
    forced = must_take(board, side)
    if forced == -2 or depth == 0 or spent(work):
        return np.int64(-1)
    length, other = board.rows.shape[1], 1 - side
    answers = np.empty(3 + MOST_ANSWERS, np.int64)
    tried = np.zeros(board.marks.size, np.bool_)
    for row in range(board.rows.shape[0]):
        if board.counts[side, row] < length - 3 or board.counts[other, row] != 0:
            continue
        for j in range(length):
            square = board.rows[row, j]
            if tried[square] or board.marks[square] != EMPTY or (forced >= 0 and square != forced):
                continue
            tried[square] = True
            put(board, square, side)
            count = -1
            if board.nearly[side] == 0 and board.nearly[other] == 0:
                count = answers_to_threat(board, side, answers)
            won = count >= 0
            if won:
                count = fours_of(board, other, answers, count)
                won = count < answers.size
            for i in range(max(count, 0)):
                if won:
                    put(board, answers[i], other)
                    won = board.state[2] == 0 and win_by_force(board, side, depth - 1, work) >= 0
                    take(board, answers[i])
            take(board, square)
            if won:
                return np.int64(square)
            if work[STOP] != 0 or work[NODES] > work[LIMIT]:
                return np.int64(-1)
    return np.int64(-1)
