# mypy: ignore-errors
"""Monte Carlo tree search on a board of lines, whose words may be too wide to compile; see `tree_kernels.py`.

A node knows its square, not its position: the marks on the way to it are put on the board and taken off again.
"""

import numpy as np

from perfectplay.players.line_games.line_board import EMPTY, THROUGH, kernel, put, take
from perfectplay.players.monte_carlo.ucb import DRAWN, LOST, OPEN, SIZE, STOP, WON, best_child, learn, proof, thrown

# ---- below this line the text is the same for every game ----


@kernel
def count_mark(board, square, side, more):
    """Counts a mark in the lines through its square, or with -1 no more; whether it fills a line."""
    filled = False
    for i in range(THROUGH):
        line = board.through[square, i]
        if line < 0:
            break
        board.counts[side, line] += more
        filled |= board.counts[side, line] == board.length
    return filled


@kernel
def played_out(board, side, sign, free, state):
    """The outcome of a random game for the side to move at its beginning; with sign -1 a full line loses."""
    count, plies, value = 0, 0, 0
    for square in range(board.area):
        if board.marks[square] == EMPTY:
            free[count] = square
            count += 1
    while plies < count and value == 0:
        chosen = plies + thrown(state, count - plies)
        free[plies], free[chosen] = free[chosen], free[plies]
        mover = side ^ (plies & 1)
        if count_mark(board, free[plies], mover, 1):
            value = sign if mover == side else -sign
        plies += 1
    for ply in range(plies):
        count_mark(board, free[ply], side ^ (ply & 1), -1)
    return value


@kernel
def expand(board, node, side, sign, squares, firsts, counts, proven, state):
    """Gives the node its children; one that ends the game is proven."""
    firsts[node] = state[SIZE]
    for square in range(board.area):
        if board.marks[square] != EMPTY:
            continue
        child = state[SIZE]
        squares[child] = square
        filled = count_mark(board, square, side, 1)
        count_mark(board, square, side, -1)
        ended = LOST if sign == 1 else WON
        proven[child] = ended if filled else DRAWN if board.count + 1 == board.area else OPEN
        state[SIZE] += 1
    counts[node] = state[SIZE] - firsts[node]


@kernel
def grow(rounds, board, sign, squares, firsts, counts, visits, points, proven, same, state):
    """Adds `rounds` random games to the tree; fewer if it is stopped, or if the result is proven. Side 0 is to move."""
    path, free = np.zeros(board.area + 2, np.int64), np.empty(board.area, np.int64)
    for _ in range(rounds):
        if state[STOP] != 0 or proven[0] != OPEN:
            break
        node, length = 0, 0
        while proven[node] == OPEN:
            if counts[node] == 0:
                if (length and visits[node] == 0) or state[SIZE] + board.area >= visits.size:
                    break
                expand(board, node, length & 1, sign, squares, firsts, counts, proven, state)
                proven[node] = proof(node, firsts, counts, proven, same)
                if proven[node] != OPEN:
                    break
            node = best_child(node, firsts, counts, visits, points, proven, same)
            put(board, squares[node], length & 1)
            length += 1
            path[length] = node
        value = proven[node] - 2
        if proven[node] == OPEN:
            value = played_out(board, length & 1, sign, free, state)
        for i in range(length, 0, -1):
            take(board, squares[path[i]])
        learn(path, length, value, firsts, counts, visits, points, proven, same)
