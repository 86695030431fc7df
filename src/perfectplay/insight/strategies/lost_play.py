"""Where a list of rules fails: the shortest game in which it does, and how likely that is."""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.insight.strategies.kept_result import Followed, Mask, Task
from perfectplay.words import FIRST

ROUNDS = 10_000
"""The most plies that are followed for a probability."""
Spot = tuple[int, bool]
"""The number of a position, and whether our side is to move."""


@dataclass(frozen=True)
class LostPlay:
    """The edges of a game; the last gives the result away, or leads back to the position after `repeats` of them."""

    edges: tuple[int, ...]
    repeats: int | None


def lost_play(followed: Followed) -> LostPlay | None:
    """The shortest game in which our side gives the result away, or one that never ends; None if there is none."""
    task, graph = followed.task, followed.task.graph
    begin: Spot = (task.start, task.side == FIRST)
    before: dict[Spot, tuple[Spot, int] | None] = {begin: None}
    left = deque([begin])
    while left:
        here = left.popleft()
        number, own = here
        for edge in range(int(graph.firsts[number]), int(graph.firsts[number + 1])):
            if own and not followed.allowed[edge]:
                continue
            if own and not task.good[edge]:
                return LostPlay((*way_to(before, here), edge), None)
            child = (int(graph.children[edge]), own == bool(graph.again[edge]))
            if child not in before:
                before[child] = (here, edge)
                left.append(child)
    return endless_play(followed, before) if task.must_end else None


def way_to(before: dict[Spot, tuple[Spot, int] | None], here: Spot) -> list[int]:
    """The edges that lead there."""
    way = []
    last = before[here]
    while last is not None:
        way.append(last[1])
        last = before[last[0]]
    return way[::-1]


def endless_play(followed: Followed, before: dict[Spot, tuple[Spot, int] | None]) -> LostPlay | None:
    """A game that never ends, if there is one."""
    graph, (ours, theirs) = followed.task.graph, followed.endless
    here = next((spot for spot in before if (ours if spot[1] else theirs)[spot[0]]), None)
    if here is None:
        return None
    way, seen = way_to(before, here), {}
    while here not in seen:
        seen[here] = len(way)
        number, own = here
        for edge in range(int(graph.firsts[number]), int(graph.firsts[number + 1])):
            child = (int(graph.children[edge]), own == bool(graph.again[edge]))
            if (not own or followed.allowed[edge]) and (ours if child[1] else theirs)[child[0]]:
                way.append(edge)
                here = child
                break
    return LostPlay(tuple(way), seen[here])


def probability_of_error(task: Task, allowed: Mask) -> float:
    """How likely our side gives the result away if it plays any allowed move, and the other side any legal one."""
    graph, size = task.graph, task.graph.counts.size
    followed = task.followed(allowed)
    mass: dict[bool, NDArray[Any]] = {True: np.zeros(size), False: np.zeros(size)}
    mass[task.side == FIRST][task.start] = 1.0
    own = np.where(followed.own_edges, 1.0, 0.0)
    total = graph.gathered(np.add, own, np.zeros(size))
    weights = {True: own / np.maximum(total, 1)[graph.parents], False: 1 / graph.counts[graph.parents]}
    lost = 0.0
    for _ in range(ROUNDS):
        flow = {side: mass[side][graph.parents] * weights[side] for side in (True, False)}
        lost += float(flow[True][~task.good].sum())
        flow[True][~task.good] = 0
        mass = {
            side: np.bincount(graph.children, np.where(graph.again, flow[side], flow[not side]), size) * graph.going
            for side in (True, False)
        }
        if mass[True].sum() + mass[False].sum() < 1e-9:
            break
    return lost
