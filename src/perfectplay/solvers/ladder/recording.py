"""Minimax, alpha-beta and a cache once more, recording every node: the same visits as the algorithms of the ladder.

They search anything with moves and scores: a game, or a tree of numbers. Scores are for the maximiser.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple, Protocol

from perfectplay.solvers.ladder.search_tree import CUT, FINISHED, HORIZON, REPEATED, SEARCHED, TreeNode
from perfectplay.words import TooBig

COUNTED = 1_000_000
"""The most nodes to count; a few seconds."""

State = Any
"""What a node stands for."""


class Searched(Protocol):
    """What can be searched."""

    root: State
    is_game: bool
    """A game: every move at the root gets its exact score, and what is cut stays unknown."""
    hurries: bool
    """Quick wins count more, and late losses."""

    def maximising(self, state: State) -> bool:
        """Whether the maximiser moves."""

    def children(self, state: State) -> Sequence[tuple[str, State]]:
        """The moves by name and where they lead; empty at the end."""

    def value(self, state: State) -> float:
        """The score of a finished state."""

    def key(self, state: State) -> Hashable:
        """What the cache knows the state by."""

    def drawn(self, state: State) -> dict[str, Any]:
        """The fields of a TreeNode that draw the state."""


class Found(NamedTuple):
    """The score of a node, and the least and the greatest score that it can have."""

    score: float
    low: float
    high: float


class Recorder:
    """Counts the visits of a search and keeps the first `most` nodes."""

    def __init__(self, source: Searched, depth: int | None, most: int) -> None:
        self.source, self.depth, self.most = source, depth, most
        self.nodes: list[TreeNode] = []
        self.count = self.visits = 0

    def add(self, state: State, parent: int | None, depth: int, move: str, **facts: Any) -> int:
        """Records a node and returns its number; raises TooBig beyond all counting."""
        number = self.count
        self.count += 1
        self.visits += facts.get("kind") != CUT
        if self.visits > COUNTED:
            raise TooBig(f"more than {COUNTED:,}")
        if number < self.most:
            facts = {"kind": SEARCHED, "maximising": self.source.maximising(state), **self.source.drawn(state), **facts}
            self.nodes.append(TreeNode(number=number, parent=parent, depth=depth, move=move, **facts))
        return number

    def note(self, number: int, **facts: Any) -> None:
        """Adds facts to a node."""
        if number < self.most:
            self.nodes[number] = replace(self.nodes[number], **facts)

    def end(self, state: State, number: int, depth: int, children: Sequence[object], plies: int) -> Found | None:
        """What a node is worth that is not searched further: at the end of the game, or at the depth limit."""
        if not children:
            score = without_plies(self.source.value(state), plies)
            self.note(number, kind=FINISHED, score=score)
        elif depth == self.depth:
            score = 0
            self.note(number, kind=HORIZON, score=score)
        else:
            return None
        return Found(score, score, score)

    def cut(self, rest: Sequence[tuple[str, State]], parent: int, depth: int, alpha: float, beta: float) -> None:
        """Records the moves that are cut off."""
        for move, state in rest:
            number = self.add(state, parent, depth, move, kind=CUT, alpha=alpha, beta=beta)
            if not self.source.is_game:
                self.cut(self.source.children(state), number, depth + 1, -inf, inf)


def without_plies(value: float, plies: int) -> float:
    """The value with so many plies taken off a win or a loss."""
    return value - plies if value > 0 else value + plies if value < 0 else value


def minimax(tree: Recorder, state: State, number: int, depth: int) -> float:
    """The score from every line to its end."""
    children = tree.source.children(state)
    end = tree.end(state, number, depth, children, 0)
    if end is not None:
        return end.score
    scores = {}
    for move, child in children:
        below = tree.add(child, number, depth + 1, move)
        scores[below] = minimax(tree, child, below, depth + 1)
    best = (max if tree.source.maximising(state) else min)(scores, key=scores.__getitem__)
    tree.note(number, score=scores[best], best=best)
    return scores[best]


def alphabeta(tree: Recorder, state: State, number: int, depth: int, alpha: float = -inf, beta: float = inf) -> Found:
    """The score, or a bound on it outside the window; a win is worth a point less for each ply from the root."""
    children = tree.source.children(state)
    tree.note(number, alpha=alpha, beta=beta)
    end = tree.end(state, number, depth, children, depth if tree.source.hurries else 0)
    if end is not None:
        return end
    full = depth == 0 and tree.source.is_game
    mine = tree.source.maximising(state)
    best, score = None, -inf if mine else inf
    lows, highs = [], []
    for i, (move, child) in enumerate(children):
        below = tree.add(child, number, depth + 1, move)
        found = alphabeta(tree, child, below, depth + 1, *((-inf, inf) if full else (alpha, beta)))
        lows.append(found.low)
        highs.append(found.high)
        if best is None or (found.score > score if mine else found.score < score):
            best, score = below, found.score
        alpha, beta = (max(alpha, score), beta) if mine else (alpha, min(beta, score))
        if alpha >= beta and i + 1 < len(children):
            tree.cut(children[i + 1 :], number, depth + 1, alpha, beta)
            lows.append(-inf)
            highs.append(inf)
            break
    choose = max if mine else min
    low, high = choose(lows), choose(highs)
    bound = "" if low == high else "≥" if score == low else "≤"
    tree.note(number, score=score, best=best, bound=bound)
    return Found(score, low, high)


def cached(tree: Recorder, state: State, number: int, depth: int, cache: dict[Any, tuple[float, int]]) -> float:
    """The score from every position once; a win is worth a point less for each ply from the position.

    The cache keeps scores for the side to move, since a position may occur with either side to move.
    """
    key = tree.source.key(state), None if tree.depth is None else depth
    sign = 1 if tree.source.maximising(state) else -1
    if key in cache:
        score, first = sign * cache[key][0], cache[key][1]
        tree.note(number, kind=REPEATED, score=score, same_as=first)
        return score
    children = tree.source.children(state)
    end = tree.end(state, number, depth, children, 0)
    score = 0.0 if end is None else end.score
    if end is None:
        scores = {}
        for move, child in children:
            below = tree.add(child, number, depth + 1, move)
            scores[below] = without_plies(cached(tree, child, below, depth + 1, cache), int(tree.source.hurries))
        best = (max if tree.source.maximising(state) else min)(scores, key=scores.__getitem__)
        score = scores[best]
        tree.note(number, score=score, best=best)
    cache[key] = sign * score, number
    return score


def with_cache(tree: Recorder, state: State, number: int, depth: int) -> float:
    """The score, with an empty cache at the beginning."""
    return cached(tree, state, number, depth, {})


RECORDED: dict[str, Callable[[Recorder, State, int, int], object]] = {
    "minimax": minimax,
    "alpha-beta": alphabeta,
    "cache": with_cache,
}
"""The searches that can be recorded, by the names of the ladder."""


def recorded(source: Searched, algorithm: str, depth: int | None, most: int) -> Recorder:
    """The nodes that the search visits; raises TooBig, with their number, if there are more than `most`."""
    tree = Recorder(source, depth, most)
    try:
        RECORDED[algorithm](tree, source.root, tree.add(source.root, None, 0, ""), 0)
    except RecursionError:
        raise TooBig("the tree is too deep to be drawn; set depth=...") from None
    except TooBig as many:
        raise too_many(str(many), most) from None
    if tree.count > most:
        raise too_many(f"{tree.visits:,}", most)
    return tree


def too_many(nodes: str, most: int) -> TooBig:
    """The error for a tree of so many nodes."""
    instead = "play more moves first, or set a smaller depth=..."
    return TooBig(f"the tree has {nodes} nodes, too many to draw (at most {most:,}); {instead}")
