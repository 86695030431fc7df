"""The tree that a search visits: its nodes in the order of their visits, with scores, cuts and cache hits."""

from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from perfectplay.game import Game
from perfectplay.words import Brief, Position, in_notebook

SEARCHED, FINISHED, HORIZON, CUT = "searched", "finished", "horizon", "cut"
REPEATED, LOOKED_UP = "repeated", "looked up"
"""The kinds of nodes: searched further, the end of a game, at the depth limit, cut; cached, in a table."""
ENTER, BACK, CUTS = "enter", "back", "cut"
"""The kinds of steps of a search: it enters a node, is back from a child, or cuts the children that are left."""


@dataclass(frozen=True, kw_only=True)
class TreeNode(metaclass=Brief):
    """A node of a search tree: the move that leads to it, its score for the maximiser, and its kind.

    `kind` is "searched", "finished", "horizon" (the depth limit), "repeated" (found in the cache), "looked up" (in a
    table) or "cut". `alpha` and `beta` are the window of alpha-beta when the node was entered, or when it was cut.
    `bound` is "≤" or "≥" if the score is only a bound. `best` is the number of the child that gives the score,
    `same_as` is that of the node with the same position that was searched first.
    """

    number: int
    parent: int | None
    depth: int
    move: str
    maximising: bool
    kind: str
    score: float | None = None
    bound: str = ""
    best: int | None = None
    same_as: int | None = None
    alpha: float = -inf
    beta: float = inf
    position: str | None = None
    board: tuple[Position, int] | None = field(default=None, repr=False)
    """The position and the side to move, to be drawn."""

    def to_dict(self) -> dict[str, object]:
        """The node as in JSON; an open side of a window is null."""
        return {
            "number": self.number,
            "parent": self.parent,
            "depth": self.depth,
            "move": self.move or None,
            "position": self.position,
            "player": "max" if self.maximising else "min",
            "kind": self.kind,
            "score": self.score,
            "bound": self.bound or None,
            "best": self.best,
            "same_as": self.same_as,
            "alpha": finite(self.alpha),
            "beta": finite(self.beta),
        }

    _repr_html_ = in_notebook


class TreeStep(NamedTuple):
    """A step of a search: what it does in which node, with which child, and what it knows there then.

    `best` is the best child so far, `score` its score, `alpha` and `beta` the window; `child` is the one that the
    search is back from, or the first of those that it cuts.
    """

    kind: str
    node: int
    child: int | None = None
    best: int | None = None
    score: float | None = None
    alpha: float = -inf
    beta: float = inf


def finite(number: float) -> float | None:
    """The number; None if it is infinite."""
    return None if number in (-inf, inf) else number


@dataclass(frozen=True, kw_only=True)
class RecordedTree:
    """The nodes that an algorithm visits or cuts, parents before children, its steps, and what the scores mean."""

    algorithm: str
    nodes: tuple[TreeNode, ...] = field(repr=False)
    steps: tuple[TreeStep, ...] = field(default=(), repr=False)
    game: Game | None = field(default=None, repr=False)
    depth: int | None = None
    top: int | None = None
    """The score of a win, before plies are subtracted; None in a tree of numbers and in a game for points."""

    @property
    def root(self) -> TreeNode:
        """The root."""
        return self.nodes[0]

    @property
    def score(self) -> float:
        """The score of the root for the maximiser; 0 if it has none."""
        return self.root.score or 0

    @property
    def visited(self) -> int:
        """The number of nodes that the search visits, as `compare` counts them."""
        return len(self.nodes) - self.cut

    @property
    def cut(self) -> int:
        """The number of cut nodes; of a game tree their descendants are left out."""
        return sum(node.kind == CUT for node in self.nodes)

    @property
    def repeated(self) -> int:
        """The number of visits answered by the cache."""
        return sum(node.kind == REPEATED for node in self.nodes)
