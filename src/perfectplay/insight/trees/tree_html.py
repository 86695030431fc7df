"""A search tree as one HTML page: branches fold, and the page zooms; it loads nothing."""

from html import escape

from perfectplay.insight.ladder.recorder import CUT, REPEATED, RecordedTree, TreeNode
from perfectplay.insight.trees.tree_svg import node_board, score_class
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
from perfectplay.rules.outputs import META
from perfectplay.views.scoped_style import STYLE as BOARD_STYLE, board_size

STYLE = """
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
        f"<style>{BOARD_STYLE}{STYLE}</style></head>\n<body><header><h1>{heading}</h1>{words}"
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
