"""The two rings of tests: what has no mark is in the quick ring, the rest in the nightly one."""

import pytest


def nightly(*rows):
    """Parameters of the nightly ring: values, or tuples of values where a test takes several."""
    return [pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.nightly) for row in rows]
