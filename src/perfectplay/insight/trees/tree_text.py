"""A search tree as lines of text."""

from collections.abc import Iterator
from textwrap import wrap

from perfectplay.insight.ladder.search_tree import CUT, REPEATED, RecordedTree, TreeNode
from perfectplay.insight.trees.tree_words import (
    cut_reason,
    end_text,
    legend,
    level_text,
    score_text,
    title,
    window_text,
)
from perfectplay.rules.notation import draw_position

WIDE = 100
"""The width of the sentences below a tree."""


def tree_text(tree: RecordedTree) -> str:
    """The tree: a heading, the board, one line per node, and what it all means."""
    lines = [title(tree), ""]
    if tree.game is not None and tree.root.board is not None:
        lines += [draw_position(tree.game, *tree.root.board), ""]
    words = [line for text in legend(tree) for line in wrap(text, WIDE)]
    return "\n".join([*lines, *node_lines(tree), "", *words])


def node_lines(tree: RecordedTree) -> Iterator[str]:
    """One line per node, below its parent."""
    last = {node.parent: node.number for node in tree.nodes}
    targets = {node.same_as for node in tree.nodes}
    stems = {tree.root.number: ""}
    yield node_text(tree, tree.root, targets)
    for node in tree.nodes[1:]:
        assert node.parent is not None
        ends = last[node.parent] == node.number
        stem = stems[node.parent]
        stems[node.number] = stem + ("   " if ends else "│  ")
        branch = "╳╌" if node.kind == CUT else "└─" if ends else "├─"
        yield f"{stem}{branch} {node_text(tree, node, targets)}"


def node_text(tree: RecordedTree, node: TreeNode, targets: set[int | None]) -> str:
    """The line of a node: its move, its score, and its end, its window or why it is cut."""
    parts = [node.move, score_text(tree, node), f"#{node.number}" if node.number in targets else ""]
    if node.kind == CUT:
        reason = cut_reason(tree, node)
        parts.append(f"cut, {reason}" if reason else "cut")
    elif node.kind == REPEATED:
        parts.append(f"= #{node.same_as}")
    elif node.best is not None:
        parts += [f"({level_text(tree, node)})", window_text(tree, node)]
    else:
        parts.append(end_text(tree, node))
    return "  ".join(part for part in parts if part)
