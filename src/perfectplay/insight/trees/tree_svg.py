"""A search tree drawn, as SVG and as an HTML page: boards or numbers, scores, cuts and cache hits."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple

from perfectplay.insight.ladder.recorder import CUT, REPEATED, RecordedTree, TreeNode
from perfectplay.insight.trees.tree_words import (
    cut_reason,
    end_text,
    legend,
    level_text,
    score_text,
    title,
    window_text,
)
from perfectplay.rules.notation import number_of
from perfectplay.rules.outputs import ATTRIBUTE, META
from perfectplay.views.scoped_style import RULE, STYLE as BOARD_STYLE, board_size, board_svg, changed_squares

MARGIN, TOP = 16, 52
"""The space around the tree, and above it for the heading."""
GAP = (16, 46)
"""The space between neighbours, and between levels."""
LEAST = (64, 720)
"""The least width of a node, and of the drawing."""
CHIP, LINE, LETTER, BOLD = 20, 16, 6.4, 7.6
"""The heights of a score and of a line of small text; the widths of a letter, about, and of a bold one."""
STYLE = """
.paper { fill: #fff } .band { fill: #f3f5f9 } .level, .legend, .heading { fill: #333; text-anchor: start }
text { font: 12px sans-serif; fill: #222; text-anchor: middle } .heading { font: bold 15px sans-serif }
.level { font-weight: bold }
.edge { stroke: #8a8a8a; stroke-width: 1.2 } .edge.best { stroke: #222; stroke-width: 3 }
.edge.off { stroke: #b5b5b5; stroke-dasharray: 4 4 } .cross { stroke: #c0262d; stroke-width: 2.5; fill: none }
.move { font: bold 12px sans-serif; paint-order: stroke; stroke: #fff; stroke-width: 5px }
.level, .move, .score, .small { dominant-baseline: central }
"""


class Frame(NamedTuple):
    """The measures of a drawing: a board's size, a node's width, a level's height, and the space left and above."""

    board: tuple[int, int]
    slot: float
    level: float
    left: float
    top: float

    @property
    def height(self) -> float:
        """The height of a node."""
        return self.board[1] + CHIP + LINE


def frame_of(tree: RecordedTree, worded: bool) -> Frame:
    """The measures for this tree, with room for a heading if it has one."""
    board = (0, 0) if tree.game is None else board_size(tree.game)
    windows = tree.algorithm == "alpha-beta"
    wide = max(board[0], LEAST[0] + (22 if windows else 0)) if tree.game is not None or windows else 34
    names = max(len(level_text(tree, node)) for node in tree.nodes)
    top = TOP if worded else MARGIN
    return Frame(board, wide + GAP[0], board[1] + CHIP + LINE + GAP[1], 3 * MARGIN + BOLD * names, top)


def tree_svg(tree: RecordedTree, worded: bool = True) -> str:
    """The drawing as the text of an SVG file, with a heading and what it all means unless that stands beside it."""
    frame = frame_of(tree, worded)
    places = tidy([node.parent for node in tree.nodes])
    wide = (max(places) + 1) * frame.slot
    width = max(LEAST[1], frame.left + wide + MARGIN)
    shift = (width - MARGIN + frame.left - wide) / 2
    spots = [
        (shift + (place + 0.5) * frame.slot, frame.top + node.depth * frame.level)
        for place, node in zip(places, tree.nodes, strict=True)
    ]
    legends = legend(tree) if worded else []
    words = [line for text in legends for line in wrap(text, int((width - 2 * MARGIN) / LETTER))]
    below = frame.top + (max(node.depth for node in tree.nodes) + 1) * frame.level
    height = below + 18 * len(words)
    targets = {node.same_as for node in tree.nodes}
    body = [
        f'<rect class="paper" width="{width:g}" height="{height:g}"/>',
        *level_bands(tree, frame, width),
        f'<text class="heading" x="{MARGIN}" y="24">{escape(title(tree))}</text>' if worded else "",
        *(edge(tree, node, spots, frame, targets) for node in tree.nodes[1:]),
        *(node_svg(tree, node, spots[node.number], frame, targets) for node in tree.nodes),
        *(
            f'<text class="legend" x="{MARGIN}" y="{below + 18 * i:g}">{escape(text)}</text>'
            for i, text in enumerate(words)
        ),
    ]
    size = f'{ATTRIBUTE} width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    about = f'class="pp-tree" role="img" aria-label="search tree: {escape(title(tree))}"'
    style = f"<style>{own_rules(BOARD_STYLE + STYLE + NODE_STYLE)}</style>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {about}>\n{style}\n' + "\n".join(body) + "\n</svg>\n"


def own_rules(style: str) -> str:
    """The rules of a style for trees only: a drawing may stand on a page among others."""
    rules = RULE.findall(re.sub(r"/\*.*?\*/", "", style, flags=re.S))
    return "\n".join(
        f"{', '.join(f'.pp-tree {one.strip()}' for one in heads.split(','))} {{ {body.strip()} }}"
        for heads, body in rules
    )


def level_bands(tree: RecordedTree, frame: Frame, width: float) -> list[str]:
    """Who chooses on each level, on a tinted band where the maximiser does."""
    inner = {node.depth: node for node in tree.nodes if node.best is not None}
    bands = []
    for depth, node in sorted(inner.items()):
        y = frame.top + depth * frame.level
        if node.maximising:
            bands.append(f'<rect class="band" x="0" y="{y - 10:g}" width="{width:g}" height="{frame.height + 14:g}"/>')
        mark = "▲" if node.maximising else "▼"
        middle = y + (frame.height - LINE) / 2
        bands.append(f'<text class="level" x="{MARGIN}" y="{middle:g}">{mark} {escape(level_text(tree, node))}</text>')
    return bands


def edge(
    tree: RecordedTree, node: TreeNode, spots: list[tuple[float, float]], frame: Frame, targets: set[int | None]
) -> str:
    """The branch to a node with the name of its move; thick if it gives the score, crossed out if it is cut."""
    assert node.parent is not None
    parent = tree.nodes[node.parent]
    (x, y), (u, v) = spots[parent.number], spots[node.number]
    y += frame.height if small_text(tree, parent, targets) else frame.height - LINE + 2
    kind = " off" if node.kind == CUT else " best" if parent.best == node.number else ""
    svg = f'<line class="edge{kind}" x1="{x:g}" y1="{y:g}" x2="{u:g}" y2="{v:g}"/>'
    if node.kind == CUT and parent.kind != CUT:
        a, b = x + (u - x) * 0.45, y + (v - y) * 0.45
        svg += f'<path class="cross" d="M{a - 6:g} {b - 6:g}l12 12m0 -12l-12 12"/>'
    if node.move:
        a, b = x + (u - x) * 0.78, y + (v - y) * 0.78
        svg += f'<text class="move" x="{a:g}" y="{b:g}">{escape(node.move)}</text>'
    return svg


def node_svg(
    tree: RecordedTree, node: TreeNode, spot: tuple[float, float], frame: Frame, targets: set[int | None]
) -> str:
    """The board of a node, and its score below."""
    x, y = spot
    wide, high = frame.board
    parts = [node_board(tree, node, x - wide / 2, y)] if tree.game is not None else []
    score, half = score_text(tree, node), max(30.0, 9.0 * len(score_text(tree, node)) + 8) / 2
    y += high + 2 if high else 0
    if node.best is not None or (tree.game is None and not score):
        ends = 0 if node.maximising else CHIP / 2
        box = f'x="{x - half:g}" y="{y:g}" width="{2 * half:g}" height="{CHIP}" rx="{ends:g}"'
        parts.append(f'<rect class="chip {score_class(tree, node)}" {box}/>')
    if score:
        parts.append(f'<text class="score" x="{x:g}" y="{y + CHIP / 2:g}">{escape(score)}</text>')
    small = small_text(tree, node, targets)
    if small:
        y = y + LINE if tree.game is not None and not score else y + CHIP + LINE / 2
        text = f'<text class="small" x="{x:g}" y="{y:g}">{escape(small)}</text>'
        parts.append(f'<a href="#n{node.same_as}">{text}</a>' if node.kind == REPEATED else text)
    off = " off" if node.kind == CUT else ""
    return f'<g id="n{node.number}" class="node{off}">{"".join(parts)}</g>'


def small_text(tree: RecordedTree, node: TreeNode, targets: set[int | None]) -> str:
    """The line below a score: the window, why the node is cut, or its number and the node that it repeats."""
    if node.kind == REPEATED:
        return f"= #{node.same_as}"
    if node.number in targets:
        return f"#{node.number}"
    if node.kind == CUT and tree.nodes[node.number - 1].kind == CUT and tree.game is not None:
        return ""  # its sibling has said it
    return cut_reason(tree, node) or window_text(tree, node)


# Where the nodes of a tree stand: none overlap, parents are centred above their children (Reingold, Tilford 1981).


def tidy(parents: Sequence[int | None]) -> list[float]:
    """The horizontal place of each node, in widths of a node from 0; parents come before their children.

    Subtrees are packed once to the left and once to the right; the mean of both is as narrow, and balanced.
    """
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent is not None:
            children[parent].append(node)
    left = pack(parents, children)
    right = pack(parents, [here[::-1] for here in children])
    places = [(x - y) / 2 for x, y in zip(left, right, strict=True)]
    least = min(places)
    return [place - least for place in places]


def pack(parents: Sequence[int | None], children: Sequence[Sequence[int]]) -> list[float]:
    """The place of each node from the root's, each subtree as far to the left as those before it allow."""
    offsets = [0.0] * len(parents)
    outlines: list[tuple[list[float], list[float]]] = [([], [])] * len(parents)
    for node in reversed(range(len(parents))):
        left: list[float] = []
        right: list[float] = []
        places = []
        for child in children[node]:
            its_left, its_right = outlines[child]
            place = max((end + 1 - begin for end, begin in zip(right, its_left, strict=False)), default=0.0)
            places.append(place)
            left += shifted(its_left[len(left) :], place)
            right = shifted(its_right, place) + right[len(its_right) :]
        middle = (places[0] + places[-1]) / 2 if places else 0.0
        for child, place in zip(children[node], places, strict=True):
            offsets[child] = place - middle
        outlines[node] = [0.0, *shifted(left, -middle)], [0.0, *shifted(right, -middle)]
    for node, parent in enumerate(parents):
        if parent is not None:
            offsets[node] += offsets[parent]
    return offsets


def shifted(places: Iterable[float], by: float) -> list[float]:
    """The places, moved."""
    return [place + by for place in places]


# The parts of a node that every drawing of a search tree has: its board, and how its score looks.


NODE_STYLE = """
.chip { stroke: #555; stroke-width: 1.2 } .plain { fill: #fff } .node.off .chip { stroke: #bbb }
.plus { fill: #cfeacd } .minus { fill: #f7cfcb } .zero { fill: #f6ebbd }
.score { font: bold 13px sans-serif } .small { font: 10px sans-serif; fill: #555 } a .small { fill: #2a49a5 }
.node.off > g { opacity: 0.35 } .node.off .score { fill: #999 }
"""


def node_board(tree: RecordedTree, node: TreeNode, x: float, y: float) -> str:
    """The board of a node with its top left corner at this place; the squares that its move has changed are tinted."""
    assert tree.game is not None
    assert node.board is not None
    changed: list[int] = []
    if node.parent is not None:
        before = tree.nodes[node.parent].board
        assert before is not None
        changed = changed_squares(tree.game, before, node.board)
    return f'<g transform="translate({x:g} {y:g})">{board_svg(tree.game, *node.board, changed)}</g>'


def score_class(tree: RecordedTree, node: TreeNode) -> str:
    """The class that colours a score of a game: good for the maximiser, for the minimiser, or even."""
    if tree.game is None:
        return "plain"
    score = node.score or 0
    return "plus" if score > 0 else "minus" if score < 0 else "zero"


# The same as one HTML page: branches fold, and the page zooms; it loads nothing.


PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --faint: #666; --line: #8a8a8a; --cut: #c0262d;
  --plus: #cfeacd; --minus: #f7cfcb; --zero: #f6ebbd; --plain: #fff; --link: #2a49a5 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181c; --faint: #a5a5a5; --line: #777;
  --cut: #ff7b7b; --plus: #23502a; --minus: #67292a; --zero: #57491a; --plain: #16181c; --link: #9db4ff } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.4 system-ui, sans-serif }
header { padding: 12px 16px; position: sticky; left: 0; max-width: 60rem }
h1 { font-size: 18px; margin: 0 0 6px } header p { margin: 2px 0 } button { font: inherit; padding: 2px 10px }
main { padding: 0 16px 24px; width: max-content; min-width: calc(100% - 32px) }
ul { display: flex; justify-content: center; margin: 0; padding: 22px 0 0; list-style: none; position: relative }
main > ul { padding-top: 0 }
li { position: relative; padding: 22px 5px 0; display: flex; flex-direction: column; align-items: center }
li::before, li::after { content: ""; position: absolute; top: 0; right: 50%; width: 50%; height: 22px;
  border-top: 1.5px solid var(--line) }
li::after { right: auto; left: 50%; border-left: 1.5px solid var(--line) }
li:first-child::before, li:last-child::after { border-top: 0 }
main > ul > li::before, main > ul > li::after { display: none }
ul ul::before { content: ""; position: absolute; top: 0; left: 50%; height: 22px; border-left: 1.5px solid var(--line) }
li.best::after { border-left: 4px solid var(--ink); margin-left: -1.5px } li.cut::after { border-left-style: dashed }
details { display: flex; flex-direction: column; align-items: center }
summary, .leaf { display: block; text-align: center; padding: 2px 4px; border-radius: 6px }
summary { cursor: pointer; list-style: none } summary::-webkit-details-marker { display: none }
summary::after { content: "\\25be"; color: var(--faint); font-size: 11px } details:not([open]) > summary::after {
  content: "\\25b8  " attr(data-below) } summary:focus-visible { outline: 2px solid var(--link) }
.move { display: block; font-weight: bold } .score { display: inline-block; font-weight: bold; padding: 0 8px;
  border: 1.5px solid transparent } .inner { border-color: var(--line) } .min { border-radius: 12px }
.inner.plus { background: var(--plus) } .inner.minus { background: var(--minus) }
.inner.zero { background: var(--zero) } small { display: block; color: var(--faint); white-space: nowrap }
.cut > .leaf svg { opacity: 0.45 } .cut > .leaf .score { color: var(--faint); font-weight: normal }
.cut .cross { color: var(--cut); font-weight: bold }
a { color: var(--link) } :target > .leaf, :target > details > summary { outline: 3px solid var(--link) }
svg { display: block; margin: 2px auto }
"""
SCRIPT = """
let scale = 1;
const zoom = (factor) => {
  scale = factor ? Math.min(4, Math.max(0.1, scale * factor)) : 1;
  document.querySelector("main").style.zoom = scale;
};
const fold = (open) => document.querySelectorAll("main details").forEach((one, i) => { one.open = open || i === 0; });
for (const button of document.querySelectorAll("button")) {
  const { zoom: factor, fold: how } = button.dataset;
  button.addEventListener("click", () => (how ? fold(how === "open") : zoom(Number(factor))));
}
addEventListener("hashchange", () => {
  let here = document.getElementById(location.hash.slice(1))?.parentElement;
  for (; here; here = here.parentElement) if (here.tagName === "DETAILS") here.open = true;
});
"""
BUTTONS = (
    '<button data-zoom="1.25" aria-label="zoom in">+</button> <button data-zoom="0.8" aria-label="zoom out">−</button> '
    '<button data-zoom="0">100%</button> <button data-fold="open">unfold all</button> '
    '<button data-fold="close">fold all</button>'
)


def tree_html(tree: RecordedTree) -> str:
    """The page as text."""
    below: dict[int, list[TreeNode]] = {}
    for node in tree.nodes[1:]:
        assert node.parent is not None
        below.setdefault(node.parent, []).append(node)
    words = "".join(f"<p>{escape(line)}</p>" for line in legend(tree))
    heading = escape(title(tree))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{META}<title>{heading}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{BOARD_STYLE}{PAGE_STYLE}</style></head>\n<body><header><h1>{heading}</h1>{words}"
        f"<p>A thick branch gives the score. Click a position to fold what follows it. {BUTTONS}</p></header>\n"
        f"<main>{nested_lists(tree, below)}</main>\n<script>{SCRIPT}</script></body></html>\n"
    )


def nested_lists(tree: RecordedTree, below: dict[int, list[TreeNode]]) -> str:
    """The nodes as lists within lists, without recursion: a tree may be deep."""
    targets = {node.same_as for node in tree.nodes}
    items: dict[int, str] = {}
    for node in reversed(tree.nodes):
        face = face_of(tree, node, targets)
        children = below.get(node.number, [])
        if children:
            inside = "".join(items.pop(child.number) for child in children)
            count = number_of(len(children), "move") if tree.game is not None else ""
            face = f'<details open><summary data-below="{count}">{face}</summary><ul>{inside}</ul></details>'
        else:
            face = f'<div class="leaf">{face}</div>'
        parent = None if node.parent is None else tree.nodes[node.parent]
        best = " best" if parent is not None and parent.best == node.number else ""
        cut = " cut" if node.kind == CUT else ""
        items[node.number] = f'<li id="n{node.number}" class="node{best}{cut}">{face}</li>\n'
    return f"<ul>{items[0]}</ul>"


def face_of(tree: RecordedTree, node: TreeNode, targets: set[int | None]) -> str:
    """The inside of a node: its move, its board, its score and remarks."""
    cross = '<span class="cross">✕ cut</span> ' if node.kind == CUT else ""
    parts = [f'<span class="move">{cross}{escape(node.move)}</span>'] if node.move or cross else []
    if tree.game is not None:
        wide, high = board_size(tree.game)
        parts.append(f'<svg width="{wide}" height="{high}" role="img">{node_board(tree, node, 0, 0)}</svg>')
    if score := score_text(tree, node):
        look = f"{score_class(tree, node)} {'max' if node.maximising else 'min'}"
        inner = " inner" if node.best is not None else ""
        parts.append(f'<span class="score {look}{inner}">{escape(score)}</span>')
    remarks = [
        level_text(tree, node) if node.best is not None else end_text(tree, node),
        window_text(tree, node),
        cut_reason(tree, node),
        f"node #{node.number}" if node.number in targets else "",
    ]
    parts += [f"<small>{escape(remark)}</small>" for remark in remarks if remark]
    if node.kind == REPEATED:
        parts.append(f'<small>= <a href="#n{node.same_as}">node #{node.same_as}</a></small>')
    return "".join(parts)
