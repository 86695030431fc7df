"""The view of a review: the curve of values, boards at the mistakes, and a summary of each side."""

from typing import TYPE_CHECKING

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import (
    BOARD,
    board,
    boards,
    folded,
    framed,
    more,
    note,
    notes,
    numbered_moves,
    sides_note,
    table,
    valued,
)
from perfectplay.commands.know.board_hints import signed
from perfectplay.commands.play.reviews import better_text, judgement_words
from perfectplay.exports.page.review_curve import curve_of
from perfectplay.insight.judging import BLUNDER, INACCURACY, MISTAKE
from perfectplay.rules.notation import VALUE_NAMES
from perfectplay.views.board_picture import Hints
from perfectplay.views.charts import curve, joined, tag

if TYPE_CHECKING:
    from perfectplay.commands.play.reviews import Review, ReviewedMove

MOST_BOARDS, MOST_MOVES = 8, 200
"""The mistakes that are drawn, and the moves that are listed."""
SIGNS = {INACCURACY: "?!", MISTAKE: "?", BLUNDER: "??"}
"""How chess players mark a move."""
VALUES = {name: value for value, name in VALUE_NAMES.items()}


def review_view(found: "Review") -> Markup:
    """The whole review."""
    faulty = [made for made in found.plies if made.judgement in SIGNS]
    sides = found.match.game.look.sides
    players = "" if not any(found.players) else f"{sides.first}: {found.players[0]}, {sides.second}: {found.players[1]}"
    return framed(
        found.heading,
        note(players),
        sides_note(found.match.game),
        value_curve(found),
        tag("p", tag("strong", found.turned)),
        boards(mistake(found, made) for made in faulty[:MOST_BOARDS]),
        more(len(faulty) - MOST_BOARDS, "moves that gave something away"),
        summary_table(found),
        notes([*(f"{side.side}: {side.practise}" for side in found.summary if side.practise), found.note]),
        folded(
            "All moves",
            table(("ply", "move", "judgement", "value"), (row(made) for made in found.plies[:MOST_MOVES])),
            more(len(found.plies) - MOST_MOVES, "moves"),
        ),
    )


def value_curve(found: "Review") -> Markup:
    """The values over the game, with signs at the moves that gave something away."""
    sides, plies = found.match.game.look.sides, found.plies
    heights = curve_of([made.to_dict() for made in plies], sides.first)
    signs = ["", *(SIGNS.get(made.judgement or "", "") for made in plies)]
    told = [f"{made.ply}. {made.side} {made.move} {made.judgement}: {judgement_words(made)}" for made in plies]
    shown = [text for text, sign in zip(told, signs[1:], strict=True) if sign] or ["nobody gave anything away"]
    letters = {number: f"{number}{sign}" for number, sign in enumerate(signs) if sign}
    return curve(heights, (sides.first, sides.second), f"The value after each ply; {'; '.join(shown)}", letters)


def mistake(found: "Review", made: "ReviewedMove") -> tuple[Markup, Markup]:
    """The position before the move, with what it and the better moves are worth, and what is said of it."""
    game, (position, side) = found.match.game, made.turn
    worth = {made.move: fact_hint(made.after, False)} | {name: fact_hint(made.before, True) for name in made.better}
    numbers = numbered_moves(game, position, side, worth)
    hints: Hints = {numbers[name]: hint for name, hint in worth.items()}
    sign = SIGNS[made.judgement or ""]
    words = joined(
        (
            tag("strong", f"{made.ply}. {made.side} {made.move}{sign}"),
            f" {made.judgement}: {judgement_words(made)}. {made.why} {better_text(made)}",
        )
    )
    return board(game, position, side, hints=hints, size=BOARD), words


def fact_hint(facts: dict[str, object], best: bool) -> tuple[int | None, str, bool]:
    """A hint without a number: distances before and after a move would differ by a ply."""
    margin = facts.get("margin")
    return VALUES.get(str(facts["value"])), signed(margin) if isinstance(margin, int) else "", best


def summary_table(found: "Review") -> Markup:
    """How many moves of each judgement each side made."""
    heads = ("side", "moves", "best", "good", "inaccuracies", "mistakes", "blunders", "not proven", "accuracy")
    return table(
        heads,
        (
            (
                side.side,
                str(side.moves),
                str(side.best),
                str(side.good),
                str(side.inaccuracies),
                str(side.mistakes),
                str(side.blunders),
                side.unproven or "",
                "" if side.accuracy is None else f"{side.accuracy:.0f}%",
            )
            for side in found.summary
        ),
    )


def row(made: "ReviewedMove") -> tuple[object, ...]:
    """A move in the list of all moves."""
    sign, value = SIGNS.get(made.judgement or "", ""), made.after["value"]
    words = valued(None if value is None else str(value), judgement_words(made))
    return str(made.ply), f"{made.side} {made.move}{sign}", made.judgement or "not proven", words
