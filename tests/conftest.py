"""Tests run in the root of the checkout, with tables of their own and compiled code shared by all of them."""

import os

import pytest

from homes import shared_home

os.environ.setdefault("NUMBA_ENABLE_CUDASIM", "1")  # numba simulates a card, unless `make test-gpu` says no


@pytest.fixture(scope="session")
def compiled_code(tmp_path_factory):
    """The folder of compiled code, one for all processes that run tests."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "compiled"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path_factory, compiled_code):
    """The folder below which this test's tables are kept."""
    with shared_home(tmp_path_factory, compiled_code) as folder:
        yield folder
