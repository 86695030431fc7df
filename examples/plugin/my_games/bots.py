"""A player for any game."""


def leftmost(board, side):
    """Takes the first legal move, on a strip that on the left."""
    return board.moves[0]
