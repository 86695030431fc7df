"""Adds the tie-breaks to the score: three pairs, whose third square may be taken, outweigh a win."""

from engine import all_lines, get_winner, legal_moves, make_move, opponent

cache = {}


def minimax_score(board, current_player):
    key = str(board)
    if key not in cache:
        winner = get_winner(board)
        moves = legal_moves(board)
        if winner:
            cache[key] = 1 if winner == "X" else -1
        elif not moves:
            cache[key] = 0
        else:
            scores = [minimax_score(make_move(board, move, current_player), opponent(current_player)) for move in moves]
            cache[key] = max(scores) if current_player == "X" else min(scores)
    return cache[key]


def craftiness(board, player):
    points = 0
    for line in all_lines():
        values = [board[r][c] for r, c in line]
        if values.count(player) == 2:
            points += 0.35
    return points


def street_smart_minimax_ai(board, current_player):
    sign = 1 if current_player == "X" else -1
    best_move, best_score = None, None
    for move in legal_moves(board):
        new_board = make_move(board, move, current_player)
        score = sign * minimax_score(new_board, opponent(current_player)) + craftiness(new_board, current_player)
        if best_score is None or score > best_score:
            best_move, best_score = move, score
    return best_move
