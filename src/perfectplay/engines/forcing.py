# mypy: ignore-errors
"""Winning sequences of forcing moves on a board of rows.

A four, a row that lacks one mark, must be answered on the square that it lacks. A three is a move after which the
side could make two fours at once with its next move; it must be answered on one of a few squares, or by fours.

No function calls itself: numba cannot load such functions from its cache. Each keeps a stack in arrays of its own.
"""

import numpy as np

from perfectplay.engines.rows import EMPTY, completions, kernel, put, take

NODES, LIMIT, STOP = 0, 1, 2
"""Places in `work`: nodes so far, how many there may be, and whether to stop at once."""
MOST_FOURS = 16
"""So many fours, one after another, are looked for."""
MOST_ANSWERS = 32
"""A three that can be answered in more ways than this is given up."""
ENTER, MOVE, ANSWER, BACK = 0, 1, 2, 3


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
def next_in_rows(board, side, marks, cursor):
    """The place of the next empty square in a row open to the side that has at least so many marks; -1 if none is left.

    A cursor counts all squares of all rows, one row after another.
    """
    length = board.rows.shape[1]
    while cursor < board.rows.size:
        row = cursor // length
        if board.counts[side, row] < marks or board.counts[1 - side, row] != 0:
            cursor = (row + 1) * length
        elif board.marks[board.rows[row, cursor - row * length]] != EMPTY:
            cursor += 1
        else:
            return cursor
    return np.int64(-1)


@kernel
def square_at(board, cursor):
    """The square at a place."""
    length = board.rows.shape[1]
    return np.int64(board.rows[cursor // length, cursor % length])


@kernel
def win_by_fours(board, side, depth, work):
    """The first move of a win by one four after another, of at most so many; -1 if none is found."""
    found = np.empty(2, np.int64)
    cursors, forced = np.empty(depth + 1, np.int64), np.empty(depth + 1, np.int64)
    played, replied = np.empty(depth + 1, np.int64), np.empty(depth + 1, np.int64)
    fours, other = board.rows.shape[1] - 2, 1 - side
    at, first = 0, np.int64(-1)
    entering = True
    while True:
        if entering:
            entering = False
            if completions(board, side, found):
                first = played[0] if at else found[0]
                break
            forced[at] = must_take(board, side)
            cursors[at] = board.rows.size if forced[at] == -2 or at == depth or spent(work) else 0
        cursors[at] = next_in_rows(board, side, fours, cursors[at])
        if cursors[at] < 0:
            if at == 0:
                break
            at -= 1
            take(board, replied[at])
            take(board, played[at])
            continue
        square = square_at(board, cursors[at])
        cursors[at] += 1
        if forced[at] >= 0 and square != forced[at]:
            continue
        put(board, square, side)
        if board.nearly[other] == 0:
            if completions(board, side, found) == 2:
                take(board, square)
                first = played[0] if at else square
                break
            put(board, found[0], other)
            if board.state[2] == 0:
                played[at], replied[at] = square, found[0]
                at += 1
                entering = True
                continue
            take(board, found[0])
        take(board, square)
    while at:
        at -= 1
        take(board, replied[at])
        take(board, played[at])
    return first


@kernel
def answers_to_three(board, side, answers):
    """Writes the squares that stop the side from making two fours at once; -1 if it cannot, else how many squares."""
    found = np.empty(3, np.int64)
    threats, count = 0, 0
    cursor = next_in_rows(board, side, board.rows.shape[1] - 2, 0)
    while cursor >= 0:
        square = square_at(board, cursor)
        put(board, square, side)
        ways = completions(board, side, found)
        take(board, square)
        if ways >= 2:
            threats += 1
            if threats == 1:
                answers[0], answers[1], answers[2] = square, found[0], found[1]
                count = 3 if ways == 2 else 1
            else:
                kept = 0
                for i in range(count):
                    answer = answers[i]
                    if answer == square or (ways == 2 and (answer == found[0] or answer == found[1])):
                        answers[kept] = answer
                        kept += 1
                count = kept
        cursor = next_in_rows(board, side, board.rows.shape[1] - 2, cursor + 1)
    return count if threats else -1


@kernel
def answers_in_all(board, side, answers):
    """Writes the answers to a three of the side and the other side's fours; how many, -1 if it is no three.

    None, if there are more than fit: then nothing is known.
    """
    if board.nearly[side] != 0 or board.nearly[1 - side] != 0:
        return -1
    count = answers_to_three(board, side, answers)
    if count < 0:
        return -1
    cursor = next_in_rows(board, 1 - side, board.rows.shape[1] - 2, 0)
    while cursor >= 0:
        if count == answers.size:
            return -1
        answers[count] = square_at(board, cursor)
        count += 1
        cursor = next_in_rows(board, 1 - side, board.rows.shape[1] - 2, cursor + 1)
    return count


@kernel
def win_by_force(board, side, depth, work):
    """The first move of a win by fours and threes, of at most so many threes; -1 if none is found.

    A three must hold against each answer that stops it and against each four of the other side.
    """
    size, other = board.marks.size, 1 - side
    cursors, forced = np.empty(depth + 1, np.int64), np.empty(depth + 1, np.int64)
    played, counts, index = np.empty(depth + 1, np.int64), np.empty(depth + 1, np.int64), np.empty(depth + 1, np.int64)
    answers = np.empty((depth + 1, MOST_ANSWERS), np.int64)
    tried = np.empty((depth + 1, size), np.bool_)
    at, phase, won, first = 0, ENTER, False, np.int64(-1)
    while True:
        if phase == ENTER:
            first = win_by_fours(board, side, MOST_FOURS, work)
            forced[at] = must_take(board, side)
            cursors[at] = 0
            tried[at] = False
            won = first >= 0
            phase = BACK if won or forced[at] == -2 or at == depth or spent(work) else MOVE
        elif phase == MOVE:
            cursors[at] = next_in_rows(board, side, board.rows.shape[1] - 3, cursors[at])
            if cursors[at] < 0 or work[STOP] != 0 or work[NODES] > work[LIMIT]:
                won, phase = False, BACK
                continue
            square = square_at(board, cursors[at])
            cursors[at] += 1
            if tried[at, square] or (forced[at] >= 0 and square != forced[at]):
                continue
            tried[at, square] = True
            put(board, square, side)
            counts[at] = answers_in_all(board, side, answers[at])
            if counts[at] < 0:
                take(board, square)
                continue
            played[at], index[at], phase = square, 0, ANSWER
        elif phase == ANSWER:
            if index[at] == counts[at]:
                take(board, played[at])
                first, won, phase = played[at], True, BACK
                continue
            put(board, answers[at, index[at]], other)
            if board.state[2]:
                take(board, answers[at, index[at]])
                take(board, played[at])
                phase = MOVE
            else:
                at += 1
                phase = ENTER
        else:
            if at == 0:
                return first if won else np.int64(-1)
            at -= 1
            take(board, answers[at, index[at]])
            if won:
                index[at] += 1
                phase = ANSWER
            else:
                take(board, played[at])
                phase = MOVE
