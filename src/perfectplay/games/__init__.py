"""One file a game family; the file's name is the game's name.

A file has a docstring whose first line describes the game, a function `game(**sizes) -> Game`, and if it likes
`ALIASES`, well-known names for certain sizes.
"""

BEST_KNOWN = ("tic-tac-toe", "connect-four", "gomoku", "tactic-toe")
"""Names by which most people find their way, shown first and in this order."""
