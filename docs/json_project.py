"""A project of tic-tac-toe in which nearly all is wrong: what a certificate says of its functions."""


def initial_state():
    """The empty board."""
    return [[None] * 3] * 3


def player(board):
    """Always X."""
    return "X"


def actions(board):
    """The empty squares."""
    return {(row, column) for row in range(3) for column in range(3) if board[row][column] is None}


def result(board, action):
    """The same board."""
    return board


def winner(board):
    """Nobody."""


def terminal(board):
    """Only a full board."""
    return not actions(board)


def utility(board):
    """Always a draw."""
    return 0


def minimax(board):
    """The first empty square."""
    return min(actions(board), default=None)
