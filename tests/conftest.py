"""Tests run in the root of the checkout, with tables of their own and compiled code shared by all of them."""

import os

import pytest

from homes import shared_home

os.environ.setdefault("NUMBA_ENABLE_CUDASIM", "1")  # numba simulates a card, unless `make test-gpu` says no


@pytest.fixture(scope="session")
def compiled_code(tmp_path_factory):
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture(autouse=True)
def home(tmp_path_factory, compiled_code):
    """The folder below which this test's tables are kept."""
    with shared_home(tmp_path_factory, compiled_code) as folder:
        yield folder
