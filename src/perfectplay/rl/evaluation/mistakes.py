"""The positions in which a policy gives most away; images of a position count as one."""

import numpy as np
from numpy.typing import NDArray

from perfectplay.rl.evaluation.evaluation_numbers import Rows, number_of
from perfectplay.rl.evaluation.evaluation_parts import Mistake, PolicyMove
from perfectplay.rules.notation import entry_text
from perfectplay.views.board_picture import board_picture

BOARD = 180
"""The longer side of a board, in pixels."""

Floats = NDArray[np.float64]


def costliest(rows: Rows, most: int) -> tuple[Mistake, ...]:
    """Where the policy gives away most in a game: its regret, weighted by how often it gets there."""
    costs = (rows.regrets * rows.mean_reach).astype(float)
    kinds, places = np.unique(rows.classes, return_inverse=True)
    return greatest_mistakes(rows, np.bincount(places, costs, kinds.size).astype(float), costs, places, most)


def worst_by_regret(rows: Rows, most: int) -> tuple[Mistake, ...]:
    """Where the policy gives away most when it gets there; the more often it does, the earlier, if that is equal."""
    regrets = rows.regrets.astype(float)
    kinds, places = np.unique(rows.classes, return_inverse=True)
    largest = np.zeros(kinds.size)
    np.maximum.at(largest, places, regrets)
    reach = np.bincount(places, rows.mean_reach.astype(float), kinds.size)
    order = np.lexsort((reach, np.round(largest, 9)))
    rank = np.zeros(kinds.size)
    rank[order] = np.arange(1, kinds.size + 1)
    return greatest_mistakes(rows, np.where(largest > 0, rank, 0), regrets, places, most)


def greatest_mistakes(
    rows: Rows, ranks: Floats, within: Floats, places: NDArray[np.int64], most: int
) -> tuple[Mistake, ...]:
    """The classes with the highest ranks above 0, each by its image that is greatest within it."""
    best = [kind for kind in np.argsort(-ranks, kind="stable")[:most].tolist() if ranks[kind] > 0]
    mistakes = []
    for kind in best:
        images = np.flatnonzero(places == kind)
        mistakes.append(mistake(rows, images, int(images[np.argmax(within[images])])))
    return tuple(mistakes)


def mistake(rows: Rows, images: NDArray[np.int64], row: int) -> Mistake:
    """A row as a mistake, with all its images."""
    positions, number, side = rows.positions, int(rows.numbers[row]), int(rows.sides[row])
    graph = positions.graph
    edges = np.arange(graph.edges(number).start, graph.edges(number).stop)
    entries = [graph.entry(child) for child in graph.children[edges].tolist()]
    choices = [
        PolicyMove(
            positions.move_name(edge, side),
            number_of(rows.probabilities[side][edge]),
            entry.before(bool(graph.again[edge])),
            number_of(rows.worth.losses[edge]),
            int(graph.moves[edge]),
        )
        for edge, entry in zip(edges.tolist(), entries, strict=True)
    ]
    ordered = tuple(sorted(choices, key=lambda choice: -choice.probability))

    def board() -> str:
        hints = {choice.number: (choice.entry.value, f"{100 * float(choice.probability):.0f}%") for choice in ordered}
        return board_picture(positions.game, positions.position(number), side, hints=hints, size=BOARD, labels=False)

    return Mistake(
        positions.text(number, side),
        graph.entry(number),
        number_of(rows.regrets[row]),
        number_of(rows.mean_reach[row]),
        number_of((rows.regrets[images] * rows.mean_reach[images]).sum()),
        images.size,
        ordered,
        board,
    )


def move_text(choice: PolicyMove) -> str:
    """A move with its probability and what it is worth: b2 62% (loss in 3 plies)."""
    return f"{choice.move} {100 * float(choice.probability):.3g}% ({entry_text(choice.entry)})"
