"""Tic-tac-toe: seven functions of a board, minimax with a cache, and quick wins first."""

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


def minimax(board):
    """The best action for the side to move, the quickest win first; None if the game is over."""
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    return max(sorted(actions(board)), key=lambda action: sign * value(result(board, action)))


KNOWN = {}


def value(board):
    """What the board is worth: more than 0 if X wins, less than 0 if O does; with more empty squares, more."""
    key = str(board)
    if key not in KNOWN:
        if terminal(board):
            KNOWN[key] = utility(board) * (1 + len(actions(board)))
        else:
            values = [value(result(board, action)) for action in actions(board)]
            KNOWN[key] = max(values) if player(board) == X else min(values)
    return KNOWN[key]
