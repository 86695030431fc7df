"""Reviews in the terminal: the moves with their judgements, boards at mistakes, the value curve, the summary."""

from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

from perfectplay.commands.play.reviewing import totals
from perfectplay.commands.play.reviews import Review, ReviewedMove, better_text, judgement_text
from perfectplay.commands.terminal.draw_board import FAINT, STYLES, drawn_board
from perfectplay.commands.terminal.streams import can_print
from perfectplay.commands.terminal.terminal import say
from perfectplay.exports.page.review_curve import FARTHEST, NEAREST, curve_of
from perfectplay.game import Game, after
from perfectplay.insight.game_review import FLAWLESS
from perfectplay.insight.judging import BEST, BLUNDER, GOOD, INACCURACY, MISTAKE, SERIOUS
from perfectplay.rules.notation import number_of
from perfectplay.words import FIRST, SECOND

JUDGEMENT_STYLES = {
    BEST: "green",
    GOOD: "cyan",
    INACCURACY: "yellow",
    MISTAKE: "bold dark_orange",
    BLUNDER: "bold red",
    None: FAINT,
}
"""The colour of each judgement."""
MOST_DRAWN = 6
"""The most mistakes that are drawn: the turning point and the worst of the others."""
APART = 6
"""The columns between two boards."""


def draw_review(console: Console, review: Review) -> None:
    """Prints one game."""
    heading = review.heading if not any(review.players) else f"{review.heading}; {' against '.join(review.players)}"
    say(console, f"{heading}\n", "bold")
    console.print(value_curve(review, console.width))
    drawn = drawn_plies(review)
    wide = max(len(f"{made.side} {made.move}") for made in review.plies)
    for made in review.plies:
        line = Text(f"{made.ply:>3}. {f'{made.side} {made.move}':<{wide}}  ")
        line.append(judgement_text(made).rstrip(), JUDGEMENT_STYLES[made.judgement])
        console.print(line, soft_wrap=True)
        if made.better:
            say(console, f"       {made.why}")
            say(console, f"       {better_text(made)}", FAINT)
        if made.ply in drawn:
            draw_boards(console, review, made)
    draw_summary(console, review, drawn)


def draw_summary(console: Console, review: Review, drawn: set[int]) -> None:
    """Prints the summary of a game."""
    serious = sum(made.judgement in SERIOUS for made in review.plies)
    console.print()
    for side in review.summary:
        say(console, str(side), "bold")
        if side.practise not in (None, FLAWLESS):
            say(console, f"  To practise: {side.practise}")
    say(console, review.turned)
    if review.note:
        say(console, review.note)
    if serious > len(drawn):
        say(console, f"{len(drawn)} of {number_of(serious, 'mistake')} are drawn; --html draws every move.", FAINT)


def drawn_plies(review: Review) -> set[int]:
    """The mistakes to draw."""
    wrong = [made for made in review.plies if made.judgement in SERIOUS]
    order = sorted(wrong, key=lambda made: (made.ply != review.turning_point, made.judgement != BLUNDER, made.ply))
    return {made.ply for made in order[:MOST_DRAWN]}


def draw_boards(console: Console, review: Review, made: ReviewedMove) -> None:
    """Prints the boards before and after a move, side by side where they fit."""
    game, judged = review.match.game, review.judged[made.ply - 1]
    boards = {
        f"before, {made.side} to move": drawn_board(game, *made.turn, columns=console.width),
        f"after {made.move}": drawn_board(game, *after(game, *made.turn, judged.move), made.turn, console.width),
    }
    wide = sum(max(map(len, [title, *board.plain.splitlines()])) + APART for title, board in boards.items())
    shown = boards if wide <= console.width else dict([*boards.items()][1:])
    console.print(side_by_side([Text(f" {title}\n", FAINT).append_text(board) for title, board in shown.items()]))


def side_by_side(pictures: Sequence[Text]) -> Text:
    """Pictures beside each other, without blanks at the ends of lines."""
    columns = [picture.split("\n") for picture in pictures]
    widths = [max(len(line) for line in column) + APART for column in columns]
    lines = []
    for row in zip_longest(*columns, fillvalue=Text()):
        line = Text()
        for text, width in zip(row, widths, strict=True):
            line.append_text(text).append(" " * (width - len(text)))
        line.rstrip()
        lines.append(line)
    return Text("\n").join(lines)


def draw_games(console: Console, game: Game, reviews: Sequence[Review]) -> None:
    """Prints several games: a line for each, then the summary over all."""
    say(console, f"{game.name}: {number_of(len(reviews), 'game')}\n", "bold")
    wide = max(len(review.result) for review in reviews)
    for number, review in enumerate(reviews, 1):
        accuracy = ", ".join(
            f"{name} {rate(side.accuracy)}" for name, side in zip(names(review), review.summary, strict=True)
        )
        turned = "" if review.turning_point is None else turning(review.plies[review.turning_point - 1])
        say(console, f"{number:>4}. {review.result:<{wide}}  {len(review.plies):>3} plies  {accuracy}{turned}")
    console.print()
    for side in totals(reviews):
        say(console, str(side), "bold")
        if side.practise not in (None, FLAWLESS):
            say(console, f"  To practise: {side.practise}")
    open_moves = sum(review.unproven for review in reviews)
    if open_moves:
        say(console, f"{number_of(open_moves, 'move')} not proven in the time of the searches.")
    say(console, "--game-number 1 shows the first game in full.", FAINT)


def names(review: Review) -> list[str]:
    """What the two sides of a game are called: by player if the record tells it."""
    pairs = zip(review.players, review.summary, strict=True)
    return [f"{player} ({side.side})" if player else side.side for player, side in pairs]


def rate(accuracy: float | None) -> str:
    """An accuracy in per cent."""
    return "not judged" if accuracy is None else f"{accuracy:.0f}%"


def turning(made: ReviewedMove) -> str:
    """The move that decided a game."""
    return f"  decided by {made.ply}. {made.side} {made.move} ({made.judgement})"


# The values of a game as a curve in the terminal: wins of the first side above, draws in the middle, losses below.


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
