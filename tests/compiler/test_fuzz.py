"""Random rules give the same answers in every way to run them, or are refused: never another answer."""

import shutil

import pytest

from fuzz import compare

QUICK = range(1_009, 1_015)
"""Without a large game, which takes a minute to compile."""
NIGHTLY = [range(first, first + 10) for first in (1_015, 1_033, 1_049)]


@pytest.mark.filterwarnings("ignore")  # what Python thinks of ~True
@pytest.mark.parametrize("seeds", [QUICK, *(pytest.param(seeds, marks=pytest.mark.nightly) for seeds in NIGHTLY)])
def test_no_engine_answers_otherwise(seeds, tmp_path):
    differences, counts = compare(seeds, tmp_path, many=40, in_c=bool(shutil.which("gcc")))
    assert differences == []
    for way in ("numba", "gpu"):
        assert counts[way]["games"] > len(seeds) * 2 // 3
        assert counts[way]["same"] > 30 * len(seeds)
