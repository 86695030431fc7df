"""A strategy that meets few positions: in each one move, chosen so that little new can come up."""

from collections import Counter

from perfectplay.insight.strategies.kept_result import Mask, Task
from perfectplay.words import FIRST

Decisions = dict[int, set[int]]
"""For each position with our side to move the edges from which it may choose."""


class Following:
    """The positions with our side to move that follow an edge, whatever the other side replies."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.known: dict[int, frozenset[int]] = {}

    def after(self, edge: int) -> frozenset[int]:
        """The positions that follow an edge of our side."""
        graph = self.task.graph
        child = int(graph.children[edge])
        if graph.again[edge]:
            return frozenset([child] if graph.going[child] else [])
        return self.after_replies(child)

    def after_replies(self, number: int) -> frozenset[int]:
        """The positions that follow when the other side is to move."""
        graph = self.task.graph
        if number not in self.known:
            found, left, seen = set(), [number], {number}
            while left:
                here = left.pop()
                for edge in range(int(graph.firsts[here]), int(graph.firsts[here + 1])):
                    child = int(graph.children[edge])
                    if not graph.again[edge]:
                        found |= {child} if graph.going[child] else set()
                    elif child not in seen:
                        seen.add(child)
                        left.append(child)
            self.known[number] = frozenset(found)
        return self.known[number]

    def first(self) -> frozenset[int]:
        """The positions in which our side may have its first move."""
        task = self.task
        return frozenset([task.start]) if task.side == FIRST else self.after_replies(task.start)


def few_positions(task: Task, choices: Mask, most: int) -> Decisions | None:
    """Positions that are enough for our side, each with the choices that lead to no others; None if there are too many.

    The choices must be such that any of them will do wherever it is made.
    """
    graph, following = task.graph, Following(task)
    used: Counter[int] = Counter()
    reached, left = set(following.first()), sorted(following.first())
    while left:
        here = left.pop()
        edges = [edge for edge in range(*graph.edges(here).indices(graph.children.size)) if choices[edge]]
        edge = min(edges, key=lambda one: (len(following.after(one) - reached), -used[int(graph.moves[one])], one))
        used[int(graph.moves[edge])] += 1
        fresh = following.after(edge) - reached
        reached |= fresh
        left += sorted(fresh)
        if len(reached) > most:
            return None
    return closed(task, choices, reached, following)


def closed(task: Task, choices: Mask, reached: set[int], following: Following) -> Decisions:
    """For each of these positions the choices that lead to no others."""
    graph = task.graph
    return {
        here: {
            edge
            for edge in range(*graph.edges(here).indices(graph.children.size))
            if choices[edge] and following.after(edge) <= reached
        }
        for here in sorted(reached)
    }


def with_decisions(task: Task, decided: dict[int, int], following: Following) -> set[int]:
    """The positions that come up if our side always makes the move that is decided on."""
    reached, left = set(following.first()), list(following.first())
    while left:
        fresh = following.after(decided[left.pop()]) - reached
        reached |= fresh
        left += fresh
    return reached


def safe_choices(task: Task, proven: Mask | None) -> list[Mask]:
    """Sets of moves such that any choice among them keeps the result, and reaches the end of a game to be won."""
    graph = task.graph
    if not task.must_end:
        return [task.good]
    nearer = (
        task.good & (graph.distances[graph.children] < graph.distances[graph.parents]) & (graph.results == task.value)
    )
    return [nearer] if proven is None else [proven, nearer]
