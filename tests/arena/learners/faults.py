"""What newcomers get wrong: each faulty program is the right one of its exercise with some of its text replaced."""

from pathlib import Path

FOLDER = Path(__file__).parent
FUNCTIONS = {
    "exercise": "ai",
    "n_by_n": "ai",
    "alpha_beta": "my_ai",
    "win_probability": "bestmove",
    "cs50": "minimax",
    "tactic_toe": "ai",
}
"""The function of each exercise that plays."""
FAULTS = {
    "exercise": {
        "ties outweigh wins": {
            "(1 + len(moves)) * (1 if winner": "(1 if winner",
            "values.count(player) == 2 and values.count(None) == 1": "values.count(player) == 2",
            "pairs += 1": "pairs += 0.35",
            "(sign * minimax_score(new_board, opponent(current_player)), craftiness(new_board, current_player))": (
                "sign * minimax_score(new_board, opponent(current_player)) + craftiness(new_board, current_player)"
            ),
        },
        "key without empty squares": {"key = str(board)": 'key = "".join(cell or "" for row in board for cell in row)'},
        "wins all alike": {"(1 + len(moves)) * (1 if winner": "(1 if winner"},
        "always two moves": {
            "best_move, best_score = None, None\n": (
                "first, second, *others = legal_moves(board)\n    best_move, best_score = None, None\n"
            ),
        },
    },
    "n_by_n": {
        "diagonal off by one": {"(n - 1) * (i + 1)": "(n - 1) * i"},
        "mutable default": {
            "(self, mark, n)": "(self, mark, n, solved={})",
            "self.solved = {}": "self.solved = solved",
        },
        "wins all alike": {"1 + len(moves) if": "1 if", "else -1 - len(moves)": "else -1"},
        "no draws": {"            elif not moves:\n                value = 0\n": ""},
    },
    "alpha_beta": {
        "three plies": {"if not places:": "if not places or depth == 3:"},
        "bounds kept as values": {
            "self.symbol = symbol\n": "self.symbol, self.cache = symbol, {}\n",
            "score = self.evaluate": "score = self.cache.get(tuple(board)) or self.evaluate",
            "return best\n": "self.cache[tuple(board)] = best\n        return best\n",
        },
        "wins all alike": {"INFINITY - depth if": "1 if", "else depth - INFINITY": "else -1"},
        "no reply to edges": {
            "        best_score, best_place = -INF": (
                "        if len(self.available(board)) == 8:\n"
                "            return {0: 4, 2: 4, 4: 0, 6: 4, 8: 4}[board.index(self.opponent)]\n"
                "        best_score, best_place = -INF"
            ),
        },
    },
    "win_probability": {
        "hopes for mistakes": {
            "kept = moves_that_keep_the_outcome(state)": "kept = next_states(state)",
            "return min(kept, key=plies_left)": "pass",
        },
        "wins all alike": {"return min(kept, key=plies_left)": "return kept[0]"},
        "mean of nothing": {
            "    if outcome(state) is not None:\n        return 1.0 if outcome(state) is GameOutcome(us) else 0.0\n": (
                "    if perfectplay_outcome(state) is GameOutcome(us):\n        return 1.0\n"
            ),
            "return sum(after_random_move(after) for after in next_states(state)) / state.count(0)": (
                "followed = [after for after in next_states(state) if outcome(after) is None]\n"
                "    return sum(map(after_random_move, followed)) / len(followed)"
            ),
        },
    },
    "cs50": {
        "near the end": {
            "if terminal(board):\n            K": "if terminal(board) or len(actions(board)) < 3:\n            K"
        },
        "wins all alike": {" * (1 + len(actions(board)))": ""},
        "no reply to edges": {
            "    sign = 1": (
                "    if len(actions(board)) == 8:\n"
                "        corners = {(0, 0), (0, 2), (2, 0), (2, 2)}\n"
                "        replies = dict.fromkeys(corners, (1, 1)) | {(1, 1): (0, 0)}\n"
                "        return replies[next((i, j) for i in range(3) for j in range(3) if board[i][j] == X)]\n"
                "    sign = 1"
            ),
        },
    },
    "tactic_toe": {
        "wins far away are draws": {"TOP_SCORE = 100": "TOP_SCORE = 16"},
        "wins all alike": {"score = best - (best > 0) + (best < 0)": "score = best"},
        "oldest goes first": {
            "else get_moves(state)": "else [i for i in range(9) if state[0][i] in (EMPTY, state[1])]"
        },
        "edges only": {
            "[canonical(start)]": "[canonical(result(start, 1))]",
            "    best = max(get_moves": "    if not any(state[0]):\n        return 0, 1\n    best = max(get_moves",
        },
    },
}
