"""Tactic-toe by negamax to a fixed depth, with a cache whose key knows only which mark vanishes next.

The order of the other two is missing, so states that differ share an entry.
A state is the mover's marks and the opponent's, each a tuple of squares from the oldest to the newest.
"""

LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
DEPTH = 13
CACHE = {}


def children(mine, theirs):
    for square in range(9):
        if square not in mine and square not in theirs:
            yield square, (theirs, (*mine, square)[-3:])


def negamax(mine, theirs, depth):
    """The value for the mover: more than 0 if it wins within the depth, and more the sooner it does."""
    if set(theirs) in LINES:
        return -1 - depth
    if depth == 0:
        return 0
    key = frozenset(mine), mine[:1], frozenset(theirs), theirs[:1], depth
    if key not in CACHE:
        CACHE[key] = max(-negamax(*after, depth - 1) for _, after in children(mine, theirs))
    return CACHE[key]


def marks_of(board, side):
    lives = {cell.life: (r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == side}
    return tuple(3 * r + c for _, (r, c) in sorted(lives.items()))


def ai(board, side):
    mine, theirs = marks_of(board, side), marks_of(board, "O" if side == "X" else "X")
    square, _ = max(children(mine, theirs), key=lambda child: -negamax(*child[1], DEPTH - 1))
    return divmod(square, 3)
