# mypy: ignore-errors
"""Alpha-beta over all squares of a board of lines, to a depth; there the lines open to one side alone are measured.

It is one loop with a stack in arrays: numba cannot load functions that call themselves from its cache.
"""

import numpy as np

from perfectplay.players.line_games.line_board import EMPTY, kernel, put, take

# ---- below this line the text is the same for every game ----

WON = 1 << 61
"""The score of a win, less the plies to it."""
OPEN_LINES, WAYS = range(2)
"""How lines are measured: each by its marks, or only the ways to win, which are the lines with the most marks."""
PLIES, OUTCOME = 1 << 11, 1 << 21
"""Where ways are measured, a win scores (PLIES - plies) * OUTCOME; both are more than any board can have."""
NODES, LIMIT, STOP = range(3)
"""Places in `work`: nodes so far, how many there may be, and whether to stop at once."""


ALPHA, BETA, BEST, NEXT, COUNT, MADE = range(6)
"""Places in `numbers`, for each ply."""


def new_stack(area):
    """Room for the search: moves and numbers for each ply from the root, and how good each square was before."""
    return np.zeros((area + 1, area), np.int64), np.zeros((area + 1, 6), np.int64), np.zeros((2, area), np.int64)


@kernel
def next_move(here, moves, good, ordered):
    """The next empty square, the best before first where that is wanted."""
    number = here[NEXT]
    best = number
    if ordered:
        for i in range(number + 1, here[COUNT]):
            if good[moves[i]] > good[moves[best]]:
                best = i
        moves[number], moves[best] = moves[best], moves[number]
    here[NEXT] += 1
    return moves[number]


@kernel
def ways_to_win(board, side):
    """How close the side is to a full line, by the number of lines in which it is that close."""
    close, ways = np.int64(0), np.int64(0)
    for line in range(board.lines):
        if board.counts[1 - side, line] == 0:
            marks = np.int64(board.counts[side, line])
            if marks > close:
                close, ways = marks, np.int64(0)
            ways += marks == close
    return close * ways


@kernel
def leaf_score(board, mover, ply, sign, measure):
    """The score of a position that the search does not look beyond, as if a full line won."""
    if measure == WAYS:
        outcome = np.int64(ply - PLIES if board.full else 0)
        return np.int64(sign) * (outcome * OUTCOME + ways_to_win(board, mover) - ways_to_win(board, 1 - mover))
    if board.full:
        return np.int64(sign * (ply - WON))
    if board.count == board.area:
        return np.int64(0)
    return np.int64(sign * (board.totals[mover] - board.totals[1 - mover]))


@kernel
def search(board, side, depth, alpha, beta, sign, measure, all_moves, numbers, good, work):
    """The score of the position for the side to move, in which no line is full; anything if it was stopped.

    With sign -1 a full line loses.
    """
    ply = 0
    numbers[0, ALPHA], numbers[0, BETA] = alpha, beta
    while True:
        # A new position.
        here, moves, mover = numbers[ply], all_moves[ply], side ^ (ply & 1)
        work[NODES] += 1
        known, score = True, np.int64(0)
        if board.full or board.count == board.area or ply == depth:
            score = leaf_score(board, mover, ply, sign, measure)
        else:
            known = False
            here[BEST], here[NEXT], here[COUNT] = -WON, 0, 0
            for square in range(board.area):
                if board.marks[square] == EMPTY:
                    moves[here[COUNT]] = square
                    here[COUNT] += 1
        # On with the next move, or back with the score.
        while True:
            if work[STOP] != 0 or work[NODES] > work[LIMIT]:
                while ply:
                    ply -= 1
                    take(board, numbers[ply, MADE])
                return np.int64(0)
            here, mover = numbers[ply], side ^ (ply & 1)
            if not known:
                if here[NEXT] < here[COUNT] and here[BEST] < here[BETA]:
                    here[MADE] = next_move(here, all_moves[ply], good[mover], ply + 1 < depth)
                    put(board, here[MADE], mover)
                    ply += 1
                    numbers[ply, ALPHA], numbers[ply, BETA] = -here[BETA], -max(here[ALPHA], here[BEST])
                    break
                score = here[BEST]
            if ply == 0:
                return score
            ply -= 1
            here = numbers[ply]
            take(board, here[MADE])
            known = False
            if -score > here[BEST]:
                here[BEST] = -score
                if -score >= here[BETA]:
                    good[side ^ (ply & 1), here[MADE]] += (depth - ply) * (depth - ply)
