"""Tactic-toe, solved by reverse minimax, with the rules misread: the oldest mark goes before the new one is put.

So a side may put its new mark on the square that its own oldest mark leaves. The number of states is the same.
Each side's marks are a list of squares, the oldest first.
"""

LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
WON = 50


def moves_of(mine, theirs):
    staying = mine[-2:]
    return [square for square in range(9) if square not in staying and square not in theirs]


def place(mine, theirs, square):
    """The marks of the side that moves next, then those of the side that has moved."""
    return theirs, (*mine[-2:], square)


def has_won(marks):
    return set(marks) in LINES


def explore():
    """All states, each with the states that can follow."""
    following, waiting = {}, [((), ())]
    while waiting:
        state = waiting.pop()
        if state not in following:
            following[state] = [] if has_won(state[1]) else [place(*state, move) for move in moves_of(*state)]
            waiting.extend(following[state])
    return following


def solve():
    """The score of each state for the side to move: its wins are positive, and quick ones count more."""
    following = explore()
    score = {state: -WON if has_won(state[1]) else 0 for state in following}
    open_states = [state for state in following if following[state]]
    while True:
        changed = 0
        for state in open_states:
            best = max(-score[after] for after in following[state])
            new = best - 1 if best > 0 else best + 1 if best < 0 else 0
            if new != score[state]:
                score[state] = new
                changed += 1
        if changed == 0:
            return score


SCORE = solve()


def marks_of(board, side):
    lives = [(cell.life, 3 * r + c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == side]
    return tuple(square for _, square in sorted(lives))


def ai(board, side):
    mine, theirs = marks_of(board, side), marks_of(board, "O" if side == "X" else "X")
    free = [square for square in range(9) if board[square // 3][square % 3] is None]
    best = min(free, key=lambda square: SCORE[place(mine, theirs, square)])
    return best // 3, best % 3
