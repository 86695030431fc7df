"""What the rules do has not changed unnoticed: every game has a golden file, and does what it says."""

import pytest

from golden.write import FOLDER, golden
from perfectplay.families import family_names


@pytest.mark.parametrize("family", family_names())
def test_golden(family):
    file = FOLDER / f"{family}.txt"
    assert file.exists(), "run `make goldens` and look at the new file"
    assert file.read_text(encoding="utf-8") == golden(family)


def test_no_golden_without_a_game():
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(family_names())
