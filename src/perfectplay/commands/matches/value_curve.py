"""The values of a game as heights: wins of the first side above 0, its losses below."""

from collections.abc import Sequence
from typing import Any

from perfectplay.views.document_text import FARTHEST, NEAREST

LEAST_LONGEST = 8
"""The distance that counts as far, at least."""

Facts = dict[str, Any]
"""Value, distance and perhaps margin of a position, as in JSON."""


def heights(known: Sequence[tuple[Facts, bool]]) -> list[float | None]:
    """The height of each position; the second of a pair says whether the value is meant for the first side.

    A drawn position is 0, and one of which nothing is proven None.
    """
    points = any("margin" in facts for facts, _ in known)
    most = max([1 if points else LEAST_LONGEST, *(size(facts) for facts, _ in known)])
    return [height(facts, mine, size(facts) / most, points) for facts, mine in known]


def size(facts: Facts) -> int:
    """The points by which a position is won or lost, or the plies to its end."""
    number = facts.get("margin") if "margin" in facts else facts["distance"]
    return abs(number) if isinstance(number, int) else 0


def height(facts: Facts, mine: bool, share: float, points: bool) -> float | None:
    """The height of a position; `share` is its distance, or its points, as a share of the most."""
    if facts["value"] is None:
        return None
    if facts["value"] == "draw":
        return 0.0
    near = share if points else 1 - share
    up = FARTHEST + (NEAREST - FARTHEST) * near
    return up if (facts["value"] == "win") == mine else -up
