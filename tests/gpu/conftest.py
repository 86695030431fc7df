"""A GPU to test on: a real one under `make test-gpu`, else the one that numba simulates, slowly."""

import sys

import pytest

from perfectplay.engines.cuda import CONFIG, find_gpu


@pytest.fixture(autouse=True)
def simulated_threads():
    """Threads take short turns, since those of a simulated block wait for each other all the time."""
    usual = sys.getswitchinterval()
    if CONFIG.ENABLE_CUDASIM:
        sys.setswitchinterval(2e-5)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture
def gpu():
    return find_gpu()
