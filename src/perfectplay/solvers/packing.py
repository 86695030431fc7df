"""Packs a solution into the blocks of a table: merges all runs in key order, and compresses on all threads."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from perfectplay.solvers.expansion import GradeArray, Run
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.work import Solved
from perfectplay.table.block_coding import SIZE, packed
from perfectplay.table.table_file import Header, Sink, Writer

AT_ONCE = 1 << 19
"""Positions merged at once."""


def in_order(runs: list[Run], total: int) -> Iterator[Run]:
    """All positions in key order, in parts of whole blocks; only the last part may end with a shorter one."""
    widest = max(runs, key=lambda run: run.keys.size).keys
    parts = max(1, total // AT_ONCE)
    cuts = np.unique(widest[[widest.size * i // parts for i in range(1, parts)]]) if parts > 1 else widest[:0]
    places = [[0, *np.searchsorted(run.keys, cuts).tolist(), run.keys.size] for run in runs]
    rest = Run(widest[:0], runs[0].grades[:0])
    for i in range(len(cuts) + 1):
        here = [
            Run(run.keys[at[i] : at[i + 1]], run.grades[at[i] : at[i + 1]])
            for run, at in zip(runs, places, strict=True)
        ]
        keys = np.concatenate([rest.keys, *(run.keys for run in here)])
        grades = np.concatenate([rest.grades, *(run.grades for run in here)])
        if len(runs) > 1:
            order = np.argsort(keys, kind="stable")
            keys, grades = keys[order], grades[order]
        whole = keys.size if i == len(cuts) else keys.size // SIZE * SIZE
        yield Run(keys[:whole], grades[:whole])
        rest = Run(keys[whole:], grades[whole:])


def pack_all(pool: ThreadPool, run: Run, regrade: GradeArray, grade_bytes: int) -> list[bytes]:
    """The blocks of a part, in order."""
    count = run.keys.size
    begins = list(range(0, count, SIZE))
    steps = np.zeros(count, "<u8")  # the last of a block is never used
    np.subtract(run.keys[1:], run.keys[:-1], out=steps[:-1], casting="unsafe")
    steps[SIZE - 1 :: SIZE] = 0
    widths = [max(1, (int(most).bit_length() + 7) // 8) for most in np.maximum.reduceat(steps, begins)]
    step_planes = planes_of(steps.view(np.uint8), 8, max(widths))
    grade_planes = planes_of(regrade[run.grades].view(np.uint8), grade_bytes, grade_bytes)

    def pack(i: int) -> bytes:
        begin, end = begins[i], min(begins[i] + SIZE, count)
        here = [plane[begin : end - 1].tobytes() for plane in step_planes[: widths[i]]]
        here += [plane[begin:end].tobytes() for plane in grade_planes]
        return packed(widths[i], here)

    parts = [range(i, min(i + 16, len(begins))) for i in range(0, len(begins), 16)]
    return [data for found in pool.map(lambda part: [pack(i) for i in part], parts) for data in found]


def planes_of(data: NDArray[np.uint8], width: int, used: int) -> list[NDArray[np.uint8]]:
    """The byte planes: the lowest bytes of all numbers, then the second lowest, and so on."""
    return [np.ascontiguousarray(data[i::width]) for i in range(used)]


def write_solution(pool: ThreadPool, solved: Solved, header: Header, sink: Sink) -> Steps[None]:
    """Writes the table."""
    scale = header.scale
    regrade = np.zeros(solved.scale.size, f"<u{header.grade_bytes}")
    for entry in solved.counts:
        regrade[solved.scale.grade(entry)] = scale.grade(entry)
    writer, done = Writer(sink, header), 0
    for run in in_order(solved.runs, header.classes):
        for first, data in zip(
            run.keys[::SIZE].tolist(), pack_all(pool, run, regrade, header.grade_bytes), strict=True
        ):
            writer.add(first, data)
        done += run.keys.size
        yield Step("writing", done, header.classes)
    writer.finish()
