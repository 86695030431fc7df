"""Sorted keys and their index, compared with numpy."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from perfectplay.compiler.compiled import load_kernels
from perfectplay.rules.loading import load_game
from perfectplay.solvers.memory import sorted_keys as keys_module
from perfectplay.solvers.memory.sorted_keys import index_of, unique
from perfectplay.solvers.thread_pool import ThreadPool

ONE, TWO = ThreadPool(1), ThreadPool(2)


@pytest.fixture(autouse=True)
def _small_is_enough(monkeypatch):
    monkeypatch.setattr(keys_module, "FEW", 0)
    monkeypatch.setattr(ThreadPool, "SMALL", 64)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    size=st.integers(1, 3000),
    bits=st.integers(1, 63),
    pool=st.sampled_from([ONE, TWO]),
    clustered=st.booleans(),
)
def test_unique_sorts_and_removes_duplicates(seed, size, bits, pool, clustered):
    found = np.random.default_rng(seed).integers(0, 1 << bits, size, dtype=np.int64)
    if clustered:  # like keys of boards
        found = (found >> bits // 2 << bits // 2) | (found & 7)
    sorted_keys = unique(pool, found.copy(), int(found.max()))
    assert sorted_keys.tolist() == np.unique(found).tolist()
    assert sorted_keys.dtype == (np.int32 if found.max() < 2**31 else np.int64)


def test_unique_takes_no_more_memory_than_was_forecast():
    """One array as large as the keys, which are used up: with more, a solve within its limit could be killed."""
    pool, found = ThreadPool(2), np.random.default_rng(1).integers(0, 1 << 60, 1 << 20, dtype=np.int64)
    unique(pool, found.copy(), int(found.max()))
    tracemalloc.start()
    unique(pool, found, int(found.max()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.2 * found.nbytes


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 3000), bits=st.integers(1, 62), pool=st.sampled_from([ONE, TWO]))
def test_the_index_finds_every_key(seed, size, bits, pool):
    kernels = load_kernels(load_game("drop:4,3,3"))
    found = np.unique(np.random.default_rng(seed).integers(0, 1 << bits, size, dtype=np.int64))
    numbers = np.random.default_rng(seed + 1).permutation(found)
    wanted = np.searchsorted(found, numbers)
    grades = np.zeros(found.size, np.uint8)
    kernels.rank_batch(numbers, np.empty_like(numbers), numbers.size, grades, *index_of(pool, found))
    assert numbers.tolist() == wanted.tolist()
