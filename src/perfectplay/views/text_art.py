"""A position that squares cannot show, drawn as its text."""

from html import escape

from perfectplay.views.board_art import Box

LETTER_WIDTH, LINE = 0.62, 1.2
"""How wide a letter is, and how far apart lines are, in heights of a letter."""
FILLED = 0.9
"""How much of its box the text takes."""


def text_svg(text: str, box: Box) -> str:
    """The lines of a text in letters of one width, as large as the box allows, in its middle."""
    x, y, wide, high = box
    lines = text.splitlines() or [""]
    longest = max(1, *map(len, lines))
    size = FILLED * min(wide / (longest * LETTER_WIDTH), high / (len(lines) * LINE))
    left, top = x + (wide - longest * LETTER_WIDTH * size) / 2, y + (high - len(lines) * LINE * size) / 2
    spans = [
        f'<text x="{left:.2f}" y="{top + (i + 0.85) * LINE * size:.2f}" xml:space="preserve"'
        f' style="font-family:monospace;text-anchor:start;dominant-baseline:auto;white-space:pre">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]
    return f'<g class="labels" font-size="{size:.3f}">{"".join(spans)}</g>'
