# mypy: ignore-errors
"""A board of any size on which every empty square may be taken and a full row wins: arrays in place of words.

Words of more than 63 bits do not compile. Here a board is an array of squares, and with every mark the rows through
its square are counted anew: how many marks of each side each row has. All else is read off these counts. A row in
which both sides have a mark is dead. The side that moves first is 0, the other 1, an empty square 2.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

kernel = njit(nogil=True, cache=True)
EMPTY = 2


class Board(NamedTuple):
    """The rows of a board and the marks on it."""

    rows: Any
    """rows[r] are the squares of row r."""
    through: Any
    """through[s] are the rows through square s, with -1 behind the last."""
    weights: Any
    """What an open row of so many marks is worth."""
    near: Any
    """near[s] are the squares close to square s, with -1 behind the last."""
    marks: Any
    """Who is on each square."""
    counts: Any
    """counts[side, r]: how many marks the side has in row r."""
    worth: Any
    """worth[side, s]: what the open rows through square s are worth to the side."""
    totals: Any
    """totals[side]: what all open rows are worth to the side."""
    nearly: Any
    """nearly[side]: how many rows lack a single mark, open to the side."""
    around: Any
    """around[s]: how many marks are close to square s."""
    keys: Any
    """keys[side, s]: a random number."""
    state: Any
    """The hash of the position; the marks on the board; how many rows are full."""


def new_board(width, height, rows):
    """The empty board with these rows, each a list of squares."""
    size, length = width * height, len(rows[0])
    rows = np.array(rows, np.int32)
    lists = [[] for _ in range(size)]
    for row, squares in enumerate(rows.tolist()):
        for square in squares:
            lists[square].append(row)
    close = [
        [
            y * width + x
            for y in range(max(0, s // width - 2), min(height, s // width + 3))
            for x in range(max(0, s % width - 2), min(width, s % width + 3))
            if y * width + x != s and is_close(x - s % width, y - s // width)
        ]
        for s in range(size)
    ]
    weights = np.array([0] + [6**marks for marks in range(length)], np.int64)
    return Board(
        rows,
        padded(lists),
        weights,
        padded(close),
        np.full(size, EMPTY, np.int8),
        np.zeros((2, len(rows)), np.int8),
        np.zeros((2, size), np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.zeros(size, np.int32),
        np.random.default_rng(1).integers(1, 1 << 62, (2, size), np.int64),
        np.zeros(3, np.int64),
    )


def is_close(across, down):
    """Whether a square is a neighbour, or two steps away in a straight line."""
    return max(abs(across), abs(down)) == 1 or across == 0 or down == 0 or abs(across) == abs(down)


def padded(lists):
    """The lists as one array, -1 behind the last of each."""
    wide = max(len(one) for one in lists) + 1
    return np.array([one + [-1] * (wide - len(one)) for one in lists], np.int32)


@kernel
def clear(board):
    """Takes all marks off."""
    board.marks[:] = EMPTY
    board.counts[:] = 0
    board.totals[:] = 0
    board.nearly[:] = 0
    board.around[:] = 0
    board.state[:] = 0
    for square in range(board.marks.size):
        rows = 0
        while board.through[square, rows] >= 0:
            rows += 1
        board.worth[0, square] = board.worth[1, square] = rows * board.weights[1]


@kernel
def put(board, square, side):
    """Puts a mark on an empty square."""
    length, weights, other = board.rows.shape[1], board.weights, 1 - side
    board.marks[square] = side
    board.state[0] ^= board.keys[side, square]
    board.state[1] += 1
    for i in range(board.through.shape[1]):
        row = board.through[square, i]
        if row < 0:
            break
        mine, theirs = board.counts[side, row], board.counts[other, row]
        board.counts[side, row] = mine + 1
        if theirs == 0:
            board.totals[side] += weights[mine + 1] - weights[mine]
            board.nearly[side] += (mine + 2 == length) - (mine + 1 == length)
            board.state[2] += mine + 1 == length
            more = weights[min(mine + 2, length)] - weights[mine + 1]
            less = weights[1] if mine == 0 else 0
            for j in range(length):
                board.worth[side, board.rows[row, j]] += more
                board.worth[other, board.rows[row, j]] -= less
        elif mine == 0:
            board.totals[other] -= weights[theirs]
            board.nearly[other] -= theirs + 1 == length
            for j in range(length):
                board.worth[other, board.rows[row, j]] -= weights[theirs + 1]
    for i in range(board.near.shape[1]):
        if board.near[square, i] < 0:
            break
        board.around[board.near[square, i]] += 1


@kernel
def take(board, square):
    """Takes the mark off a square, whoever's it is: undoes `put`."""
    length, weights, side = board.rows.shape[1], board.weights, board.marks[square]
    other = 1 - side
    board.marks[square] = EMPTY
    board.state[0] ^= board.keys[side, square]
    board.state[1] -= 1
    for i in range(board.through.shape[1]):
        row = board.through[square, i]
        if row < 0:
            break
        mine, theirs = board.counts[side, row] - 1, board.counts[other, row]
        board.counts[side, row] = mine
        if theirs == 0:
            board.totals[side] -= weights[mine + 1] - weights[mine]
            board.nearly[side] -= (mine + 2 == length) - (mine + 1 == length)
            board.state[2] -= mine + 1 == length
            more = weights[min(mine + 2, length)] - weights[mine + 1]
            less = weights[1] if mine == 0 else 0
            for j in range(length):
                board.worth[side, board.rows[row, j]] -= more
                board.worth[other, board.rows[row, j]] += less
        elif mine == 0:
            board.totals[other] += weights[theirs]
            board.nearly[other] += theirs + 1 == length
            for j in range(length):
                board.worth[other, board.rows[row, j]] += weights[theirs + 1]
    for i in range(board.near.shape[1]):
        if board.near[square, i] < 0:
            break
        board.around[board.near[square, i]] -= 1


@kernel
def empty_in(board, row):
    """An empty square of the row."""
    for j in range(board.rows.shape[1]):
        if board.marks[board.rows[row, j]] == EMPTY:
            return board.rows[row, j]
    return -1


@kernel
def completions(board, side, found):
    """Writes the squares that fill a row of the side, each once; how many, up to the size of `found`."""
    count = 0
    if board.nearly[side] == 0:
        return 0
    length = board.rows.shape[1]
    for row in range(board.rows.shape[0]):
        if board.counts[side, row] == length - 1 and board.counts[1 - side, row] == 0:
            square = empty_in(board, row)
            new = True
            for i in range(count):
                new &= found[i] != square
            if new:
                found[count] = square
                count += 1
                if count == found.size:
                    break
    return count
