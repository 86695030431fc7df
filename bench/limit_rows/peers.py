"""Rows of the page of limits: small games solved completely, beside libraries that people know."""

from pathlib import Path

import solving
from limit_rows.row import Found, Row


def beside_open_spiel(_: Path) -> Found:
    """Every position of tic-tac-toe, beside OpenSpiel's value of the start by alpha-beta."""
    ours, theirs = solving.seconds(solving.solver("tic-tac-toe"), 20), solving.open_spiel_alpha_beta()
    return Found(1000 * ours, peer=("OpenSpiel", 1000 * theirs), note="theirs: the value of the start only")


def beside_easy_ai(_: Path) -> Found:
    """Every position of tic-tac-toe, beside easyAI's answer whether the start is won."""
    ours, theirs = solving.seconds(solving.solver("tic-tac-toe"), 20), solving.easy_ai()
    return Found(1000 * ours, peer=("easyAI", 1000 * theirs), note="theirs: whether the start is won")


ROWS = [
    Row("20a", "tic-tac-toe, every position, warm", "ms", 2.6, 5, beside_open_spiel),
    Row("20b", "the same", "ms", 2.6, 5, beside_easy_ai),
]
