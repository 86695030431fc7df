"""The texts of a search tree, drawn or in lines: who moves, scores, windows, cuts, and what they mean."""

from collections.abc import Iterator
from math import inf

from perfectplay.insight.ladder.recorder import CUT, FINISHED, HORIZON, REPEATED, RecordedTree, TreeNode

VALUES = "A win for {first} scores +{top}, a win for {second} −{top}, a draw 0."
FROM_THE_ROOT = (
    "A win for {first} scores {top} minus the plies from the root, a win for {second} the negative, a draw 0."
)
FROM_THE_POSITION = (
    "A win for {first} scores {top} minus the plies that it takes from the position, a win for {second} the negative, "
    "a draw 0."
)
RULES = {
    "minimax": VALUES,
    "alpha-beta": FROM_THE_ROOT,
    "cache": FROM_THE_POSITION,
    "symmetry": FROM_THE_POSITION,
    "flags": VALUES,
    "table": FROM_THE_POSITION,
}
"""The meaning of a score in a game, by algorithm."""
WINDOWED = ("alpha-beta", "flags")
"""The algorithms that search with a window."""
POINTS = "A score is the number of points by which {first} is ahead, negative if {second} is."
"""Its meaning in a game for points."""


def number_text(tree: RecordedTree, number: float) -> str:
    """A score with its sign: +9, 0, −7; in a tree of numbers without a plus. An open bound is infinite."""
    if number in (inf, -inf):
        return "∞" if number > 0 else "−∞"
    return f"{number:{'+g' if tree.game is not None else 'g'}}".replace("-", "−") if number else "0"


def score_text(tree: RecordedTree, node: TreeNode) -> str:
    """The score of a node, with the sign of a bound, and a question mark at the depth limit; a cut has none."""
    if node.score is None:
        return ""
    return f"{node.bound}{number_text(tree, node.score)}{'?' if node.kind == HORIZON else ''}"


def window_text(tree: RecordedTree, node: TreeNode) -> str:
    """The window of alpha-beta when the node was entered; empty for leaves and other algorithms."""
    if tree.algorithm not in WINDOWED or node.best is None:
        return ""
    return f"α {number_text(tree, node.alpha)}, β {number_text(tree, node.beta)}"


def cut_reason(tree: RecordedTree, node: TreeNode) -> str:
    """Why the node is cut: alpha has reached beta at its parent."""
    if node.kind != CUT or node.alpha == -inf or node.beta == inf:
        return ""
    return f"α {number_text(tree, node.alpha)} ≥ β {number_text(tree, node.beta)}"


def level_text(tree: RecordedTree, node: TreeNode) -> str:
    """Who chooses in this node: X to move, max."""
    choice = "max" if node.maximising else "min"
    if tree.game is None or node.board is None:
        return choice
    return f"{tree.game.look.sides[node.board[1]]} to move: {choice}"


def end_text(tree: RecordedTree, node: TreeNode) -> str:
    """How a finished game ended; empty in other nodes."""
    if tree.game is None or node.kind != FINISHED or node.score is None:
        return ""
    sides, points = tree.game.look.sides, f" by {abs(node.score):g}" if tree.top is None else ""
    return "draw" if node.score == 0 else f"{sides.first if node.score > 0 else sides.second} wins{points}"


def title(tree: RecordedTree) -> str:
    """The heading: the game and its position, the algorithm and the depth."""
    where = "tree of numbers" if tree.game is None else f"{tree.game.name} from {tree.root.position}"
    depth = "" if tree.depth is None else f" to depth {tree.depth}"
    return f"{where}, {tree.algorithm}{depth}"


def counts(tree: RecordedTree) -> str:
    """The number of nodes of each kind."""
    visits = f"{tree.visited:,} nodes visited"
    if tree.cut:
        visits += f", {tree.cut:,} cut off" + (" with all that follows them" if tree.game is not None else "")
    if tree.repeated:
        visits += f", {tree.repeated:,} of them found in the cache"
    return f"{visits}; the root is worth {score_text(tree, tree.root)}."


def legend(tree: RecordedTree) -> list[str]:
    """The sentences that explain the drawing."""
    lines = [counts(tree)]
    if tree.game is not None:
        first, second = tree.game.look.sides.first, tree.game.look.sides.second
        lines.append(
            f"{first} maximises, {second} minimises. "
            + (POINTS if tree.top is None else RULES[tree.algorithm]).format(first=first, second=second, top=tree.top)
        )
    if any(node.kind == HORIZON for node in tree.nodes):
        lines.append(f"Games that are not over at depth {tree.depth} are taken for draws: 0?")
    if tree.algorithm in WINDOWED:
        full = " Each move at the root gets a full window."
        lines.append(
            "α: what the maximiser is sure of. β: what the minimiser is sure of. Once α ≥ β, the other branches are "
            "cut (✕)." + (full if tree.game is not None and tree.algorithm == "alpha-beta" else "")
        )
    if tree.repeated:
        image = ", turned or mirrored" if tree.algorithm == "symmetry" else ""
        lines.append(f"= node #N: the same position as node N{image}, which was searched first.")
    return lines


# A search tree as lines of text.


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
