"""Views of what a position is worth: the board with hints beside a table of the moves."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import (
    LARGE,
    beside,
    board,
    framed,
    listed,
    more,
    notes,
    numbered_moves,
    position_note,
    sides_note,
    table,
    valued,
)
from perfectplay.commands.know.analysing import TIE_BREAK
from perfectplay.commands.know.board_hints import hints_of, signed
from perfectplay.commands.know.probability import Probability
from perfectplay.rules.notation import VALUE_NAMES, entry_text
from perfectplay.views.board_picture import Hints
from perfectplay.views.charts import bar, joined, tag
from perfectplay.views.numbers import per_cent
from perfectplay.words import entry_of

if TYPE_CHECKING:
    from perfectplay.commands.know.analysing import Analysis, MoveAnalysis
    from perfectplay.commands.learn.explaining import ExplainedMove, Explanation

MOST_MOVES = 24
"""The moves that a table lists."""
VALUES = {name: value for value, name in VALUE_NAMES.items()}
"""The values by their names."""


def analysis_view(found: "Analysis") -> Markup:
    """The board with what each move is worth, the verdict, and the moves in a table."""
    match, best = found.match, () if found.value is None else found.best
    line = "" if found.line is None or not found.line.moves else f"Best line: {found.line}"
    grundy = found.no_grundy if found.grundy is None else f"Its Grundy value is {found.grundy}."
    return framed(
        f"{match.game.name}: {found.text}",
        beside(
            board(match.game, match.position, match.turn, hints=hints_of(found), size=LARGE),
            joined(
                [
                    tag("p", tag("strong", found.verdict)),
                    moves_table(found.moves, best),
                    more(len(found.moves) - MOST_MOVES, "moves"),
                ]
            ),
        ),
        notes([line, grundy if found.grundy is not None or found.no_grundy else "", *remarks(found)]),
        sides_note(match.game),
        position_note(match.text()),
    )


def remarks(found: "Analysis") -> Iterable[str]:
    """What the columns of the table mean, where that is not plain."""
    if any(move.tie_break is not None for move in found.moves):
        yield TIE_BREAK
    if found.against is not None and found.moves:
        mover = found.match.game.look.sides[found.match.turn]
        how = "playing only moves that preserve the result and choosing the likeliest win (marked *)"
        yield f"{mover}'s win probability against {found.against}, {how}."
    if not found.complete:
        yield "Not all is proven: the search reached its limit."


def moves_table(moves: "tuple[MoveAnalysis, ...]", best: tuple[str, ...]) -> Markup:
    """The moves, the best first and marked, with all that is known of them."""
    rows = [
        (
            tag("strong", move.move) if move.move in best else move.move,
            valued(VALUE_NAMES.get(move.value) if move.value is not None else None, move.text),
            "best" if move.move in best else "",
            win_cell(move.probability, move.chosen),
            move.grundy,
            move.tie_break,
        )
        for move in moves[:MOST_MOVES]
    ]
    heads = ("move", "value", "", "win probability", "Grundy value", "tie-break")
    return table(heads, rows, [i for i, row in enumerate(rows) if row[2]]) if rows else Markup("")


def win_cell(found: Probability | None, chosen: bool) -> Markup:
    """A win probability as a bar and a number; a star marks the moves that win most often."""
    if found is None:
        return Markup("")
    words = f"{probability_text(found.win)}{' *' if chosen else ''}"
    return tag("div", bar(float(found.win), "win"), words, style="display:flex;gap:6px;align-items:center")


def probability_text(number: Fraction | float) -> str:
    """A probability in per cent; a fraction as it is, too."""
    return f"{number} ({per_cent(float(number))})" if isinstance(number, Fraction) else per_cent(number)


def explanation_view(found: "Explanation") -> Markup:
    """The board with what each move is worth, and the reasons in sentences."""
    match = found.match
    numbers = numbered_moves(match.game, match.position, match.turn, (move.move for move in found.moves))
    hints: Hints = {
        numbers[move.move]: (VALUES.get(move.value or ""), hint_number(move), bool(move.keeps)) for move in found.moves
    }
    rows = [explained_row(move) for move in found.moves[:MOST_MOVES]]
    return framed(
        f"{match.game.name}: why",
        beside(
            board(match.game, match.position, match.turn, hints=hints, size=LARGE),
            joined(
                [
                    listed(sentence.text for sentence in found.sentences),
                    table(("move", "value", "result", "refutation"), rows) if rows else "",
                    more(len(found.moves) - MOST_MOVES, "moves"),
                ]
            ),
        ),
        sides_note(match.game),
        position_note(match.text()),
    )


def hint_number(move: "ExplainedMove") -> str:
    """The number on the hint of a move."""
    if move.value is None:
        return ""
    number = move.distance if move.margin is None else signed(move.margin)
    return "∞" if number is None else str(number)


def explained_row(move: "ExplainedMove") -> tuple[object, ...]:
    """A move in the table of an explanation."""
    known = VALUES.get(move.value or "")
    words = "not proven" if known is None else entry_text(entry_of(known, move.distance, move.margin))
    keeps = "" if move.keeps is None else "kept" if move.keeps else "given away"
    trap = "" if move.trap is None else f"trap, seen from depth {move.trap}"
    return move.move, valued(move.value, words), keeps, " ".join(move.refutation) or trap
