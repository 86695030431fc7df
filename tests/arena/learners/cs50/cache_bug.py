"""Tic-tac-toe by alpha-beta with a cache that keeps the values of cut-off searches as if they were exact."""

import copy
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
    """The best action for the side to move, by alpha-beta; None if the game is over."""
    if terminal(board):
        return None
    best_action = None
    alpha, beta = -math.inf, math.inf
    for action in sorted(actions(board)):
        score = search(result(board, action), alpha, beta)
        if player(board) == X and score > alpha:
            alpha, best_action = score, action
        elif player(board) == O and score < beta:
            beta, best_action = score, action
    return best_action


SEEN = {}


def search(board, alpha, beta):
    """The value of the board, as far as alpha and beta need it."""
    key = str(board)
    if key in SEEN:
        return SEEN[key]
    if terminal(board):
        return utility(board)
    if player(board) == X:
        score = -math.inf
        for action in sorted(actions(board)):
            score = max(score, search(result(board, action), alpha, beta))
            alpha = max(alpha, score)
            if alpha >= beta:
                break
    else:
        score = math.inf
        for action in sorted(actions(board)):
            score = min(score, search(result(board, action), alpha, beta))
            beta = min(beta, score)
            if alpha >= beta:
                break
    SEEN[key] = score
    return score
