# mypy: ignore-errors
"""A board of any size on which every empty square may be taken and a full line ends the game: arrays in place of words.

Words of more than 63 bits do not compile. Here, with every mark the lines through its square are counted anew: how many
marks of each side each line has. All else is read off these counts. A line in which both sides have a mark is dead.
The side that moves first is 0, the other 1, an empty square 2.
"""

import numpy as np
from numba import njit

# ---- below this line the text is the same for every game ----

kernel = njit(nogil=True, cache=True, no_cfunc_wrapper=True)
EMPTY = 2
SQUARES, LINES, THROUGH = 1024, 4096, 512
"""The most squares, lines, and lines through a square.

A record of fixed size is one address to numba, which makes calls cheap.
"""

Lines = np.dtype(
    [
        ("length", np.int64),  # the squares of a line
        ("area", np.int64),  # the squares of the board
        ("lines", np.int64),  # how many lines there are
        ("count", np.int64),  # of the marks on the board
        ("full", np.int64),  # how many lines are full
        ("totals", np.int64, 2),  # [side]: what the lines open to the side alone are worth
        ("weights", np.int64, SQUARES + 1),  # [marks]: what a line with that many marks is worth
        ("through", np.int32, (SQUARES, THROUGH)),  # [square]: the lines through it, with -1 behind the last
        ("counts", np.int8, (2, LINES)),  # [side, line]: the side's marks in the line
        ("marks", np.int8, SQUARES),  # [square]: the side there
    ]
)


def new_board(area, lines):
    """The empty board with these lines, each a list of squares."""
    lists = [[] for _ in range(area)]
    for line, squares in enumerate(lines):
        for square in squares:
            lists[square].append(line)
    board = np.zeros(1, Lines).view(np.recarray)[0]
    board.length, board.area, board.lines = len(lines[0]), area, len(lines)
    board.through[:] = -1
    for square, through in enumerate(lists):
        board.through[square, : len(through)] = through
    for marks in range(1, board.length + 1):
        board.weights[marks] = 6 ** min(marks - 1, 18)
    clear(board)
    return board


@kernel
def clear(board):
    """Takes all marks off."""
    board.count = board.full = 0
    board.totals[:] = 0
    board.counts[:] = 0
    board.marks[:] = EMPTY


@kernel
def put(board, square, side):
    """Puts a mark on an empty square."""
    counts, weights, other = board.counts, board.weights, 1 - side
    board.marks[square] = side
    board.count += 1
    for i in range(THROUGH):
        line = board.through[square, i]
        if line < 0:
            break
        mine, theirs = counts[side, line], counts[other, line]
        counts[side, line] = mine + 1
        if theirs == 0:
            board.totals[side] += weights[mine + 1] - weights[mine]
            board.full += mine + 1 == board.length
        elif mine == 0:
            board.totals[other] -= weights[theirs]


@kernel
def take(board, square):
    """Takes the mark of either side off a square: undoes `put`."""
    counts, weights, side = board.counts, board.weights, board.marks[square]
    other = 1 - side
    board.marks[square] = EMPTY
    board.count -= 1
    for i in range(THROUGH):
        line = board.through[square, i]
        if line < 0:
            break
        mine, theirs = counts[side, line] - 1, counts[other, line]
        counts[side, line] = mine
        if theirs == 0:
            board.totals[side] -= weights[mine + 1] - weights[mine]
            board.full -= mine + 1 == board.length
        elif mine == 0:
            board.totals[other] += weights[theirs]
