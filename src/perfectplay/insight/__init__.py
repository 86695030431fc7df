"""Why: what a position holds, where a game was lost, puzzles, strategies in words."""
