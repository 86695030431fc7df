"""A file with one partition's positions: sorted keys cell by cell and, for folded classes, their weights."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from perfectplay.solvers.memory.expansion import GradeArray, Run
from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.out_of_core.chunk_files import ChunkFile, Packer
from perfectplay.solvers.out_of_core.worker_state import WorkerState, name_of

KEYS = "keys"


class LayerFile(ChunkFile):
    """Reads the positions of one step and one partition; cells are numbered from the partition's first."""

    def __init__(self, state: WorkerState, part: int, step: int, what: str = KEYS) -> None:
        super().__init__(state.workdir, name_of(what, step, part))
        self.state = state
        self.first = state.cells_of(part).start
        self.sizes = self.counts[: len(state.cells_of(part))]
        self.weighed = self.counts.size > self.sizes.size

    def cell(self, cell: int) -> Keys:
        """The keys of a cell, relative to its start."""
        return self.numbers(cell, self.state.cell_kind)

    def keys(self, cells: range) -> Keys:
        """The absolute keys of some cells."""
        return np.concatenate([self.state.in_place(self.first + i, self.cell(i)) for i in cells])

    def weigh(self, cells: range, run: Run, counts: Any) -> None:
        """Adds to the count of each grade the positions that these classes stand for.

        That is the number of images, unless not all of them are reachable: then it was counted.
        """
        if not self.weighed:
            self.state.kernels.weigh(run.keys, run.grades, counts)
            return
        weights = np.concatenate([self.numbers(self.sizes.size + i, np.int64) for i in cells])
        np.add.at(counts, run.grades, weights)

    def size(self, cells: range) -> int:
        """The number of positions in some cells."""
        return int(self.sizes[cells.start : cells.stop].sum())

    def chunks(self) -> Iterator[range]:
        """All cells, in groups that fit in a task's memory; at least one cell each."""
        begin, total = 0, 0
        for i, size in enumerate(self.sizes.tolist()):
            if total and total + size > self.state.plan.at_once:
                yield range(begin, i)
                begin, total = i, 0
            total += size
        yield range(begin, self.sizes.size)

    def write_grades(self, cells: range, grades: GradeArray, packer: Packer) -> None:
        """Writes the grades of some cells, a segment per cell."""
        at = 0
        for size in self.sizes[cells.start : cells.stop].tolist():
            packer.add_array(grades[at : at + size])
            at += size


def pieces(run: Run, at_once: int) -> Iterator[Run]:
    """The positions in pieces that fit in a task's memory with their children: a cell may be larger."""
    for begin in range(0, max(1, run.keys.size), at_once):
        yield Run(run.keys[begin : begin + at_once], run.grades[begin : begin + at_once])
