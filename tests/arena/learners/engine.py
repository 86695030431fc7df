"""The engine of a learner's first part: boards are lists of rows, moves are (row, column)."""


def legal_moves(board):
    return [(r, c) for r in range(3) for c in range(3) if board[r][c] is None]


def make_move(board, move, player):
    new_board = [row[:] for row in board]
    new_board[move[0]][move[1]] = player
    return new_board


def all_lines():
    for i in range(3):
        yield [(i, 0), (i, 1), (i, 2)]
        yield [(0, i), (1, i), (2, i)]
    yield [(0, 0), (1, 1), (2, 2)]
    yield [(0, 2), (1, 1), (2, 0)]


def get_winner(board):
    for line in all_lines():
        values = [board[r][c] for r, c in line]
        if values[0] is not None and values == [values[0]] * 3:
            return values[0]
    return None


def opponent(player):
    return "O" if player == "X" else "X"
