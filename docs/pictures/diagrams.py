"""Draws the diagrams of the explanation pages as SVG, by the algorithms that they explain: `make pictures`."""

import re
from math import hypot, log10
from pathlib import Path

from perfectplay import tree

FOLDER = Path(__file__).parent
STYLE = """<style>
text { font: 15px sans-serif; text-anchor: middle; dominant-baseline: central; fill: #222 }
.left { text-anchor: start } .small { font-size: 13px; fill: #555 }
.node { stroke: #444; stroke-width: 1.5 } .edge { stroke: #666; stroke-width: 1.5; fill: none }
.win { fill: #9fd8a4 } .loss { fill: #f2a6a0 } .draw { fill: #f3dd8c } .open, .paper { fill: #fff }
.bar { fill: #7986cb }
</style>
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L10 5 L0 10 z" fill="#666"/></marker></defs>
"""

GRAPH = {"A": "BE", "B": "AC", "C": "BD", "D": "H", "E": "F", "F": "G", "G": "CH", "H": ""}
"""The game of docs/explanation/retrograde-analysis.md: where the moves of each position lead."""
PLACES = {
    "A": (40, 40), "B": (140, 40), "C": (240, 40), "D": (340, 40),
    "E": (40, 130), "F": (140, 130), "G": (240, 130), "H": (340, 130),
}  # fmt: skip
LEGEND = {
    "win": "won for the side to move, with the distance",
    "loss": "lost for the side to move, with the distance",
    "draw": "endless draw",
    "open": "not known yet",
}
Values = dict[str, tuple[str, int]]


def waves(graph: dict[str, str]) -> list[Values]:
    """What retrograde analysis knows after each wave: positions lost or won, with their distances."""
    known: Values = {node: ("loss", 0) for node, after in graph.items() if not after}
    found = [known]
    while True:
        distance, fresh = len(found), {}
        for node in graph.keys() - known.keys():
            values = [known.get(child) for child in graph[node]]
            if ("loss", distance - 1) in values:
                fresh[node] = ("win", distance)
            elif all(value and value[0] == "win" for value in values):
                fresh[node] = ("loss", distance)
        if not fresh:
            return found
        known = {**known, **fresh}
        found.append(known)


def svg(name: str, width: int, height: int, parts: list[str]) -> None:
    """Writes a drawing on white paper, so that it can be read on a dark page, too."""
    body = "\n".join(parts)
    (FOLDER / f"{name}.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'{STYLE}<rect class="paper" width="{width}" height="{height}" rx="8"/>\n{body}\n</svg>\n',
        encoding="utf-8",
    )
    print(f"wrote {name}.svg")


def arrow(start: tuple[float, float], end: tuple[float, float], bend: float, radius: float) -> str:
    """An arrow between two nodes, bent to its left."""
    (x, y), (u, v) = start, end
    length = hypot(u - x, v - y)
    dx, dy = (u - x) / length, (v - y) / length
    cx, cy = (x + u) / 2 + dy * bend, (y + v) / 2 - dx * bend
    x, y, u, v = x + dx * radius, y + dy * radius, u - dx * radius, v - dy * radius
    return f'<path class="edge" marker-end="url(#arrow)" d="M{x:.0f} {y:.0f} Q{cx:.0f} {cy:.0f} {u:.0f} {v:.0f}"/>'


def frame(left: int, top: int, title: str, known: Values) -> list[str]:
    """One picture of the graph, with what is known."""
    place = {node: (left + x, top + y) for node, (x, y) in PLACES.items()}
    parts = [f'<text class="left small" x="{left + 20}" y="{top + 178}">{title}</text>']
    for node, after in GRAPH.items():
        for child in after:
            parts.append(arrow(place[node], place[child], 14 if node in GRAPH[child] else 0, 21))
    for node, (x, y) in place.items():
        value, distance = known.get(node, ("open", 0))
        text = node if value == "open" else f"{node} {'∞' if value == 'draw' else distance}"
        parts.append(f'<circle class="node {value}" cx="{x}" cy="{y}" r="20"/><text x="{x}" y="{y}">{text}</text>')
    return parts


def retrograde() -> None:
    """The waves of retrograde analysis on a game with cycles."""
    steps = waves(GRAPH)
    titles = [
        "0. H is over: the side to move has lost.",
        "1. A move to a loss wins: D and G are won in 1.",
        "2. F has only a move to a win: lost in 2.",
        "3. E has a move to that loss: won in 3.",
    ]
    rest: Values = dict.fromkeys(GRAPH.keys() - steps[-1].keys(), ("draw", 0))
    parts = []
    for number, (title, known) in enumerate(zip(titles, steps, strict=True)):
        parts += frame(number % 2 * 390, number // 2 * 205, title, known)
    parts += frame(0, 410, "4. Nothing changes: A, B and C are endless draws.", {**steps[-1], **rest})
    for line, (kind, text) in enumerate(LEGEND.items()):
        y = 450 + 32 * line
        parts.append(f'<circle class="node {kind}" cx="430" cy="{y}" r="11"/>')
        parts.append(f'<text class="left" x="452" y="{y}">{text}</text>')
    svg("retrograde", 780, 610, parts)


LEAVES = (0, 1, 0, 1, -1, 0, 0, 1, -1)
"""Results for the first player: three moves, three replies to each."""


def search_trees() -> None:
    """What alpha-beta leaves out, in a tree of two plies and in a game."""
    trees = {
        "alpha-beta": tree(leaves=LEAVES, branching=3, algorithm="alpha-beta"),
        "search-tree": tree("tic-tac-toe", position="O:X.X/OO./X..", algorithm="alpha-beta"),
    }
    for name, drawn in trees.items():
        (FOLDER / f"{name}.svg").write_text(drawn.to_svg(), encoding="utf-8")
        print(f"wrote {name}.svg")


def node_counts() -> None:
    """The nodes of each algorithm, from the first table on the page that compares them."""
    page = (FOLDER.parent / "how-to" / "compare-algorithms.md").read_text(encoding="utf-8")
    rows = re.findall(r"^(\S+) +([\d,]+) +\S+ +[\d.]+ ms", page.split("```")[1], re.MULTILINE)
    parts = []
    for line, (name, nodes) in enumerate(rows):
        y, width = 30 + 32 * line, 110 * log10(int(nodes.replace(",", "")))
        parts.append(f'<text class="left" x="20" y="{y}">{name}</text>')
        parts.append(f'<rect class="bar" x="125" y="{y - 11}" width="{width:.0f}" height="22"/>')
        parts.append(f'<text class="left" x="{133 + width:.0f}" y="{y}">{nodes}</text>')
    y = 30 + 32 * len(rows)
    parts.append(f'<text class="left small" x="125" y="{y}">nodes, on a logarithmic scale</text>')
    svg("node-counts", 780, y + 25, parts)


if __name__ == "__main__":
    retrograde()
    search_trees()
    node_counts()
