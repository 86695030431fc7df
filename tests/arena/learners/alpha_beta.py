"""Alpha-beta with depth in the score, on a flat board whose free squares hold their number."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
INFINITY = 50


class Computer:
    def __init__(self, symbol):
        self.symbol = symbol
        self.opponent = "O" if symbol == "X" else "X"

    def available(self, board):
        return [place for place, item in enumerate(board) if item.isdigit()]

    def evaluate_board(self, board, depth):
        for a, b, c in LINES:
            if board[a] == board[b] == board[c]:
                return INFINITY - depth if board[a] == self.symbol else depth - INFINITY
        return None

    def minimax(self, board, depth, is_maximizing, alpha, beta):
        score = self.evaluate_board(board, depth)
        if score is not None:
            return score
        places = self.available(board)
        if not places:
            return 0
        best = -INFINITY if is_maximizing else INFINITY
        for place in places:
            board[place] = self.symbol if is_maximizing else self.opponent
            score = self.minimax(board, depth + 1, not is_maximizing, alpha, beta)
            board[place] = str(place + 1)
            if is_maximizing:
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if beta <= alpha:
                break
        return best

    def best_move(self, board):
        best_score, best_place = -INFINITY - 1, None
        for place in self.available(board):
            board[place] = self.symbol
            score = self.minimax(board, 1, False, -INFINITY, INFINITY)
            board[place] = str(place + 1)
            if score > best_score:
                best_score, best_place = score, place
        return best_place


def my_ai(board, side):
    """Our rows of None, 'X' and 'O' as a flat board, and the place as (row, column)."""
    cells = [cell for row in board for cell in row]
    flat = [cell or str(place + 1) for place, cell in enumerate(cells)]
    return divmod(Computer(side).best_move(flat), 3)
