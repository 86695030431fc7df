"""The tasks that fold positions into classes, where the start is not symmetric and not all images can be reached.

Then positions are reached one by one, and each class must remember how many of its images were: its weight.
"""

import numpy as np
from numpy.typing import NDArray

from perfectplay.solve.keys import Keys
from perfectplay.solve.spread.level import Level
from perfectplay.solve.spread.parcels import Parcel, packing
from perfectplay.solve.spread.site import Facts, Site, name_of

FOLDED, CLASSES = "folded", "classes"


def fold(site: Site, part: int, facts: Facts) -> Facts:
    """Sends the classes of all positions, each with the number of positions; two segments a cell on each sheet."""
    sent = written = 0
    for step in facts["steps"]:
        with Level(site, part, step) as level, packing(site.workdir, name_of(FOLDED, step, part)) as folded:
            for cells in level.chunks():
                keys = level.keys(cells)
                images = np.empty(keys.size, np.int64)
                site.kernels.canonical_keys(keys, images)
                classes, weights = np.unique(images, return_counts=True)
                site.add_sheet(folded, classes)
                folded.add_numbers(weights, site.cut(classes))
                sent += keys.size
        written += folded.bytes
    return {"sent": sent, "bytes": written}


def unfold(site: Site, part: int, facts: Facts) -> Facts:
    """Adds up the classes that were sent: sorted keys, then their weights, cell by cell."""
    received = written = classes = 0
    for step in facts["steps"]:
        with (
            site.parcels(FOLDED, step) as parcels,
            packing(site.workdir, name_of(CLASSES, step, part)) as packer,
        ):
            found = [added_up(site, parcels, cell) for cell in site.cells_of(part)]
            for keys, _ in found:
                packer.add_numbers(keys, np.array([0, keys.size]))
            for _, weights in found:
                packer.add_numbers(weights, np.array([0, weights.size]))
                received += int(weights.sum())
                classes += weights.size
        written += packer.bytes
    return {"received": received, "positions": classes, "bytes": written, "kept": written}


def added_up(site: Site, parcels: list[Parcel], cell: int) -> tuple[Keys, NDArray[np.int64]]:
    """The classes of a cell, sorted, and their weights."""
    keys: list[Keys] = [np.empty(0, site.cell_kind)]
    weights = [np.empty(0, np.int64)]
    for parcel in parcels:
        for number in range(cell, parcel.counts.size, 2 * site.cells):
            keys.append(parcel.numbers(number, site.cell_kind))
            weights.append(parcel.numbers(number + site.cells, np.int64, cell))
    classes, places = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.zeros(classes.size, np.int64)
    np.add.at(total, places, np.concatenate(weights))
    return classes, total
