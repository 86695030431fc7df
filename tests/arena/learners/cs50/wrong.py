"""Tic-tac-toe: minimax that looks only a few moves ahead, to be quick, and takes the rest for a draw."""

import copy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def player(board):
    x_count = sum(row.count(X) for row in board)
    o_count = sum(row.count(O) for row in board)
    return X if x_count == o_count else O


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board, action):
    if action not in actions(board):
        raise ValueError(f"{action} cannot be played")
    new_board = copy.deepcopy(board)
    new_board[action[0]][action[1]] = player(board)
    return new_board


def winner(board):
    for mark in (X, O):
        for i in range(3):
            if all(board[i][j] == mark for j in range(3)) or all(board[j][i] == mark for j in range(3)):
                return mark
        if all(board[i][i] == mark for i in range(3)) or all(board[i][2 - i] == mark for i in range(3)):
            return mark
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]


DEPTH = 5


def minimax(board):
    """The best action for the side to move, as far as it looks; None if the game is over."""
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    return max(sorted(actions(board)), key=lambda action: sign * value(result(board, action), DEPTH - 1))


KNOWN = {}


def value(board, depth):
    """What the board is worth: utility, more of it if it comes sooner, and 0 beyond the depth."""
    key = str(board), depth
    if key not in KNOWN:
        if terminal(board):
            KNOWN[key] = utility(board) * (1 + depth)
        elif depth == 0:
            KNOWN[key] = 0
        else:
            values = [value(result(board, action), depth - 1) for action in actions(board)]
            KNOWN[key] = max(values) if player(board) == X else min(values)
    return KNOWN[key]
