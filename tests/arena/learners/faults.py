"""What newcomers get wrong: each faulty program is the right one of its exercise with some of its text replaced."""

from pathlib import Path

FOLDER = Path(__file__).parent
FUNCTIONS = {
    "alpha_beta": "my_ai",
    "win_probability": "bestmove",
    "cs50": "minimax",
    "tactic_toe": "ai",
}
"""The function of each exercise that plays."""
FAULTS = {
    "alpha_beta": {
        "three plies": {"if not places:": "if not places or depth == 3:"},
        "bounds kept as values": {
            "self.symbol = symbol\n": "self.symbol, self.cache = symbol, {}\n",
            "score = self.evaluate": "score = self.cache.get(tuple(board)) or self.evaluate",
            "return best\n": "self.cache[tuple(board)] = best\n        return best\n",
        },
        "wins all alike": {"INFINITY - depth if": "1 if", "else depth - INFINITY": "else -1"},
    },
    "win_probability": {
        "hopes for mistakes": {
            "kept = moves_that_keep_the_outcome(state)": "kept = next_states(state)",
            "return min(kept, key=plies_left)": "pass",
        },
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
    },
}
