"""The tasks that fold positions into classes, where the start is not symmetric and not all images are reachable.

Positions are then reached one by one, and each class has a weight: the number of its reachable images.
"""

import numpy as np
from numpy.typing import NDArray

from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.out_of_core.chunk_files import packing
from perfectplay.solvers.out_of_core.exchange import Block, cells_for, received
from perfectplay.solvers.out_of_core.layer_file import LayerFile
from perfectplay.solvers.out_of_core.worker_state import Facts, WorkerState, name_of

FOLDED, CLASSES = "folded", "classes"


def fold(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Sends the classes of all positions with their weights; two segments per cell in each section."""
    sent = written = 0
    for step in facts["steps"]:
        with LayerFile(state, part, step) as layer, packing(state.workdir, name_of(FOLDED, step, part)) as folded:
            for cells in layer.chunks():
                keys = layer.keys(cells)
                images = np.empty(keys.size, np.int64)
                state.kernels.canonical_keys(keys, images)
                classes, weights = np.unique(images, return_counts=True)
                state.add_section(folded, classes)
                folded.add_numbers(weights, state.cut(classes))
                sent += keys.size
        written += folded.bytes
    return {"sent": sent, "bytes": written}


def unfold(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Adds up the classes received: sorted keys, then their weights, cell by cell."""
    positions = written = classes = 0
    for step in facts["steps"]:
        with (
            received(state, FOLDED, step, part, cells_for(state, part), facts["combined"]) as blocks,
            packing(state.workdir, name_of(CLASSES, step, part)) as packer,
        ):
            found = [added_up(state, blocks, i, cell) for i, cell in enumerate(state.cells_of(part))]
            for keys, _ in found:
                packer.add_numbers(keys, np.array([0, keys.size]))
            for _, weights in found:
                packer.add_numbers(weights, np.array([0, weights.size]))
                positions += int(weights.sum())
                classes += weights.size
        written += packer.bytes
    return {"received": positions, "positions": classes, "bytes": written, "kept": written}


def added_up(state: WorkerState, blocks: list[Block], i: int, cell: int) -> tuple[Keys, NDArray[np.int64]]:
    """The classes of a partition's cell i, which is `cell` of all, sorted, and their weights."""
    keys: list[Keys] = [np.empty(0, state.cell_kind)]
    weights = [np.empty(0, np.int64)]
    for classes_sent, weights_sent in zip(blocks[::2], blocks[1::2], strict=True):
        keys.append(classes_sent.numbers(i, state.cell_kind))
        weights.append(weights_sent.numbers(i, np.int64, cell))
    classes, places = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.zeros(classes.size, np.int64)
    np.add.at(total, places, np.concatenate(weights))
    return classes, total
