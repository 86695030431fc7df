"""The lean player: +1, -1 or 0 at the end of the game, however long it takes; ties go to the last cell."""

from grid import flattened, flip, routes

solved = {}


def winner(board, n):
    for route in routes(n):
        if board[route[0]] is not None and len({board[i] for i in route}) == 1:
            return board[route[0]]
    return None


def descendants(moves, board, player, n):
    return [(solve_tree((*board[:move], player, *board[move + 1 :]), flip(player), n)[0], move) for move in moves]


def solve_tree(board, player, n):
    """The outcome, +1 if X wins, and the move that leads there."""
    if board not in solved:
        moves = [i for i, cell in enumerate(board) if cell is None]
        won_by = winner(board, n)
        if won_by is not None or not moves:
            solved[board] = ({"X": 1, "O": -1, None: 0}[won_by], None)
        else:
            best = max if player == "X" else min
            solved[board] = best(descendants(moves, board, player, n))
    return solved[board]


def ai(board, side):
    n = len(board)
    return divmod(solve_tree(tuple(flattened(board)), side, n)[1], n)
