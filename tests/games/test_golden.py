"""What the rules do has not changed unnoticed: every game has a golden file, and does what it says."""

import pytest
from golden.write import FOLDER, golden

from perfectplay.rules.families import family_names

QUICK = 4_000
"""The most moves that are looked at here to count; the nightly test counts as many as the file has."""


def read(family):
    file = FOLDER / f"{family}.txt"
    assert file.exists(), "run `make goldens` and look at the new file"
    return file.read_text(encoding="utf-8")


def as_far(text, found):
    """The text with counts that end where those that were found do."""
    lines, counted = [], found.splitlines()
    for line in text.splitlines():
        here = counted[len(lines)] if len(lines) < len(counted) else ""
        if here.endswith(" ...") and f"{line} ".startswith(here.removesuffix("...")):
            lines.append(here)
        elif not (lines and lines[-1].endswith(" ...") and line.startswith(("positions:", "finished:"))):
            lines.append(line)
    return "\n".join(lines)


@pytest.mark.parametrize("family", family_names())
def test_golden(family):
    text, found = read(family), golden(family, QUICK)
    assert as_far(text, found) == "\n".join(found.splitlines())


@pytest.mark.nightly
@pytest.mark.parametrize("family", family_names())
def test_golden_with_all_counts(family):
    assert read(family) == golden(family)


def test_counts_that_differ_are_noticed():
    text = "positions by first ply: 1 9 72\npositions: 82\nfinished: 0\nX plays"
    assert as_far(text, "positions by first ply: 1 9 ...\nX plays") == "positions by first ply: 1 9 ...\nX plays"
    for found in ("positions by first ply: 1 8 ...\nX plays", "positions by first ply: 1 9 ...\nO plays"):
        assert as_far(text, found) != found


def test_no_golden_without_a_game():
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(family_names())
