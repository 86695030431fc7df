"""The blocks of a table are the same however its positions come, and whether C or Python compresses them."""

from functools import partial
from random import Random

import numpy as np
import pytest

from perfectplay.solvers.memory import packing
from perfectplay.solvers.memory.expansion import Run
from perfectplay.solvers.memory.packing import in_order, key_ranges, pack_all, pack_part, pack_run, whole_blocks
from perfectplay.solvers.table.block_coding import SIZE, pack
from perfectplay.solvers.thread_pool import ThreadPool


def some_runs(rng, sizes, most, kind=np.uint8):
    """Disjoint runs of these sizes."""
    keys = rng.sample(range(most), sum(sizes))
    runs = []
    for size in sizes:
        here, keys = sorted(keys[:size]), keys[size:]
        runs.append(Run(np.array(here, np.int64), np.array([rng.randrange(200) for _ in here], kind)))
    return runs


def plain_blocks(runs, grade_bytes=1):
    """The blocks by the functions for numbers of any size."""
    both = sorted(pair for run in runs for pair in zip(run.keys.tolist(), run.grades.tolist(), strict=True))
    parts = [both[begin : begin + SIZE] for begin in range(0, len(both), SIZE)]
    return [(part[0][0], pack([key for key, _ in part], [grade for _, grade in part], grade_bytes)) for part in parts]


def blocks_in(ranges, how, regrade):
    """The blocks of ranges of keys, by two threads."""
    pool = ThreadPool(2)
    whole = whole_blocks(pool.stream(partial(in_order, how=how), ranges))
    pack_one = partial(pack_part, regrade=regrade, grade_bytes=regrade.itemsize, compiled=True)
    return [pair for firsts, blocks in pool.stream(pack_one, whole) for pair in zip(firsts, blocks, strict=True)]


@pytest.mark.parametrize("at_once", [700, 5000, 10**6])
@pytest.mark.parametrize(
    ("sizes", "most"),
    [([1], 2**62), ([SIZE], 2**40), ([5, 9000, 1], 40_000), ([3 * SIZE, 4000, 2192], 2**40), ([100] * 30, 2**62)],
)
def test_blocks_of_runs(sizes, most, at_once, monkeypatch):
    monkeypatch.setattr(packing, "AT_ONCE", at_once)
    runs = some_runs(Random(most + at_once), sizes, most)
    regrade = np.arange(256).astype(np.uint8)
    assert blocks_in(key_ranges(runs, sum(sizes)), "stable", regrade) == plain_blocks(runs)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_blocks_of_positions_in_any_order_within_ranges(kind):
    rng = np.random.default_rng(3)
    runs = some_runs(Random(3), [4000, 3000], 10**9, kind)
    ranges = []
    for below, above in ((0, 3 * 10**8), (3 * 10**8, 3 * 10**8 + 1000), (3 * 10**8 + 1000, 10**9)):
        there = [np.flatnonzero((run.keys >= below) & (run.keys < above)) for run in runs]
        mixed = [rng.permutation(places) for places in there]
        pieces = [Run(run.keys[at], run.grades[at]) for run, at in zip(runs, mixed, strict=True) if at.size]
        ranges += [pieces] if pieces else []
    regrade = np.arange(256).astype("<u2" if kind is np.uint16 else np.uint8)
    assert blocks_in(ranges, "quicksort", regrade) == plain_blocks(runs, regrade.itemsize)


def test_blocks_by_c_are_those_of_python():
    [run] = some_runs(Random(8), [50 * SIZE + 7], 2**36)
    regrade = np.arange(256).astype(np.uint8)
    assert pack_run(run, regrade, 1, compiled=True) == pack_all(ThreadPool(2), run, regrade, 1)


def test_results_of_a_stream_come_in_order_while_few_are_ahead():
    taken = []

    def numbers():
        for i in range(50):
            taken.append(i)
            yield i

    for i, result in enumerate(ThreadPool(3).stream(lambda number: number * number, numbers())):
        assert result == i * i
        assert len(taken) <= i + 5
