"""Random rules give the same answers in every way to run them, or are refused: never another answer."""

import shutil

import pytest

from fuzz import compare

QUICK = range(1_009, 1_011)
"""Without a large game, which takes a minute to compile."""
NIGHTLY = [range(first, first + 10) for first in (1_016, 1_026, 1_041)]
MANY = 20


@pytest.mark.filterwarnings("ignore")  # what Python thinks of ~True
@pytest.mark.parametrize("seeds", [QUICK, *(pytest.param(seeds, marks=pytest.mark.nightly) for seeds in NIGHTLY)])
def test_no_engine_answers_otherwise(seeds, tmp_path):
    differences, counts = compare(seeds, tmp_path, many=MANY, in_c=bool(shutil.which("gcc")))
    assert differences == []
    for way in ("numba", "gpu"):
        assert counts[way]["games"] > len(seeds) // 2
        assert counts[way]["same"] > MANY * len(seeds)
