"""A card to test on: a real one under `make test-gpu`, else the one that numba simulates, slowly."""

import sys

import numpy as np
import pytest

from perfectplay.engines.cuda import CONFIG, find_card


@pytest.fixture(autouse=True)
def simulated_threads(monkeypatch):
    """Threads take short turns, since those of a simulated block wait for each other all the time.

    They also share memory safely: numba's simulator can give two threads an array each when both are first to ask.
    """
    if not CONFIG.ENABLE_CUDASIM:
        yield
        return
    from numba.cuda.simulator.kernelapi import FakeCUDAShared
    from numba.np.numpy_support import as_dtype

    def array(shared, shape, dtype):
        caller = sys._getframe(1)
        place = (caller.f_code.co_filename, caller.f_lineno)
        return shared._allocations.setdefault(place, np.empty(shape, as_dtype(dtype)))

    monkeypatch.setattr(FakeCUDAShared, "array", array)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(2e-5)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture
def card():
    return find_card()
