"""The parts of a node that every drawing of a search tree has: its board, and how its score looks."""

from perfectplay.insight.ladder.search_tree import RecordedTree, TreeNode
from perfectplay.views.board_svg import board_svg, changed_squares

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
