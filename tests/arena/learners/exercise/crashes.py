"""Looks at its two best moves, and has not thought of the last square."""

from dawdles import legal_moves, make_move, minimax_score, opponent


def closeness(move):
    return abs(move[0] - 1) + abs(move[1] - 1)


def minimax_ai(board, current_player):
    sign = 1 if current_player == "X" else -1

    def score(move):
        return sign * minimax_score(make_move(board, move, current_player), opponent(current_player))

    moves = sorted(legal_moves(board), key=score, reverse=True)
    best, second = moves[0], moves[1]
    if score(best) == score(second) and closeness(second) < closeness(best):
        return second
    return best
