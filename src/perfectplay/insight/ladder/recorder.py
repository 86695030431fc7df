"""The record of a search: the tree that it searches, its nodes with their scores, and its steps in order."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Any, NamedTuple, TypeAlias

from perfectplay.bits import bit_numbers
from perfectplay.game import Game, after, canonical
from perfectplay.insight.ladder.bounds import LONGER
from perfectplay.rules.notation import move_name, show_position
from perfectplay.solvers.oracle import TableOracle, solved_oracle
from perfectplay.views.json_facts import Fact, each, json_facts, or_none
from perfectplay.views.result import ResultClass
from perfectplay.words import FIRST, ONGOING, BadPosition, Position, TooBig, Turn

MOST_NODES = 1_000_000
"""The most nodes to count; a few seconds."""

State = Any
"""The position or the place of a node in its source."""


class GameSource:
    """A game from a position on, a state with its side to move; the first side maximises.

    `is_game`: every move at the root gets its exact score, and what is cut stays unknown. `hurries`: quick wins count
    more, and late losses.
    """

    is_game = True

    def __init__(self, game: Game, position: Position, side: int) -> None:
        self.game, self.root, self.hurries = game, (position, side), game.margin is None
        self.smallest = canonical(game)

    def maximising(self, state: Turn) -> bool:
        """Whether the first side moves."""
        return state[1] == FIRST

    def children(self, state: Turn) -> list[tuple[str, Turn]]:
        """The moves by name and where they lead; empty at the end of the game."""
        position, side = state
        if self.game.outcome(*position) != ONGOING:
            return []
        return [
            (move_name(self.game, position, side, move), after(self.game, position, side, move))
            for move in bit_numbers(self.game.moves(*position))
        ]

    def value(self, state: Turn) -> float:
        """The score of a finished game for the first side: its points, where it is played for them."""
        position, side = state
        score = LONGER * self.game.outcome(*position) if self.game.margin is None else self.game.margin(*position)
        return score if side == FIRST else -score

    def key(self, state: Turn) -> Hashable:
        """The position, whoever is to move."""
        return state[0]

    def class_key(self, state: Turn) -> Hashable:
        """The canonical position, whoever is to move."""
        return self.smallest(*state[0])

    @cached_property
    def table(self) -> TableOracle:
        """What is known of the game; raises TooBig if it is neither solved nor small."""
        return solved_oracle(self.game)

    def table_score(self, state: Turn) -> float:
        """The score in the table for the first side; raises TooBig if there is none."""
        position, side = state
        try:
            entry = self.table.lookup(position)
        except BadPosition:
            raise TooBig("not in the table: it cannot be reached from the start") from None
        score = entry.value * (LONGER - (entry.distance or 0)) if entry.margin is None else entry.margin
        return score if side == FIRST else -score

    def node_fields(self, state: Turn) -> dict[str, Any]:
        """The position as text, and to be drawn."""
        return {"position": show_position(self.game, *state), "board": state}


class NumberSource:
    """A tree in which every node but the leaves has the same number of children; a state is (level, index)."""

    is_game = hurries = False

    def __init__(self, leaves: Sequence[float], branching: int, minimise: bool) -> None:
        self.leaves, self.branching, self.minimise = leaves, branching, minimise
        self.root = (0, 0)
        self.levels = 0
        while branching**self.levels < len(leaves):
            self.levels += 1

    def maximising(self, state: tuple[int, int]) -> bool:
        """Whether this level takes the greatest number: every second one."""
        return (state[0] % 2 == 0) != self.minimise

    def children(self, state: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        """The nodes below."""
        level, index = state
        if level == self.levels:
            return []
        return [("", (level + 1, index * self.branching + i)) for i in range(self.branching)]

    def value(self, state: tuple[int, int]) -> float:
        """The number at a leaf."""
        return self.leaves[state[1]]

    def key(self, state: tuple[int, int]) -> Hashable:
        """The node itself: no two are the same."""
        return state

    class_key = key

    def table_score(self, state: tuple[int, int]) -> float:
        """No tree of numbers has a table."""
        raise TooBig("a tree of numbers has no table")

    def node_fields(self, state: tuple[int, int]) -> dict[str, Any]:
        """A leaf that is cut shows its number, too."""
        return {"score": self.leaves[state[1]]} if state[0] == self.levels else {}


Source: TypeAlias = GameSource | NumberSource
"""A tree that can be searched."""


class ScoreRange(NamedTuple):
    """The score of a node, and the least and the greatest score that it can have."""

    score: float
    low: float
    high: float


class Recorder:
    """Counts the visits of a search and keeps the first `most` nodes, and the steps among them."""

    def __init__(self, source: Source, depth: int | None, most: int) -> None:
        self.source, self.depth, self.most = source, depth, most
        self.nodes: list[TreeNode] = []
        self.steps: list[TreeStep] = []
        self.count = self.visits = 0

    def add(self, state: State, parent: int | None, depth: int, move: str, **facts: Any) -> int:
        """Records a node and returns its number; raises TooBig beyond all counting."""
        number = self.count
        self.count += 1
        self.visits += facts.get("kind") != CUT
        if self.visits > MOST_NODES:
            raise TooBig(f"more than {MOST_NODES:,}")
        if number < self.most:
            facts = {
                "kind": SEARCHED,
                "maximising": self.source.maximising(state),
                **self.source.node_fields(state),
                **facts,
            }
            self.nodes.append(TreeNode(number=number, parent=parent, depth=depth, move=move, **facts))
            if facts["kind"] != CUT:
                self.steps.append(TreeStep(ENTER, number))
        return number

    def note(self, number: int, **facts: Any) -> None:
        """Adds facts to a node."""
        if number < self.most:
            self.nodes[number] = replace(self.nodes[number], **facts)

    def back(self, number: int, child: int, best: int, score: float, alpha: float = -inf, beta: float = inf) -> None:
        """Records that the search is back from a child: the best one so far, its score, and the window."""
        if number < self.most:
            self.steps.append(TreeStep(BACK, number, child, best, score, alpha, beta))

    def end(self, state: State, number: int, depth: int, children: Sequence[object], plies: int) -> ScoreRange | None:
        """The score of a node at the end of the game or at the depth limit; None for one that is searched further."""
        if not children:
            score = without_plies(self.source.value(state), plies)
            self.note(number, kind=FINISHED, score=score)
        elif depth == self.depth:
            score = 0
            self.note(number, kind=HORIZON, score=score)
        else:
            return None
        return ScoreRange(score, score, score)

    def cut(self, rest: Sequence[tuple[str, State]], parent: int, depth: int, alpha: float, beta: float) -> None:
        """Records the moves that are cut off."""
        if rest and parent < self.most:
            self.steps.append(TreeStep(CUTS, parent, self.count, alpha=alpha, beta=beta))
        self.add_cut(rest, parent, depth, alpha, beta)

    def add_cut(self, rest: Sequence[tuple[str, State]], parent: int, depth: int, alpha: float, beta: float) -> None:
        """Records nodes that are cut off; in a tree of numbers with all that follows them."""
        for move, state in rest:
            number = self.add(state, parent, depth, move, kind=CUT, alpha=alpha, beta=beta)
            if not self.source.is_game:
                self.add_cut(self.source.children(state), number, depth + 1, -inf, inf)


def without_plies(value: float, plies: int) -> float:
    """The value with so many plies taken off a win or a loss."""
    return value - plies if value > 0 else value + plies if value < 0 else value


def improves(mine: bool, new: float, score: float) -> bool:
    """Whether a score is better than another for the maximiser, or else for the minimiser."""
    return new > score if mine else new < score


# The tree that a search visits: its nodes in the order of their visits, with scores, cuts and cache hits.


SEARCHED, FINISHED, HORIZON, CUT = "searched", "finished", "horizon", "cut"
REPEATED, LOOKED_UP = "repeated", "looked up"
"""The kinds of nodes: searched further, the end of a game, at the depth limit, cut; cached, in a table."""
ENTER, BACK, CUTS = "enter", "back", "cut"
"""The kinds of steps of a search: it enters a node, is back from a child, or cuts the children that are left."""


def finite(number: float) -> float | None:
    """The number; None if it is infinite."""
    return None if number in (-inf, inf) else number


@dataclass(frozen=True, kw_only=True)
class TreeNode(metaclass=ResultClass):
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

    to_dict = json_facts(
        "number",
        "parent",
        "depth",
        Fact("move", encode=or_none),
        "position",
        Fact("maximising", "player", lambda maximising: "max" if maximising else "min"),
        "kind",
        "score",
        Fact("bound", encode=or_none),
        "best",
        "same_as",
        *each("alpha", "beta", encode=finite),
    )


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
