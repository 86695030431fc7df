"""Reviews in the terminal: the moves with their judgements, boards at mistakes, the value curve, the summary."""

from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

from perfectplay.commands.play.reviewing import totals
from perfectplay.commands.play.reviews import Review, ReviewedMove, better_text, judgement_text
from perfectplay.commands.play.value_curve import value_curve
from perfectplay.commands.terminal.draw_board import FAINT, drawn_board
from perfectplay.commands.terminal.terminal import say
from perfectplay.game import Game, after
from perfectplay.insight.judging import BEST, BLUNDER, GOOD, INACCURACY, MISTAKE, SERIOUS
from perfectplay.insight.practice import FLAWLESS
from perfectplay.rules.notation import number_of

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
