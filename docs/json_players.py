"""Players whose games and certificates show what the answers of commands can have."""

import random

from perfectplay import legal_moves


def free(board):
    """The empty squares."""
    return [(row, column) for row in range(3) for column in range(3) if board[row][column] is None]


def lost(board, side):
    """Raises an error."""
    raise ValueError("no move")


def wrong(board, side):
    """Plays where it cannot."""
    return 7, 7


def talker(board, side):
    """Prints, and takes the first empty square."""
    print("first")
    return free(board)[0]


def late(board, side):
    """Raises an error when few squares are left."""
    return free(board)[3]


def dice(seat):
    """Varies."""
    return lambda position: random.choice(legal_moves(seat.game, position))


def counter(board, side):
    """Takes the last empty square, by a recursive function."""
    return last(free(board))


def last(squares):
    """The last of some squares."""
    return squares[0] if len(squares) == 1 else last(squares[1:])
