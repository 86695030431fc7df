"""A decision diagram: questions about single squares that lead to a move.

Each node asks what stands on a square; all ways ask in the same order. Positions that cannot come up do not matter, so
two nodes may be made one if no position that can come up needs different moves after them.
"""

from dataclasses import dataclass
from functools import reduce
from random import Random

import numpy as np
from numpy.typing import NDArray

from perfectplay.insight.strategies.kept_result import Mask, Task
from perfectplay.insight.strategies.small_strategy import (
    Decisions,
    Following,
    closed,
    few_positions,
    safe_choices,
    with_decisions,
)
from perfectplay.insight.strategies.square_contents import Board

Part = dict[int, int]
"""What a node has to decide: for each way in which the squares not asked for yet can be, the moves that will do."""
Open = tuple[Part, list[tuple[int, int]]]
"""A part that has no node yet, and the answers that lead to it: node and content."""
MOST = 2_000
"""The most positions that a diagram decides on."""
WORK, TRIES = 200_000, 150
"""How many squares are looked at in all diagrams together, and the most orders of the squares that are tried."""


@dataclass(frozen=True)
class Node:
    """A node: the square that it asks for, and for each content where to go on: a node, or ~move."""

    square: int
    ways: dict[int, int]


@dataclass(frozen=True)
class Diagram:
    """The nodes of a diagram, the root first; without any, the move that is always made."""

    nodes: tuple[Node, ...]
    root: int
    order: tuple[int, ...]
    decided: dict[int, int]
    """The edge that it decides on in each position that comes up."""

    def move(self, squares: NDArray[np.int16]) -> int:
        """The move that it decides on."""
        at = self.root
        while at >= 0:
            at = self.nodes[at].ways[int(squares[self.nodes[at].square])]
        return ~at


def decision_diagram(task: Task, board: Board, proven: Mask | None) -> Diagram | None:
    """The smallest diagram found; None where a strategy meets too many positions, or squares do not tell them apart."""
    found: list[Diagram] = []
    for choices in safe_choices(task, proven):
        decisions = few_positions(task, choices, MOST)
        if decisions and told_apart(task, board, decisions):
            found.append(best_diagram(task, board, choices, decisions))
    return min(found, key=lambda one: len(one.nodes), default=None)


def told_apart(task: Task, board: Board, decisions: Decisions) -> bool:
    """Whether positions that look alike have a move in common."""
    seen: Part = {}
    for here, edges in decisions.items():
        face = hash(board.ours[here].tobytes())
        seen[face] = seen.get(face, -1) & sum(1 << int(task.graph.moves[edge]) for edge in edges)
    return all(seen.values())


def best_diagram(task: Task, board: Board, choices: Mask, decisions: Decisions) -> Diagram:
    """The smallest of the diagrams for many orders of the squares; each round leaves out positions no longer met."""
    following, rng = Following(task), Random(0)
    contents = board.ours[list(decisions)]
    varied = np.flatnonzero((contents != contents[0]).any(axis=0)).tolist()
    order = sorted(varied, key=lambda square: -int((contents[:, square] > 0).sum()))
    best = diagram(task, board, decisions, order)
    for _ in range(min(TRIES, WORK // contents.size) if order else 0):
        trial = list(best.order)
        trial.insert(rng.randrange(len(trial)), trial.pop(rng.randrange(len(trial))))
        other = diagram(task, board, decisions, trial)
        if len(other.nodes) <= len(best.nodes):
            best = other
            reached = with_decisions(task, best.decided, following)
            if len(reached) < len(decisions):
                decisions = closed(task, choices, reached, following)
                best = min(diagram(task, board, decisions, trial), best, key=lambda one: len(one.nodes))
    reached = with_decisions(task, best.decided, following)
    return Diagram(best.nodes, best.root, best.order, {here: best.decided[here] for here in sorted(reached)})


class Builder:
    """Builds a diagram level by level for one order of the squares."""

    def __init__(self, contents: NDArray[np.int16], masks: list[int], order: list[int]) -> None:
        self.order = order
        self.values: list[list[int]] = []
        self.rest: list[list[int]] = []
        """By level: what a row has on the square, and which row of the next level it goes on as."""
        rows, place = np.unique(contents[:, order], axis=0, return_inverse=True)
        self.place = place.ravel().tolist()
        self.root: Part = {}
        for row, mask in zip(self.place, masks, strict=True):
            self.root[row] = self.root.get(row, -1) & mask
        while rows.shape[1]:
            values = rows[:, 0].tolist()
            rows, place = np.unique(rows[:, 1:], axis=0, return_inverse=True)
            self.values.append(values)
            self.rest.append(place.ravel().tolist())
        self.nodes = [Node(-1, {})]
        """The nodes; the first only leads to the root."""

    def built(self) -> int:
        """Builds all nodes and returns the number of the root."""
        pool: list[Open] = [(self.root, [(0, 0)])]
        for level, square in enumerate(self.order):
            following: list[Open] = []
            for part, asked in pool:
                common = shared(part)
                if common:
                    self.link(asked, ~(common.bit_length() - 1))
                    continue
                children = self.split(level, part)
                whole = united(list(children.values()))
                if whole is not None:
                    following.append((whole, asked))
                    continue
                number = len(self.nodes)
                self.nodes.append(Node(square, {}))
                self.link(asked, number)
                following += [(child, [(number, content)]) for content, child in sorted(children.items())]
            pool = merged(following)
        for part, asked in pool:
            self.link(asked, ~(shared(part).bit_length() - 1))
        return self.nodes[0].ways[0]

    def link(self, asked: list[tuple[int, int]], target: int) -> None:
        """Has these answers lead to a node, or to ~move."""
        for node, content in asked:
            self.nodes[node].ways[content] = target

    def split(self, level: int, part: Part) -> dict[int, Part]:
        """The parts of a part by what stands on the square of this level."""
        values, rest = self.values[level], self.rest[level]
        found: dict[int, Part] = {}
        for row, mask in part.items():
            child = found.setdefault(values[row], {})
            child[rest[row]] = child.get(rest[row], -1) & mask
        return found


def shared(part: Part) -> int:
    """The moves that will do for the whole part."""
    return reduce(int.__and__, part.values())


def united(parts: list[Part]) -> Part | None:
    """One part for all of them, None if they need different moves."""
    found: Part = {}
    for part in parts:
        for row, mask in part.items():
            mask &= found.get(row, -1)
            if not mask:
                return None
            found[row] = mask
    return found


def merged(parts: list[Open]) -> list[Open]:
    """The parts, those made one that can be and have something in common: rows, or a move for all of them."""
    found: list[Open] = []
    commons: list[int] = []
    for part, asked in sorted(parts, key=lambda one: -len(one[0])):
        common = shared(part)
        for place, (other, others) in enumerate(found):
            if not common & commons[place] and (common or part.keys().isdisjoint(other)):
                continue
            whole = united([other, part])
            if whole is not None:
                found[place] = (whole, others + asked)
                commons[place] &= common
                break
        else:
            found.append((part, asked))
            commons.append(common)
    return found


def diagram(task: Task, board: Board, decisions: Decisions, order: list[int]) -> Diagram:
    """The diagram that asks for the squares in this order."""
    graph, positions = task.graph, list(decisions)
    masks = [sum(1 << int(graph.moves[edge]) for edge in decisions[here]) for here in positions]
    contents = board.ours[positions]
    builder = Builder(contents, masks, order)
    root = builder.built()
    nodes = tuple(Node(node.square, {at: to - (to >= 0) for at, to in node.ways.items()}) for node in builder.nodes[1:])
    found = Diagram(nodes, root - (root >= 0), tuple(order), {})
    for here, squares in zip(positions, contents, strict=True):
        move = found.move(squares)
        found.decided[here] = next(edge for edge in decisions[here] if int(graph.moves[edge]) == move)
    return found
