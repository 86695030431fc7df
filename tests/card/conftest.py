"""A card to test on: a real one with `pytest -m gpu`, else the one that numba simulates, slowly."""

import sys

import pytest

from perfectplay.engines.cuda import find_card


@pytest.fixture(autouse=True)
def short_turns():
    """Threads of Python take short turns: those of a simulated block wait for each other all the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(2e-5)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture
def card():
    return find_card()
