"""The tasks that write the table: they restore the order of the unmixed keys, then pack blocks.

All partitions distribute their positions to key ranges, and each range is packed into blocks. Where there are many
ranges, positions go to groups of ranges first and then to the ranges of each group: in one step, there would be more
buckets than positions. Blocks begin at multiples of their size over the whole table, so the first and the last few
positions of a range are left to the final join.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from perfectplay.solvers.memory.expansion import GradeArray, Run
from perfectplay.solvers.memory.packing import pack_all
from perfectplay.solvers.memory.sorted_keys import Keys
from perfectplay.solvers.out_of_core.chunk_files import ChunkFile, Packer, packing
from perfectplay.solvers.out_of_core.layer_file import LayerFile
from perfectplay.solvers.out_of_core.layered_tasks import GRADES
from perfectplay.solvers.out_of_core.worker_state import Facts, WorkerState, name_of
from perfectplay.solvers.table.block_coding import SIZE

DEALT, SHARED, BOUND = "dealt", "shared", "bound"


def survey(state: WorkerState, part: int, facts: Facts) -> Facts:
    """A sample of the keys: those of one cell of each layer, which is a fair sample because keys are mixed."""
    found: list[Keys] = []
    for step in facts["steps"]:
        with LayerFile(state, part, step, facts["what"]) as layer:
            first = int(np.argmax(layer.sizes > 0))
            found.append(state.mixing.unmix(layer.keys(range(first, first + 1)).astype(np.int64)))
    keys = np.sort(np.concatenate(found))
    return {"keys": keys[:: max(1, keys.size // facts["most"])].tolist(), "bytes": 0}


def deal(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Distributes the positions of all layers of a partition to ranges or groups of ranges."""
    with packing(state.workdir, name_of(DEALT, 0, part)) as dealt:
        totals = deal_out(gathered(state, part, facts), facts, dealt)
    return {**totals, "bytes": dealt.bytes}


def share(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Distributes the positions of a group to its ranges."""
    with packing(state.workdir, name_of(SHARED, 0, part)) as shared:
        totals = deal_out(buckets(state, facts), facts, shared)
    return {**totals, "bytes": shared.bytes}


def deal_out(runs: Iterable[Run], facts: Facts, packer: Packer) -> Facts:
    """Writes the keys and grades of each run, grouped by the key ranges between the borders."""
    borders = np.array(facts["borders"], np.int64)
    totals = np.zeros(borders.size + 1, np.int64)
    greatest = 0
    for keys, grades in runs:
        ranges = np.searchsorted(borders, keys, side="right")
        order = np.argsort(ranges.astype(np.uint16), kind="stable")
        cuts = np.concatenate([[0], np.cumsum(np.bincount(ranges, minlength=totals.size))])
        packer.add_numbers(keys[order], cuts)
        grades = grades[order]
        for begin, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            packer.add_array(grades[begin:end])
        totals += np.diff(cuts)
        greatest = max(greatest, int(keys.max()))
    dealt = int(totals.sum())
    return {"totals": totals.tolist(), "received": dealt, "positions": dealt, "greatest": greatest}


def gathered(state: WorkerState, part: int, facts: Facts) -> Iterator[Run]:
    """All positions of a partition with unmixed keys and grades, in batches that fit in a task's memory."""
    kind, batch = np.dtype(facts["kind"]), Batch(state.plan.at_once)
    for step in facts["steps"]:
        with (
            LayerFile(state, part, step, facts["what"]) as layer,
            ChunkFile(state.workdir, name_of(GRADES, step, part)) as known,
        ):
            for cells in layer.chunks():
                keys = state.mixing.unmix(layer.keys(cells).astype(np.int64))
                grades = [known.array(i, kind) for i in cells]
                yield from batch.add(Run(keys, np.concatenate(grades)))
    yield from batch.rest()


def buckets(state: WorkerState, facts: Facts) -> Iterator[Run]:
    """The positions of a group or a range, in batches that fit in a task's memory."""
    kind, number, ranges, batch = np.dtype(facts["kind"]), facts["number"], facts["ranges"], Batch(state.plan.at_once)
    for part in range(*facts["parts"]):
        with ChunkFile(state.workdir, name_of(facts["dealt"], 0, part)) as chunk_file:
            for segment in range(number, chunk_file.counts.size, 2 * ranges):
                if chunk_file.counts[segment]:
                    run = Run(chunk_file.numbers(segment, np.int64, number), chunk_file.array(segment + ranges, kind))
                    yield from batch.add(run)
    yield from batch.rest()


class Batch:
    """Collects positions until there are enough."""

    def __init__(self, enough: int) -> None:
        self.enough = enough
        self.runs: list[Run] = []
        self.size = 0

    def add(self, run: Run) -> Iterator[Run]:
        """Adds positions; yields all if there are enough."""
        self.runs.append(run)
        self.size += run.keys.size
        if self.size >= self.enough:
            yield from self.rest()

    def rest(self) -> Iterator[Run]:
        """Yields the remaining positions, if any."""
        if self.size:
            yield joined(self.runs)
        self.runs, self.size = [], 0


def joined(runs: Iterable[Run]) -> Run:
    """The concatenation of several runs."""
    keys, grades = zip(*runs, strict=True)
    return Run(np.concatenate(keys), np.concatenate(grades))


def bind(state: WorkerState, part: int, facts: Facts) -> Facts:
    """Packs a range: the positions before its first block, its blocks, the positions after the last one."""
    nothing = Run(np.empty(0, np.int64), np.empty(0, facts["kind"]))
    found = joined([nothing, *buckets(state, facts)])
    order = np.argsort(found.keys, kind="stable")
    run = Run(found.keys[order], found.grades[order])
    head = min(run.keys.size, -facts["offset"] % SIZE)
    whole = head + (run.keys.size - head) // SIZE * SIZE
    regrade = regrading(facts["regrade"], facts["grade_bytes"])
    with packing(state.workdir, name_of(BOUND, 0, part)) as bound:
        for piece in (slice(0, head), slice(whole, None)):
            bound.add_array(run.keys[piece])
            bound.add_array(run.grades[piece])
        bound.add_array(run.keys[head:whole:SIZE])
        if whole > head:
            body = Run(run.keys[head:whole], run.grades[head:whole])
            for block in pack_all(state.pool, body, regrade, facts["grade_bytes"]):
                bound.add(block, SIZE)
    return {"received": run.keys.size, "positions": run.keys.size, "bytes": bound.bytes}


def regrading(pairs: list[tuple[int, int]], grade_bytes: int) -> GradeArray:
    """An array that maps the grades of a solve to those of its table."""
    regrade = np.zeros(1 + max(grade for grade, _ in pairs), f"<u{grade_bytes}")
    for grade, other in pairs:
        regrade[grade] = other
    return regrade
