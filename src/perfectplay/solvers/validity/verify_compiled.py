"""Verifies a large table with compiled rules, by searches in a sorted array; shares no algorithm with the solver.

The rules are compiled as written, without the solver's guards, so a fault in the rewriting of rules cannot affect both.
Where the two differ, the interpreted rules decide.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.compiled import load_kernels
from perfectplay.compiler.kernels import block_kernels
from perfectplay.compiler.numba_compat import NumbaError
from perfectplay.game import COMPILED_BITS, start_is_symmetric
from perfectplay.rules.notation import number_of
from perfectplay.solvers.engine import cores
from perfectplay.solvers.memory.expansion import Run
from perfectplay.solvers.memory.sorted_keys import Keys, kind_for
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.grades import earlier_both_ways
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.thread_pool import ThreadPool
from perfectplay.solvers.validity.full_check import check_entry, fault_of_counts, wrong
from perfectplay.solvers.validity.full_check_compiled import COMPILED_FAULTS, facts_or_fault
from perfectplay.solvers.validity.sample_check import Fault
from perfectplay.words import BadTable, Entry, NotCompiled

LOOPS = ("compiler/kernels/verify_kernels", "compiler/kernels/look_kernels")
PART = 1 << 18
"""Classes that a thread checks at once."""
BLOCKS = 64
"""Blocks that a thread decodes at once."""
KEYS_A_BUCKET = 4
"""The fewest keys to a bucket, on average: with 4, `drop:5,5,4` takes 61 MiB for the starts of buckets."""


def verify_by_kernels(table: Table, beside: Steps[None]) -> Steps[None]:
    """Checks every class, and meanwhile does what is to be done beside; raises BadTable."""
    pool = ThreadPool(cores())
    try:
        run = yield from all_blocks(table, pool)
        check = first_check(table, run, pool)
        yield from beside
        try:
            yield from check.wait()
        except (WrongEntry, BadTable, *COMPILED_FAULTS) as fault:
            if isinstance(fault, WrongEntry):
                check_entry(table, *fault.entry)  # by the interpreted rules
            try:
                yield from Check(table, run, pool).wait()
            except WrongEntry as again:
                check_entry(table, *again.entry)
                raise wrong(table, f"{table.unkey(again.entry[0])} does not follow from its children") from None
    finally:
        pool.pool.shutdown(wait=False, cancel_futures=True)


class WrongEntry(Exception):
    """A key whose entry does not follow from its children's, by compiled rules."""

    def __init__(self, key: int, entry: Entry) -> None:
        super().__init__(key)
        self.entry = key, entry


def first_check(table: Table, run: Run, pool: ThreadPool) -> "Check":
    """The check by rules as written; by guarded ones if these do not compile."""
    try:
        return Check(table, run, pool, guards=False)
    except (NotCompiled, NumbaError):
        return Check(table, run, pool)


class Check:
    """A check of every class by compiled rules, which begins at once on all threads."""

    def __init__(self, table: Table, run: Run, pool: ThreadPool, guards: bool = True) -> None:
        self.table, self.run, self.pool, self.scale = table, run, pool, table.reader.grades
        self.kernels = load_kernels(table.game, LOOPS, guards)
        self.met = np.zeros(len(table), np.uint8)
        self.met[np.searchsorted(run.keys, run.keys.dtype.type(table.key_of(table.game.start)))] = 1
        self.ends = np.array(self.scale.ends(), run.grades.dtype)
        self.earlier = np.array(earlier_both_ways(self.scale), run.grades.dtype)
        self.starts, self.shift = bucket_starts(run.keys)
        self.parts = [pool.pool.submit(self.check, begin) for begin in range(0, len(table), PART)]

    def check(self, begin: int) -> tuple[int, NDArray[np.int64]]:
        """The first wrong place of a part, or -1, and the number of positions with each grade."""
        counts = np.zeros(self.scale.size, np.int64)
        end = min(begin + PART, len(self.table))
        arrays = (*self.run, self.met, self.starts, self.shift, self.earlier, self.ends, counts)
        return int(self.kernels.first_fault(begin, end, *arrays)), counts

    def wait(self) -> Steps[None]:
        """Waits for all parts; raises WrongEntry at the first wrong class, or BadTable."""
        table, total = self.table, np.zeros(self.scale.size, np.int64)
        for number, part in enumerate(self.parts):
            at, counts = part.result()
            if at >= 0:
                raise WrongEntry(int(self.run.keys[at]), self.scale.entry(int(self.run.grades[at])))
            total += counts
            yield Step("checking", min(len(table), (number + 1) * PART), len(table))
        if not self.met.all():
            raise wrong(table, f"{number_of(len(table) - int(self.met.sum()), 'position')} cannot be reached")
        if start_is_symmetric(table.game):
            entries = {self.scale.entry(grade): int(count) for grade, count in enumerate(total) if count}
            text = fault_of_counts(table.header, entries)
            if text is not None:
                raise wrong(table, text)
        if self.kernels.IMAGES > 1:
            yield from self.check_images()

    def check_images(self) -> Steps[None]:
        """Follows all images of all classes; raises BadTable."""
        keys = self.run.keys
        parts = [slice(begin, min(begin + PART, keys.size)) for begin in range(0, keys.size, PART)]

        def look(part: slice) -> Fault | None:
            answer = facts_or_fault(self.table.game, self.kernels, keys[part].astype(np.int64))
            return answer if isinstance(answer, Fault) else None

        for part, fault in zip(parts, self.pool.stream(look, parts), strict=True):
            if fault is not None:
                raise wrong(self.table, fault.text)
            yield Step("checking symmetries", part.stop, keys.size)


def bucket_starts(keys: Keys) -> tuple[Keys, int]:
    """The place of the first key of each bucket, and how many bits of a key to drop for its bucket."""
    greatest = int(keys[-1])
    shift = max(0, greatest.bit_length() - (keys.size // KEYS_A_BUCKET).bit_length())
    starts: Keys = np.empty((greatest >> shift) + 2, kind_for(keys.size))
    block_kernels.fill_starts(keys, shift, starts)
    return starts, shift


def all_blocks(table: Table, pool: ThreadPool, room: Callable[[int, type], NDArray[Any]] = np.empty) -> Steps[Run]:
    """The whole table as arrays, for which `room` is made."""
    reader, size = table.reader, table.header.block
    blocks = len(reader.firsts)
    greatest = reader.block(blocks - 1).end
    if greatest >> COMPILED_BITS:
        raise wrong(table, f"its keys have more than {COMPILED_BITS} bits")
    narrow = table.header.grade_bytes == 1
    run = Run(room(len(table), kind_for(greatest)), room(len(table), np.uint8 if narrow else np.uint32))

    def decode(first: int) -> None:
        for number in range(first, min(first + BLOCKS, blocks)):
            file, at = reader.place(number)
            here = slice(number * size, number * size + file.count(at))
            text = np.frombuffer(file.text(at), np.uint8)
            limits = min(file.limit(at) - 1, greatest), reader.grades.size - 1
            if not block_kernels.decode_block(text, file.firsts[at], *limits, run.keys[here], run.grades[here]):
                file.block(at)  # raises what is wrong
                raise wrong(table, f"block {number:,} does not decode")

    at_once = BLOCKS * pool.threads * 4
    for begin in range(0, blocks, at_once):
        pool.map(decode, range(begin, min(begin + at_once, blocks), BLOCKS))
        yield Step("reading", begin * size, len(table))
    return run
