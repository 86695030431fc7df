"""Algorithms of the ladder once more, recording every node: the same visits as those that `compare` counts.

They search anything with moves and scores: a game, or a tree of numbers. Scores are for the maximiser.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from math import inf
from typing import Any, NamedTuple

from perfectplay.insight.ladder.bounds import EXACT, LOWER, UPPER, TableEntry, settles
from perfectplay.insight.ladder.recorder import (
    LOOKED_UP,
    REPEATED,
    Recorder,
    ScoreRange,
    Source,
    State,
    improves,
    without_plies,
)
from perfectplay.words import TooBig

SIGNS = {LOWER: "≥", EXACT: "", UPPER: "≤"}


def minimax(
    tree: Recorder, state: State, number: int, depth: int, key: Callable[[Source, State], Hashable] | None = None
) -> float:
    """The score from every line to its end; or with the key of a state in a cache, from every position once.

    Then a win is worth a point less for each ply from the position, and the cache has the scores for the side to move,
    since a position may occur with either side to move.
    """
    hurry = int(tree.source.hurries and key is not None)
    scores: dict[Hashable, tuple[float, int]] = {}

    def search(state: State, number: int, depth: int) -> float:
        place = number if key is None else (key(tree.source, state), None if tree.depth is None else depth)
        mine = tree.source.maximising(state)
        sign = 1 if mine else -1
        if place in scores:
            score, first = sign * scores[place][0], scores[place][1]
            tree.note(number, kind=REPEATED, score=score, same_as=first)
            return score
        children = tree.source.children(state)
        end = tree.end(state, number, depth, children, 0)
        best, score = None, 0.0 if end is None else end.score
        for move, child in children if end is None else ():
            below = tree.add(child, number, depth + 1, move)
            child_score = without_plies(search(child, below, depth + 1), hurry)
            if best is None or improves(mine, child_score, score):
                best, score = below, child_score
            tree.back(number, below, best, score)
        if end is None:
            tree.note(number, score=score, best=best)
        if key is not None:
            scores[place] = sign * score, number
        return score

    return search(state, number, depth)


def alphabeta(
    tree: Recorder, state: State, number: int, depth: int, alpha: float = -inf, beta: float = inf
) -> ScoreRange:
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
        child_range = alphabeta(tree, child, below, depth + 1, *((-inf, inf) if full else (alpha, beta)))
        lows.append(child_range.low)
        highs.append(child_range.high)
        if best is None or improves(mine, child_range.score, score):
            best, score = below, child_range.score
        alpha, beta = (max(alpha, score), beta) if mine else (alpha, min(beta, score))
        tree.back(number, below, best, score, alpha, beta)
        if alpha >= beta and i + 1 < len(children):
            tree.cut(children[i + 1 :], number, depth + 1, alpha, beta)
            lows.append(-inf)
            highs.append(inf)
            break
    choose = max if mine else min
    low, high = choose(lows), choose(highs)
    bound = "" if low == high else "≥" if score == low else "≤"
    tree.note(number, score=score, best=best, bound=bound)
    return ScoreRange(score, low, high)


def with_flags(tree: Recorder, state: State, number: int, depth: int) -> float:
    """The value by alpha-beta with a transposition table: each entry is exact or a bound, for the side to move."""
    entries: dict[Hashable, tuple[TableEntry, int]] = {}

    def search(state: State, number: int, depth: int, alpha: float, beta: float) -> float:
        children = tree.source.children(state)
        tree.note(number, alpha=alpha, beta=beta)
        end = tree.end(state, number, depth, children, 0)
        if end is not None:
            return end.score
        key = tree.source.key(state), None if tree.depth is None else depth
        mine = tree.source.maximising(state)
        sign = 1 if mine else -1
        low, high = (alpha, beta) if mine else (-beta, -alpha)
        entry, first = entries.get(key, (None, number))
        if entry is not None and settles(entry, low, high):
            known = sign * entry.value
            tree.note(number, kind=REPEATED, score=known, bound=SIGNS[sign * entry.bound], same_as=first)
            return known
        best, score = None, 0.0
        for i, (move, child) in enumerate(children):
            below = tree.add(child, number, depth + 1, move)
            child_score = search(child, below, depth + 1, alpha, beta)
            if best is None or improves(mine, child_score, score):
                best, score = below, child_score
            alpha, beta = (max(alpha, score), beta) if mine else (alpha, min(beta, score))
            tree.back(number, below, best, score, alpha, beta)
            if alpha >= beta:
                tree.cut(children[i + 1 :], number, depth + 1, alpha, beta)
                break
        bound = LOWER if sign * score >= high else UPPER if sign * score <= low else EXACT
        tree.note(number, score=score, best=best, bound=SIGNS[sign * bound])
        entries[key] = TableEntry(int(sign * score), bound, inf), number
        return score

    return search(state, number, depth, -inf, inf)


def from_table(tree: Recorder, state: State, number: int, depth: int) -> float:
    """The score of the position and of each of its moves, looked up."""
    score = tree.source.table_score(state)
    mine = tree.source.maximising(state)
    best, best_score = None, 0.0
    children: Sequence[tuple[str, State]] = tree.source.children(state)
    for move, child in children:
        there = tree.source.table_score(child)
        below = tree.add(child, number, depth + 1, move, kind=LOOKED_UP, score=there)
        child_score = without_plies(there, int(tree.source.hurries))
        if best is None or improves(mine, child_score, best_score):
            best, best_score = below, child_score
        tree.back(number, below, best, best_score)
    tree.note(number, kind=LOOKED_UP, score=score, best=best)
    return score


class Recording(NamedTuple):
    """A search that can be recorded; why a tree of numbers is nothing for it, and whether it searches at all."""

    search: Callable[[Recorder, Any, int, int], object]
    no_numbers: str = ""
    searches: bool = True


RECORDINGS = {
    "minimax": Recording(minimax),
    "alpha-beta": Recording(alphabeta),
    "cache": Recording(partial(minimax, key=lambda source, state: source.key(state)), "finds nothing twice"),
    "symmetry": Recording(partial(minimax, key=lambda source, state: source.class_key(state)), "finds nothing twice"),
    "flags": Recording(with_flags, "finds nothing twice"),
    "table": Recording(from_table, "finds no table", searches=False),
}
"""The searches that can be recorded, by the names of the ladder."""


def record(source: Source, algorithm: str, depth: int | None, most: int) -> Recorder:
    """The nodes that the search visits; raises TooBig, with their number, if there are more than `most`."""
    tree = Recorder(source, depth, most)
    try:
        RECORDINGS[algorithm].search(tree, source.root, tree.add(source.root, None, 0, ""), 0)
    except RecursionError:
        raise TooBig("the tree is too deep to be drawn; set depth=...") from None
    except TooBig as many:
        if tree.visits <= 1:  # no table
            raise
        raise too_many(str(many), most) from None
    if tree.count > most:
        raise too_many(f"{tree.visits:,}", most)
    return tree


def too_many(nodes: str, most: int) -> TooBig:
    """The error for a tree of so many nodes."""
    instead = "play more moves first, or set a smaller depth=..."
    return TooBig(f"the tree has {nodes} nodes, too many to draw (at most {most:,}); {instead}")
