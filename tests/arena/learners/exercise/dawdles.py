"""The exercise's own minimax with a cache: any win is +10, so the first one found will do."""

from engine import get_winner, legal_moves, make_move, opponent

cache = {}


def minimax_score(board, current_player):
    key = str(board)
    if key in cache:
        return cache[key]
    winner = get_winner(board)
    if winner == "X":
        score = 10
    elif winner == "O":
        score = -10
    elif not legal_moves(board):
        score = 0
    else:
        scores = []
        for move in legal_moves(board):
            new_board = make_move(board, move, current_player)
            scores.append(minimax_score(new_board, opponent(current_player)))
        score = max(scores) if current_player == "X" else min(scores)
    cache[key] = score
    return score


def minimax_ai(board, current_player):
    moves = legal_moves(board)
    scores = [minimax_score(make_move(board, move, current_player), opponent(current_player)) for move in moves]
    best = max(scores) if current_player == "X" else min(scores)
    return moves[scores.index(best)]
