"""Minimax with a cache; deal-breakers and tie-breakers are two numbers."""

from engine import all_lines, get_winner, legal_moves, make_move, opponent

cache = {}


def minimax_score(board, current_player):
    """Good for X if positive, good for O if negative; quick wins count more."""
    key = str(board)
    if key not in cache:
        winner = get_winner(board)
        moves = legal_moves(board)
        if winner:
            cache[key] = (1 + len(moves)) * (1 if winner == "X" else -1)
        elif not moves:
            cache[key] = 0
        else:
            scores = [minimax_score(make_move(board, move, current_player), opponent(current_player)) for move in moves]
            cache[key] = max(scores) if current_player == "X" else min(scores)
    return cache[key]


def craftiness(board, player):
    pairs = 0
    for line in all_lines():
        values = [board[r][c] for r, c in line]
        if values.count(player) == 2 and values.count(None) == 1:
            pairs += 1
    return pairs


def ai(board, current_player):
    sign = 1 if current_player == "X" else -1
    best_move, best_score = None, None
    for move in legal_moves(board):
        new_board = make_move(board, move, current_player)
        score = (sign * minimax_score(new_board, opponent(current_player)), craftiness(new_board, current_player))
        if best_score is None or score > best_score:
            best_move, best_score = move, score
    return best_move
