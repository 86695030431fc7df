"""Tactic-toe, solved by reverse minimax: scores of all states, improved pass by pass until nothing changes.

A board has nine numbers: 3 is X's newest mark, 1 the mark that X loses next; O's are negative, 0 is empty.
"""

from operator import itemgetter

X, O, EMPTY = 1, -1, 0
LIVES = 3
TOP_SCORE = 100
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def turned(squares):
    """The squares after a quarter turn."""
    return tuple(squares[3 * (2 - i % 3) + i // 3] for i in range(9))


def symmetries():
    """The eight ways to look at the board."""
    found = [tuple(range(9)), (2, 1, 0, 5, 4, 3, 8, 7, 6)]
    for _ in range(3):
        found += [turned(one) for one in found[-2:]]
    return [itemgetter(*one) for one in found]


VIEWS = symmetries()


def get_moves(state):
    board, _ = state
    return [square for square in range(9) if board[square] == EMPTY]


def result(state, square):
    """The state after the move: the mover's marks age, the oldest vanishes, the new one has all its lives."""
    board, turn = state
    after = [cell - turn if cell * turn > 0 else cell for cell in board]
    after[square] = LIVES * turn
    return tuple(after), -turn


def winner(state):
    board, _ = state
    for a, b, c in LINES:
        if board[a] > 0 and board[b] > 0 and board[c] > 0:
            return X
        if board[a] < 0 and board[b] < 0 and board[c] < 0:
            return O
    return None


def canonical(state):
    """The smallest of the eight images: one key for all of them."""
    board, turn = state
    return min(view(board) for view in VIEWS), turn


def all_states():
    """Each state that can come up, with its children; a finished state has none."""
    start = (EMPTY,) * 9, X
    children, waiting = {}, [canonical(start)]
    while waiting:
        state = waiting.pop()
        if state not in children:
            moves = [] if winner(state) else get_moves(state)
            children[state] = {canonical(result(state, move)) for move in moves}
            waiting += children[state]
    return children


def evaluate(children):
    """The score of each state: 0 for a draw, and for a win of X (or O, negative) one less for each move before it."""
    scores = {state: TOP_SCORE * (winner(state) or 0) for state in children}
    changes = True
    while changes:
        changes = False
        for state, after in children.items():
            if after:
                best = (max if state[1] == X else min)(scores[child] for child in after)
                score = best - (best > 0) + (best < 0)
                if score != scores[state]:
                    scores[state], changes = score, True
    return scores


SCORES = evaluate(all_states())


def ai(board, side):
    """The move with the best score, as (row, column)."""
    turn = X if side == "X" else O
    marks = {"X": X, "O": O}
    state = tuple(marks[cell] * cell.life if cell else EMPTY for row in board for cell in row), turn
    best = max(get_moves(state), key=lambda move: turn * SCORES[canonical(result(state, move))])
    return divmod(best, 3)
