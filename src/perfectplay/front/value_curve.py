"""The values of a game as a curve in the terminal: wins of the first side above, draws in the middle, losses below."""

from rich.text import Text

from perfectplay.api.reviews import Review
from perfectplay.front.draw_board import FAINT, STYLES
from perfectplay.front.streams import can_print
from perfectplay.insight.judging import SERIOUS
from perfectplay.words import FIRST, SECOND

HIGH = 3
"""The rows of wins, and of losses: the nearer the end or the more points, the farther from the middle."""
MIDDLE = HIGH
TICKS = 10
"""Plies from label to label below the curve."""
MARKS = ("●", "◆", "┤", "─")
PLAIN = ("o", "#", "|", "-")
"""A position, a position after a mistake, the axis, the level of draws; and the same in ASCII."""


def value_curve(review: Review, width: int) -> Text:
    """The curve, within so many columns."""
    point, wrong, axis, level = MARKS if can_print("".join(MARKS)) else PLAIN
    labels = [f"{review.match.game.look.sides[side]} wins" for side in (FIRST, SECOND)]
    room = max(len(label) for label in (*labels, "draw"))
    heights = heights_of(review)
    mistakes = {made.ply for made in review.plies if made.judgement in SERIOUS}
    step = -(-len(heights) // max(10, width - room - 4))
    wide = 2 if step == 1 and 2 * len(heights) + room + 4 <= width else 1
    columns = [range(first, min(first + step, len(heights))) for first in range(0, len(heights), step)]
    picture = Text()
    for row in range(2 * HIGH + 1):
        label = {0: labels[FIRST], MIDDLE: "draw", 2 * HIGH: labels[SECOND]}.get(row, "")
        picture.append(f"{label:>{room}} {axis}", FAINT)
        for plies in columns:
            here = [ply for ply in plies if heights[ply] == row]
            bad = any(ply in mistakes for ply in here)
            if here:
                picture.append(wrong if bad else point, "bold red" if bad else style_of(row))
                picture.append((level if row == MIDDLE else " ") * (wide - 1), FAINT)
            else:
                picture.append((level if row == MIDDLE else " ") * wide, FAINT)
        picture.append("\n")
    picture.append(" " * (room + 2) + ticks(len(heights), step, wide) + "\n", FAINT)
    return picture


def style_of(row: int) -> str:
    """The colour of the side that wins there."""
    return "bold" if row == MIDDLE else STYLES[FIRST] if row < MIDDLE else STYLES[SECOND]


def ticks(count: int, step: int, wide: int) -> str:
    """The numbers of plies below the curve."""
    line = ""
    for ply in range(0, count, TICKS if step == 1 else TICKS * step):
        line = line.ljust(ply // step * wide) + str(ply)
    return line


def heights_of(review: Review) -> list[int | None]:
    """The row of each position, those before the moves and the last; None where the value is not proven."""
    first = review.match.game.look.sides[FIRST]
    known = [(made.before, made.side == first) for made in review.plies]
    last = review.plies[-1]
    known.append((last.after, last.side == first))
    sizes = [number_in(facts) for facts, _ in known]
    most = max([*sizes, 1])
    return [row_of(facts, mine, number_in(facts) / most) for facts, mine in known]


def number_in(facts: dict[str, object]) -> int:
    """The points by which a position is won or lost, or the plies to its end."""
    number = facts["margin"] if facts.get("margin") is not None else facts["distance"]
    return abs(number) if isinstance(number, int) else 0


def row_of(facts: dict[str, object], mine: bool, share: float) -> int | None:
    """The row of a position; `share` is its distance, or its points, as a share of the most."""
    value = facts["value"]
    if value is None or value == "draw":
        return None if value is None else MIDDLE
    near = share if "margin" in facts else 1 - share
    height = 1 + min(HIGH - 1, int(near * HIGH))
    return MIDDLE - height if (value == "win") == mine else MIDDLE + height
