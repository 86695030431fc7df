"""What a page carries of a game, as bytes: planes of small numbers, one after another, and compressed.

First four bytes with the length of what follows as JSON: everything that is short, and of each plane its name, its
length and the bytes of a number. Then the planes; of wide numbers all lowest bytes first, which compress better.
"""

import json
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.explain.by_name import policy_named
from perfectplay.explain.graph import Graph
from perfectplay.explain.levels import ladder
from perfectplay.front.web.carried import Carried, seen_by_second
from perfectplay.notation import moves_are_squares

Plane = NDArray[np.uint32]


def packed(carried: Carried, graph: Graph) -> bytes:
    """The game with what its positions are worth, compressed."""
    entries = [(int(graph.values[at]), int(graph.distances[at])) for at in map(graph.number, carried.positions)]
    grades, won = {entry: i for i, entry in enumerate(sorted(set(entries)))}, rows_by_number(carried)
    planes = {
        "counts": [len(edges) for edges in carried.edges],
        "labels": [edge.label for edges in carried.edges for edge in edges],
        "children": children(carried),
        "images": [edge.image for edges in carried.edges for edge in edges],
        "boards": [code for column in zip(*carried.boards, strict=True) for code in column],
        "grades": [grades[entry] for entry in entries],
        "rows": [won[rows] for rows in carried.rows],
        "chosen": np.packbits(np.array(streetwise_choices(carried, graph), bool)).tolist(),
    }
    about = {
        "squares": carried.squares,
        "second": seen_by_second(carried.game),
        "labels": [list(label) for label in carried.labels],
        "labelled": carried.labelled,
        "grades": [[value, None if distance < 0 else distance] for value, distance in grades],
        "rows": list(won),
        "levels": [[float(level.slips), level.sight] for level in ladder(graph)],
        "numbered": moves_are_squares(carried.game),
        "counted": plies_are_counted(carried),
    }
    return zlib.compress(written(about, planes), 9)


def written(about: dict[str, Any], planes: dict[str, Iterable[int]]) -> bytes:
    """The numbers as bytes."""
    sizes, content = [], []
    for name, numbers in planes.items():
        plane: Plane = np.fromiter(numbers, np.uint32)
        width = max(1, (int(plane.max(initial=0)).bit_length() + 7) // 8)
        sizes.append([name, plane.size, width])
        content.append(plane.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].T.tobytes())
    head = json.dumps({**about, "planes": sizes}, separators=(",", ":")).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, *content])


def children(carried: Carried) -> Iterable[int]:
    """For each edge the number of the class it leads to and 1, or 0 for the next class that was not met before."""
    met = 1
    for edges in carried.edges:
        for edge in edges:
            if edge.child == met:
                met += 1
                yield 0
            else:
                yield edge.child + 1


def rows_by_number(carried: Carried) -> dict[Any, int]:
    """A number for each set of rows that have won; none first."""
    found = {((), ()): 0}
    for rows in carried.rows:
        found.setdefault(rows, len(found))  # type: ignore[arg-type]
    return found


def streetwise_choices(carried: Carried, graph: Graph) -> list[bool]:
    """For each edge whether the street-smart player may choose it."""
    shares = policy_named("streetwise", carried.game).shares(graph, False)
    image, found = carried.turns.image, []
    for position, edges in zip(carried.positions, carried.edges, strict=True):
        known = graph.edges(graph.number(position))
        chosen = dict(zip(graph.children[known].tolist(), (shares[known] > 0).tolist(), strict=True))
        for edge in edges:
            found.append(chosen[graph.number(image(*carried.positions[edge.child], edge.image))])
    return found


def plies_are_counted(carried: Carried) -> bool:
    """Whether the game tells how many plies were made, so that one side or the other must be to move."""
    game = carried.game
    if game.draw_in is None:
        return False
    left = game.draw_in(*game.start)
    plies = {0: 0}
    for number, edges in enumerate(carried.edges):
        for edge in edges:
            plies.setdefault(edge.child, plies[number] + 1)
    return all(left - game.draw_in(*here) == plies[number] for number, here in enumerate(carried.positions))
