"""Alpha-beta pruning put on top of the cache: scores that were cut off are kept as if they were exact."""

from engine import get_winner, legal_moves, make_move, opponent

cache = {}


def minimax_score(board, current_player, alpha=-10, beta=10):
    key = str(board)
    if key in cache:
        return cache[key]
    winner = get_winner(board)
    if winner:
        best = 10 if winner == "X" else -10
    elif not legal_moves(board):
        best = 0
    else:
        best = -10 if current_player == "X" else 10
        for move in legal_moves(board):
            score = minimax_score(make_move(board, move, current_player), opponent(current_player), alpha, beta)
            if current_player == "X":
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if alpha >= beta:
                break
    cache[key] = best
    return best


def minimax_ai(board, current_player):
    moves = legal_moves(board)
    scores = [minimax_score(make_move(board, move, current_player), opponent(current_player)) for move in moves]
    best = max(scores) if current_player == "X" else min(scores)
    return moves[scores.index(best)]
