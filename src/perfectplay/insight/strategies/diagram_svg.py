"""A decision diagram as SVG: a box for each question, from left to right, with a line for each answer."""

from html import escape
from typing import Any

Facts = dict[str, Any]
ROW, GAP, APART = 22, 90, 18
"""The height of a line in a box, and how far boxes are apart across and down."""
LETTER, NARROW = 8, 110
"""The width of a letter at most, and of the narrowest box."""
DIAGRAM_STYLE = """
.diagram text { font: 14px system-ui, sans-serif; fill: currentColor } .diagram .asked { font-weight: 600 }
.diagram rect { fill: Canvas; stroke: currentColor; stroke-width: 1.2 } .diagram path { fill: none; stroke: #888;
  stroke-width: 1.4 } .diagram .play { font-weight: 600 } .diagram line { stroke: #8886 }
"""


def diagram_svg(questions: list[Facts]) -> str:
    """The drawing; the questions are as JSON shows them."""
    columns = depths(questions)
    wide = max(NARROW, *(LETTER * text_length(question) + 16 for question in questions))
    places: dict[int, tuple[int, int]] = {}
    heights: dict[int, int] = {}
    for question in sorted(questions, key=lambda one: columns[one["question"]]):
        column = columns[question["question"]]
        places[question["question"]] = (column * (wide + GAP) + 1, heights.get(column, 1))
        heights[column] = heights.get(column, 1) + box_height(question) + APART
    width = (max(columns.values()) + 1) * (wide + GAP) - GAP + 2
    height = max(heights.values()) - APART + 2
    for number, (x, y) in places.items():
        places[number] = (x, y + (height - heights[columns[number]] + APART - 2) // 2)
    lines = "".join(arrows(question, places, wide) for question in questions)
    boxes = "".join(box(question, *places[question["question"]], wide) for question in questions)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" aria-label="The decision diagram; the table below says the same">'
        f"{lines}{boxes}</svg>"
    )


def depths(questions: list[Facts]) -> dict[int, int]:
    """For each question how many others can come before it at most."""
    found = {question["question"]: 0 for question in questions}
    for question in questions:  # each comes before those to which it leads
        for way in question["ways"].values():
            if "question" in way:
                found[way["question"]] = max(found[way["question"]], found[question["question"]] + 1)
    return found


def text_length(question: Facts) -> int:
    """The number of letters in the longest line of a question's box."""
    lines = (len(content) + len(str(way.get("move", "123"))) + 4 for content, way in question["ways"].items())
    return max(len(question["square"]) + 5, *lines)


def box_height(question: Facts) -> int:
    """The height of a question's box."""
    return ROW * (len(question["ways"]) + 1)


def box(question: Facts, x: int, y: int, wide: int) -> str:
    """The box of a question: the square, and a line for each content."""
    parts = [
        f'<rect x="{x}" y="{y}" width="{wide}" height="{box_height(question)}" rx="5"/>',
        f'<text class="asked" x="{x + 8}" y="{y + 16}">{question["question"]}. {escape(question["square"])}?</text>',
        f'<line x1="{x}" x2="{x + wide}" y1="{y + ROW}" y2="{y + ROW}"/>',
    ]
    for line, (content, way) in enumerate(question["ways"].items(), 1):
        below = y + line * ROW + 16
        shown = "empty" if content == "." else content
        parts.append(f'<text x="{x + 8}" y="{below}">{escape(shown)}</text>')
        to = way["move"] if "move" in way else f"→ {way['question']}"
        kind = "play" if "move" in way else "next"
        parts.append(f'<text class="{kind}" x="{x + wide - 8}" y="{below}" text-anchor="end">{escape(to)}</text>')
    return "".join(parts)


def arrows(question: Facts, places: dict[int, tuple[int, int]], wide: int) -> str:
    """The lines from a question to those that follow it."""
    x, y = places[question["question"]]
    found = []
    for line, way in enumerate(question["ways"].values(), 1):
        if "question" in way:
            to_x, to_y = places[way["question"]]
            begin, end = (x + wide, y + line * ROW + ROW // 2), (to_x, to_y + ROW // 2)
            middle = (begin[0] + end[0]) // 2
            found.append(f'<path d="M{begin[0]} {begin[1]}C{middle} {begin[1]} {middle} {end[1]} {end[0]} {end[1]}"/>')
    return "".join(found)
