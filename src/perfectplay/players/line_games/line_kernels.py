"""The loops for boards of lines of any size, compiled once for all of them: patterns without a game's rules."""

from typing import Any

from perfectplay.compiler.compiled import NO_RULES, load_pattern

HERE = "players/line_games"


def load_routes() -> Any:
    """The functions of `line_board.py` and `open_lines_search.py`."""
    return load_pattern([f"{HERE}/line_board", f"{HERE}/open_lines_search"], NO_RULES, "")
