"""Tic-tac-toe by alpha-beta: right values, but the choice of the move takes bounds for values."""

import math

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
    new_board = [row[:] for row in board]
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
    """The best action for the side to move, by alpha-beta; None if the game is over.

    Once alpha or beta is known, a score that only equals it may be a bound: the last move that seems as good is chosen.
    """
    if terminal(board):
        return None
    best_action = None
    alpha, beta = -math.inf, math.inf
    for action in sorted(actions(board)):
        if player(board) == X:
            score = min_value(result(board, action), alpha, beta)
            if score >= alpha:
                alpha, best_action = score, action
        else:
            score = max_value(result(board, action), alpha, beta)
            if score <= beta:
                beta, best_action = score, action
    return best_action


def max_value(board, alpha, beta):
    if terminal(board):
        return utility(board)
    best = -math.inf
    for action in actions(board):
        best = max(best, min_value(result(board, action), alpha, beta))
        if best >= beta:
            break
        alpha = max(alpha, best)
    return best


def min_value(board, alpha, beta):
    if terminal(board):
        return utility(board)
    best = math.inf
    for action in actions(board):
        best = min(best, max_value(result(board, action), alpha, beta))
        if best <= alpha:
            break
        beta = min(beta, best)
    return best
