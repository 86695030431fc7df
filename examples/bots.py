"""Players of one's own: perfectplay battle tic-tac-toe examples/bots.py:my_ai random."""

from perfectplay import legal_moves


def my_ai(board, side):
    """The classic way: a board of 'X', 'O' and None, a side, an answer (row, column). Centre, corners, edges."""
    for row, column in [(1, 1), (0, 0), (0, 2), (2, 0), (2, 2), (0, 1), (1, 0), (1, 2), (2, 1)]:
        if board[row][column] is None:
            return row, column


def last_move(seat):
    """The way for every game: told its seat, it returns a function from position to move. Plays the last legal move."""
    return lambda position: legal_moves(seat.game, position)[-1]
