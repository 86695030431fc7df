"""A GPU to test on: a real one under `make test-gpu`, otherwise numba's slow simulator."""

import sys

import pytest

from perfectplay.compiler.cuda import CONFIG, find_gpu


@pytest.fixture(autouse=True)
def simulated_threads():
    """Shortens thread switches, since the threads of a simulated block often wait for each other."""
    usual = sys.getswitchinterval()
    if CONFIG.ENABLE_CUDASIM:
        sys.setswitchinterval(2e-5)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture(params=["simulated", pytest.param("real", marks=pytest.mark.gpu)])
def gpu():
    """The simulated GPU in the quick ring, a real one under `make test-gpu`."""
    return find_gpu()
