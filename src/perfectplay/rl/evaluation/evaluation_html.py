"""An evaluation in a notebook: a table, and the costliest mistakes as boards; no script, light and dark."""

from collections.abc import Sequence
from html import escape

from perfectplay.rl.evaluation.evaluated import EvaluationFields
from perfectplay.rl.evaluation.evaluation_parts import Mistake
from perfectplay.rl.evaluation.evaluation_texts import (
    amount_text,
    calibration_text,
    cells,
    regret_text,
    replies_text,
    title,
)
from perfectplay.rules.notation import entry_text

BOARDS = 6
"""The mistakes that are drawn."""
LISTED = 4
"""The moves of a mistake that are listed."""
CELL = "padding:2px 8px;text-align:right;white-space:nowrap"
HEADS = ("against", "win", "draw", "loss", "score", "win", "draw", "loss", "score", "regret a game")


def page(evaluation: EvaluationFields) -> str:
    """The evaluation as HTML."""
    parts = [f"<p><b>{escape(title(evaluation))}</b></p>", table(evaluation)]
    parts += [
        f"<p>{'<br>'.join(escape(line.strip()) for line in lines if line)}</p>"
        for lines in (replies_text(evaluation), regret_text(evaluation), calibration_text(evaluation))
        if lines
    ]
    if evaluation.mistakes:
        boards = "".join(map(figure, evaluation.mistakes[:BOARDS]))
        parts.append(
            "<p>Where it gives away most in a game: signs show what moves are worth, numbers how often it plays them"
            f'</p><div style="display:flex;flex-wrap:wrap;gap:16px">{boards}</div>'
        )
    return f'<div class="perfectplay-evaluation">{"".join(parts)}</div>'


def table(evaluation: EvaluationFields) -> str:
    """The pairings."""
    wide = f'<th style="{CELL};text-align:center" colspan="4">'
    heads = "".join(f'<th style="{CELL}">{escape(head)}</th>' for head in HEADS)
    rows = "".join(f"<tr>{row(cells(pairing))}</tr>" for pairing in evaluation.against.values())
    return (
        f"<table><thead><tr><th></th>{wide}as first</th>{wide}as second</th><th></th></tr><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def row(texts: Sequence[str]) -> str:
    """A row of the table."""
    first, *others = texts
    return f'<th style="{CELL};text-align:left">{escape(first)}</th>' + "".join(
        f'<td style="{CELL}">{escape(text)}</td>' for text in others
    )


def figure(one: Mistake) -> str:
    """A mistake as a board with its moves."""
    moves = "".join(
        f"<li>{'<b>' if choice.keeps else ''}{escape(choice.move)}{'</b>' if choice.keeps else ''} "
        f"{100 * float(choice.probability):.3g}%: {escape(entry_text(choice.entry))}</li>"
        for choice in one.choices[:LISTED]
    )
    more = f"<li>{len(one.choices) - LISTED} more</li>" if len(one.choices) > LISTED else ""
    images = f", {one.images} images" if one.images > 1 else ""
    return (
        f'<figure style="margin:0;max-width:220px">{one.board()}<figcaption><code>{escape(one.position)}</code><br>'
        f"{escape(entry_text(one.entry))}; regret {amount_text(one.regret)}, reach {amount_text(one.reach)}{images}"
        f'<ul style="margin:2px 0;padding-left:1.2em">{moves}{more}</ul></figcaption></figure>'
    )
