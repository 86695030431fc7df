"""Packs a solution into the blocks of a table: on all threads, each sorts a range of keys and compresses its blocks."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from perfectplay.compiler.kernels import array_kernels
from perfectplay.solvers.memory.expansion import GradeArray, Run
from perfectplay.solvers.memory.work import Solved
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.block_coding import LEVEL, SIZE, compress, compress_address, compress_bound
from perfectplay.solvers.table.table_file import Header, Sink, Writer
from perfectplay.solvers.thread_pool import ThreadPool

AT_ONCE = 1 << 18
"""Positions of a range, about: what a thread sorts and compresses at once."""
MANY = 1 << 22
"""Tables of more positions are compressed by zlib's function for C, called by compiled code."""

SortKind = Literal["stable", "quicksort"]


class Part(NamedTuple):
    """Positions in key order that make whole blocks: those left by the part before, then the others."""

    before: Run
    run: Run


def key_ranges(runs: list[Run], total: int) -> Iterator[list[Run]]:
    """The positions of sorted runs in ranges of keys, from the lowest; each has what the runs have in it."""
    widest = max(runs, key=lambda run: run.keys.size).keys
    count = max(1, min(total // AT_ONCE, widest.size))
    cuts = widest[[widest.size * i // count for i in range(1, count)]]
    places = [[0, *np.searchsorted(run.keys, cuts).tolist(), run.keys.size] for run in runs]
    for i in range(count):
        yield [piece_of(run, at[i], at[i + 1]) for run, at in zip(runs, places, strict=True) if at[i] < at[i + 1]]


def piece_of(run: Run, begin: int, end: int | None = None) -> Run:
    """The positions of a run from begin to end."""
    return Run(run.keys[begin:end], run.grades[begin:end])


def joined(runs: Iterable[Run]) -> Run:
    """The concatenation of several runs."""
    keys, grades = zip(*runs, strict=True)
    return Run(np.concatenate(keys), np.concatenate(grades))


def in_order(runs: list[Run], how: SortKind) -> Run:
    """All positions of these runs in key order; sorts key and grade as one number where they fit, which is faster.

    Sorting "stable" merges sorted runs, and other runs take less time to sort with "quicksort".
    """
    keys, grades = joined(runs)
    bits = 8 * grades.itemsize
    if int(keys.max()) >> (63 - bits):
        order = np.argsort(keys, kind="stable")
        return Run(keys[order], grades[order])
    both = keys.astype(np.int64)
    both <<= bits
    both |= grades
    both.sort(kind=how)
    return Run(both >> bits, both.astype(grades.dtype))


def whole_blocks(runs: Iterable[Run]) -> Iterator[Part]:
    """The same positions in parts of whole blocks; only the last part may end with a shorter one."""
    before: Run | None = None
    for run in runs:
        rest = run if before is None else before
        size = 0 if before is None else before.keys.size
        whole = (size + run.keys.size) // SIZE * SIZE
        if whole:
            yield Part(piece_of(rest, 0, size), piece_of(run, 0, whole - size))
            rest = piece_of(run, whole - size)
        else:
            rest = run if before is None else joined([before, run])
        before = Run(rest.keys.copy(), rest.grades.copy())  # not a view of all
    if before is not None and before.keys.size:
        yield Part(piece_of(before, 0, 0), before)


def pack_run(run: Run, regrade: GradeArray, grade_bytes: int, compiled: bool = False) -> list[bytes]:
    """The blocks of positions in key order."""
    count = run.keys.size
    steps = np.zeros(-(-count // SIZE) * SIZE, "<u8")  # the last of a block is never used
    np.subtract(run.keys[1:], run.keys[:-1], out=steps[: count - 1], casting="unsafe")
    steps[SIZE - 1 :: SIZE] = 0
    grades = regrade[run.grades]
    most = np.maximum.reduceat(steps, range(0, count, SIZE)).tolist()
    widths = np.array([max(1, (step.bit_length() + 7) // 8) for step in most])
    whole = count // SIZE
    blocks = [b""] * len(most)
    for width in np.unique(widths[:whole]).tolist():
        places = np.flatnonzero(widths[:whole] == width)
        texts = texts_of(steps, grades, grade_bytes, places, width)
        for place, block in zip(places.tolist(), compressed_rows(texts, compiled), strict=True):
            blocks[place] = block
    if whole < len(most):
        begin, width = whole * SIZE, int(widths[-1])
        planes = [steps[begin : count - 1].view(np.uint8)[i::8] for i in range(width)]
        planes += [grades[begin:].view(np.uint8)[i::grade_bytes] for i in range(grade_bytes)]
        blocks[-1] = compress(bytes([width]) + b"".join(plane.tobytes() for plane in planes))
    return blocks


def texts_of(steps: Any, grades: Any, grade_bytes: int, places: Any, width: int) -> Any:
    """The uncompressed bytes of the whole blocks with these numbers, whose steps take `width` bytes each."""
    texts = np.empty((places.size, 1 + width * (SIZE - 1) + grade_bytes * SIZE), np.uint8)
    texts[:, 0] = width
    bytes_of_steps = steps.view(np.uint8).reshape(-1, SIZE, 8)[places]
    for i in range(width):
        texts[:, 1 + i * (SIZE - 1) : 1 + (i + 1) * (SIZE - 1)] = bytes_of_steps[:, :-1, i]
    size = grade_bytes * SIZE
    bytes_of_grades = grades.view(np.uint8)[: grades.nbytes // size * size].reshape(-1, SIZE, grade_bytes)[places]
    for i in range(grade_bytes):
        begin = 1 + width * (SIZE - 1) + i * SIZE
        texts[:, begin : begin + SIZE] = bytes_of_grades[:, :, i]
    return texts


def compressed_rows(texts: Any, compiled: bool) -> list[bytes]:
    """The blocks whose bytes before compression are the rows of the array."""
    function = compress_address() if compiled else None
    if function is None:
        return [compress(text) for text in texts]
    out = np.empty((texts.shape[0], compress_bound(texts.shape[1])), np.uint8)
    lengths = np.empty(texts.shape[0], np.int64)
    if array_kernels.compress_rows(function, LEVEL, texts, out, lengths) < texts.shape[0]:
        raise MemoryError("zlib has too little memory to compress a block")
    return [row[:length].tobytes() for row, length in zip(out, lengths.tolist(), strict=True)]


def pack_part(
    part: Part, regrade: GradeArray, grade_bytes: int, compiled: bool = False
) -> tuple[list[int], list[bytes]]:
    """The first keys of a part's blocks, and the blocks."""
    run = joined(part) if part.before.keys.size else part.run
    return run.keys[::SIZE].tolist(), pack_run(run, regrade, grade_bytes, compiled)


def pack_all(pool: ThreadPool, run: Run, regrade: GradeArray, grade_bytes: int) -> list[bytes]:
    """The blocks of positions in key order, packed on all threads."""
    pieces = [piece_of(run, begin, begin + 16 * SIZE) for begin in range(0, run.keys.size, 16 * SIZE)]
    pack = partial(pack_run, regrade=regrade, grade_bytes=grade_bytes)
    return [block for blocks in pool.map(pack, pieces) for block in blocks]


def write_solution(
    pool: ThreadPool, solved: Solved, ranges: Iterable[list[Run]], how: SortKind, header: Header, sink: Sink
) -> Steps[None]:
    """Writes the table from the positions in ranges of keys, from the lowest, each to be sorted so."""
    regrade = np.zeros(solved.scale.size, f"<u{header.grade_bytes}")
    for entry in solved.counts:
        regrade[solved.scale.grade(entry)] = header.scale.grade(entry)
    writer, done = Writer(sink, header), 0
    many = header.classes > MANY
    pack = partial(pack_part, regrade=regrade, grade_bytes=header.grade_bytes, compiled=many)
    for firsts, blocks in pool.stream(pack, whole_blocks(pool.stream(partial(in_order, how=how), ranges))):
        for first, data in zip(firsts, blocks, strict=True):
            writer.add(first, data)
        done = min(done + len(blocks) * SIZE, header.classes)
        yield Step("writing", done, header.classes)
    writer.finish()
