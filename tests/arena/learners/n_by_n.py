"""The lean player with a memory of its boards; a win on a fuller board counts less."""


def routes(n):
    rows = [[n * r + c for c in range(n)] for r in range(n)]
    columns = [[n * r + c for r in range(n)] for c in range(n)]
    return [*rows, *columns, [(n + 1) * i for i in range(n)], [(n - 1) * (i + 1) for i in range(n)]]


def flip(player):
    return "O" if player == "X" else "X"


class LeanComputerPlayer:
    def __init__(self, mark, n):
        self.mark = mark
        self.n = n
        self.routes = routes(n)
        self.solved = {}

    def winner(self, board):
        for route in self.routes:
            first = board[route[0]]
            if first is not None and all(board[i] == first for i in route):
                return first
        return None

    def solve_tree(self, board, player):
        if board not in self.solved:
            moves = [i for i, cell in enumerate(board) if cell is None]
            winner = self.winner(board)
            if winner is not None:
                value = 1 + len(moves) if winner == self.mark else -1 - len(moves)
            elif not moves:
                value = 0
            else:
                best = max if player == self.mark else min
                value = best(self.solve_tree(self.after(board, move, player), flip(player)) for move in moves)
            self.solved[board] = value
        return self.solved[board]

    def after(self, board, move, player):
        return (*board[:move], player, *board[move + 1 :])

    def next_move(self, board):
        moves = [i for i, cell in enumerate(board) if cell is None]
        if len(moves) == self.n**2:
            return self.n**2 // 2
        return max(moves, key=lambda move: self.solve_tree(self.after(board, move, self.mark), flip(self.mark)))


players = {}


def ai(board, side):
    n = len(board)
    if (side, n) not in players:
        players[side, n] = LeanComputerPlayer(side, n)
    return divmod(players[side, n].next_move(tuple(cell for row in board for cell in row)), n)
