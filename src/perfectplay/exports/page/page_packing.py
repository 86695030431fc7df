"""A solved game as compressed bytes: planes of small numbers, one after another.

Four bytes hold the length of a JSON header: all short data, and for each plane its name, its length, the bytes of a
number, and 1 if it holds differences. The planes follow, as numbers or differences, whichever is smaller; wide numbers
are stored lowest bytes first, which compresses better.
"""

import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.exports.page.page_solution import Carried, Edge, seen_by_second
from perfectplay.players.models.game_graph import Graph
from perfectplay.players.models.level_policies import ladder
from perfectplay.players.models.levels import USUAL
from perfectplay.players.models.policies import streetwise, uniform
from perfectplay.rules.notation import moves_are_squares
from perfectplay.words import Entry

Plane = NDArray[np.uint32]


def packed(carried: Carried, graph: Graph) -> bytes:
    """The game with its values, compressed."""
    numbers = [graph.number(position) for position in carried.positions]
    entries = [grade_of(graph.entry(number)) for number in numbers]
    grades, won = {entry: i for i, entry in enumerate(sorted(set(entries)))}, rows_by_number(carried)
    edges = [edge for here in carried.edges for edge in here]
    fresh = first_met(edges)
    planes = {
        "counts": [len(here) for here in carried.edges],
        "labels": [edge.label for edge in edges],
        "fresh": np.packbits(np.array(fresh, bool)).tolist(),
        "children": [edge.child for edge, new in zip(edges, fresh, strict=True) if not new],
        "images": [edge.image for edge, new in zip(edges, fresh, strict=True) if not new],
        "boards": [code for column in zip(*carried.boards, strict=True) for code in column],
        "grades": [grades[entry] for entry in entries],
        "rows": [won[rows] for rows in carried.rows],
        "chosen": np.packbits(np.array(streetwise_choices(carried, graph, numbers), bool)).tolist(),
    }
    if carried.game.again is not None:
        planes["again"] = np.packbits(np.array([edge.again for edge in edges], bool)).tolist()
    about = {
        "squares": carried.squares,
        "second": seen_by_second(carried.game),
        "labels": [list(label) for label in carried.labels],
        "labelled": carried.labelled,
        "grades": [[value, None if distance < 0 else distance, *margin] for value, distance, *margin in grades],
        "rows": list(won),
        "levels": [[float(level.noise), level.sight] for level in ladder(graph)],
        "usual": [[float(level.noise), level.sight] for level in USUAL],
        "numbered": moves_are_squares(carried.game),
        "counted": plies_are_counted(carried),
    }
    return zlib.compress(written(about, planes), 9)


def grade_of(entry: Entry) -> tuple[int, ...]:
    """The entry as numbers that can be sorted: its value, its distance or -1, and in games for points its margin."""
    distance = -1 if entry.distance is None else entry.distance
    return (entry.value, distance) if entry.margin is None else (entry.value, distance, entry.margin)


def written(about: dict[str, Any], planes: dict[str, list[int]]) -> bytes:
    """The numbers as bytes."""
    sizes, content = [], []
    for name, numbers in planes.items():
        plane: Plane = np.array(numbers, np.uint32)
        width = max(1, (max(numbers, default=0).bit_length() + 7) // 8)
        steps = np.diff(plane, prepend=np.uint32(0))
        ways = [by_bytes(plane, width), by_bytes(steps, width)]
        sizes_packed = [len(zlib.compress(way, 9)) for way in ways]
        best = sizes_packed.index(min(sizes_packed))
        sizes.append([name, plane.size, width, best])
        content.append(ways[best])
    head = json.dumps({**about, "planes": sizes}, separators=(",", ":")).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, *content])


def by_bytes(plane: Plane, width: int) -> bytes:
    """All lowest bytes of the numbers, then all next, as many as are wanted."""
    return plane.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].T.tobytes()


def first_met(edges: list[Edge]) -> list[bool]:
    """For each edge whether it is the first to its class; those lead to class 1, 2, 3 and so on."""
    met, found = 0, []
    for edge in edges:
        found.append(edge.child == met + 1)
        met += found[-1]
    return found


def rows_by_number(carried: Carried) -> dict[Any, int]:
    """A number for each set of winning lines; none first."""
    found = {((), ()): 0}
    for rows in carried.rows:
        found.setdefault(rows, len(found))  # type: ignore[arg-type]
    return found


def streetwise_choices(carried: Carried, graph: Graph, numbers: list[int]) -> list[bool]:
    """For each edge whether the street-smart player may choose it."""
    chosen = streetwise(uniform)(graph, False) > 0
    found: list[bool] = []
    for number, position, edges in zip(numbers, carried.positions, carried.edges, strict=True):
        known = graph.edges(number)
        if graph.position(number) == position:  # the same moves in the same order
            found += chosen[known].tolist()
        else:  # an image of it: moves to the same class are chosen alike
            by_target = dict(zip(graph.targets[known].tolist(), chosen[known].tolist(), strict=True))
            targets = ((numbers[edge.child], edge.again) for edge in edges)
            found += [by_target[~child if again else child] for child, again in targets]
    return found


def plies_are_counted(carried: Carried) -> bool:
    """Whether the position tells how many plies were made, and so which side is to move."""
    game = carried.game
    if game.plies_left is None or game.again is not None:
        return False
    left = game.plies_left(*game.start)
    plies = {0: 0}
    for number, edges in enumerate(carried.edges):
        for edge in edges:
            plies.setdefault(edge.child, plies[number] + 1)
    return all(left - game.plies_left(*here) == plies[number] for number, here in enumerate(carried.positions))
