"""One file a game family; the file's name is the game's name.

A file has a docstring whose first line describes the game, and a function `game(**sizes) -> Game`. Constants tell the
rest, all by sizes as they stand behind the name, where `""` is the game without sizes:

- `GROUP`: one of the groups below,
- `RULES`: the rules in at most five lines of whole sentences,
- `HISTORY`: where the game comes from,
- `RESULTS`: the result with best play, a colon, and where it was published; without that, no source is known to us;
  the tests compute every one of them, in a moment,
- `LARGER`: the same for sizes that take more than that: `make test-all` computes them,
- `REPORTED`: the same for sizes that are too large for any test,
- `ALIASES`: well-known names for certain sizes, or with `""` for the whole family.
"""

GROUPS = ("Rows", "Blocking", "Capture", "Connection", "Territory", "Sowing", "Impartial", "Chess")
"""The kinds of games, as people look for them."""
BEST_KNOWN = ("tic-tac-toe", "connect-four", "gomoku", "tactic-toe")
"""Names by which most people find their way, shown first and in this order."""
