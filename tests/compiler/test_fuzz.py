"""Random rules give the same answers in every way to run them, or are refused: never another answer."""

import shutil

import pytest

from fuzz import compare

BATCH, BATCHES = 10, 48
QUICK = 1


@pytest.mark.filterwarnings("ignore")  # what Python thinks of ~True
@pytest.mark.parametrize(
    "batch", [pytest.param(n, marks=() if n < QUICK else pytest.mark.nightly) for n in range(BATCHES)]
)
def test_no_engine_answers_otherwise(batch, tmp_path):
    first = 1_000 + batch * BATCH
    differences, counts = compare(range(first, first + BATCH), tmp_path, many=40, in_c=bool(shutil.which("gcc")))
    assert differences == []
    for way in ("numba", "gpu"):
        assert counts[way]["games"] > BATCH * 3 // 4
        assert counts[way]["same"] > 30 * BATCH
