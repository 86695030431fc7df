"""All players share one memory, in which a value is +1 if the player itself wins: X reads what O has written."""

from grid import flattened, flip, routes


class LeanComputerPlayer:
    solved = {}  # noqa: RUF012

    def __init__(self, mark, n):
        self.mark = mark
        self.routes = routes(n)

    def winner(self, board):
        for route in self.routes:
            if board[route[0]] is not None and len({board[i] for i in route}) == 1:
                return board[route[0]]
        return None

    def solve_tree(self, board, player):
        if board in self.solved:
            return self.solved[board]
        moves = [i for i, cell in enumerate(board) if cell is None]
        winner = self.winner(board)
        if winner is not None:
            value = 1 if winner == self.mark else -1
        elif not moves:
            value = 0
        else:
            best = max if player == self.mark else min
            value = best(self.solve_tree((*board[:i], player, *board[i + 1 :]), flip(player)) for i in moves)
        self.solved[board] = value
        return value

    def next_move(self, board):
        moves = [i for i, cell in enumerate(board) if cell is None]
        return max(moves, key=lambda i: self.solve_tree((*board[:i], self.mark, *board[i + 1 :]), flip(self.mark)))


def ai(board, side):
    n = len(board)
    return divmod(LeanComputerPlayer(side, n).next_move(tuple(flattened(board))), n)
