"""The loops for boards of rows of any size, compiled once for all of them: patterns without a game's rules."""

from typing import Any

from perfectplay.engines.compiled import NO_RULES, load_pattern


def load_routes() -> Any:
    """The functions of `rows.py` and `routes_search.py`."""
    return load_pattern(["rows", "routes_search"], NO_RULES, "")


def load_rows_tree() -> Any:
    """The functions of `rows.py`, `bandit.py` and `rows_tree.py`."""
    return load_pattern(["rows", "bandit", "rows_tree"], NO_RULES, "")


def load_threats() -> Any:
    """The functions of `shapes.py` and `threat_search.py`."""
    return load_pattern(["shapes", "threat_search"], NO_RULES, "")
