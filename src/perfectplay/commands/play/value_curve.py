"""The values of a game as a curve in the terminal: wins of the first side above, draws in the middle, losses below."""

from rich.text import Text

from perfectplay.commands.play.reviews import Review
from perfectplay.commands.terminal.draw_board import FAINT, STYLES
from perfectplay.commands.terminal.streams import can_print
from perfectplay.exports.page.review_curve import FARTHEST, NEAREST, curve_of
from perfectplay.insight.judging import SERIOUS
from perfectplay.words import FIRST, SECOND

HIGH = 3
"""The rows of wins, and of losses: the nearer the end or the more points, the farther from the middle."""
MIDDLE = HIGH
TICKS = 5
"""Columns from label to label below the curve."""
WRONG = "bold red"
"""The colour of a mistake."""
MARKS = ("●", "◆", "┤", "─")
PLAIN = ("o", "#", "|", "-")
"""A position, a position after a mistake, the axis, the level of draws; and the same in ASCII."""


def value_curve(review: Review, width: int) -> Text:
    """The curve, within so many columns."""
    point, wrong, axis, level = MARKS if can_print("".join(MARKS)) else PLAIN
    labels = [f"{review.match.game.look.sides[side]} wins" for side in (FIRST, SECOND)]
    room = max(len(label) for label in (*labels, "draw"))
    rows = rows_of(review)
    mistakes = {made.ply for made in review.plies if made.judgement in SERIOUS}
    step = -(-len(rows) // max(10, width - room - 4))
    wide = 2 if step == 1 and 2 * len(rows) + room + 4 <= width else 1
    columns = [range(first, min(first + step, len(rows))) for first in range(0, len(rows), step)]
    picture = Text()
    for row in range(2 * HIGH + 1):
        label = {0: labels[FIRST], MIDDLE: "draw", 2 * HIGH: labels[SECOND]}.get(row, "")
        line = Text(f"{label:>{room}} {axis}", FAINT)
        for plies in columns:
            here = [ply for ply in plies if rows[ply] == row]
            bad = any(ply in mistakes for ply in here)
            between = level if row == MIDDLE else " "
            mark, style = (wrong, WRONG) if bad else (point, style_of(row)) if here else (between, FAINT)
            line.append(mark, style)
            line.append(between * (wide - 1), FAINT)
        line.rstrip()
        picture.append_text(line).append("\n")
    picture.append(" " * (room + 2) + ticks(len(rows), step, wide) + "\n", FAINT)
    return picture


def style_of(row: int) -> str:
    """The colour of the side that wins there."""
    return "bold" if row == MIDDLE else STYLES[FIRST] if row < MIDDLE else STYLES[SECOND]


def ticks(count: int, step: int, wide: int) -> str:
    """The numbers of plies below the curve."""
    line = ""
    for ply in range(0, count, TICKS * step if wide > 1 else 2 * TICKS * step):
        line = line.ljust(ply // step * wide) + str(ply)
    return line


def rows_of(review: Review) -> list[int | None]:
    """The row of each position, those before the moves and the last; None where the value is not proven."""
    curve = curve_of([made.to_dict() for made in review.plies], review.match.game.look.sides[FIRST])
    return [None if height is None else row_of(height) for height in curve]


def row_of(height: float) -> int:
    """The row of a height."""
    if not height:
        return MIDDLE
    part = (abs(height) - FARTHEST) / (NEAREST - FARTHEST)
    up = 1 + min(HIGH - 1, int(part * HIGH))
    return MIDDLE - up if height > 0 else MIDDLE + up
