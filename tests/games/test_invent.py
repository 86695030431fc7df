"""The invented game: its variants keep the contract, and some of them are games of the library."""

from itertools import product

import pytest

import perfectplay
from perfectplay import BadGame
from perfectplay.game import images

SWITCHES = [*product((False, True), repeat=3)]
SAME = {
    "3,3,3": "lines:3,3,3",
    "3,4,2,misere=true": "lines:3,4,2,misere=true",
    "4,2,2,gravity=true": "drop:4,2,2",
    "3,3,2,fading=true": "fading:3,2",
}
SAME_LATER = {
    "4,3,3,gravity=true": "drop:4,3,3",
    "3,3,3,fading=true": "fading:3,3",
    "4,4,3": "lines:4,4,3",
    "4,4,3,misere=true": "lines:4,4,3,misere=true",
}


def invented(*sizes):
    return perfectplay.load(f"examples/invent.py:{','.join(str(size).lower() for size in sizes)}")


def solution(game):
    """All that a solution counts, and the value, without the name of the game and the time."""
    facts = perfectplay.summarise(game).to_dict()
    return {name: fact for name, fact in facts.items() if name not in ("game", "seconds", "seconds_in_all", "engine")}


@pytest.mark.parametrize(
    ("sizes", "same"), [*SAME.items(), *(pytest.param(*pair, marks=pytest.mark.nightly) for pair in SAME_LATER.items())]
)
def test_some_variants_are_games_of_the_library(sizes, same):
    assert solution(f"examples/invent.py:{sizes}") == solution(same)


@pytest.mark.nightly
@pytest.mark.parametrize("switches", SWITCHES)
def test_the_rules_keep_the_contract(switches):
    report = perfectplay.check(invented(3, 4, 3, *switches), walks=10)
    assert {check.status for check in report.checks} == {"ok", "skipped"}


def test_a_square_board_has_eight_images_and_gravity_leaves_two():
    for width, height, (gravity, fading, misere) in product((3, 4), (2, 3, 4), SWITCHES):
        count = 2 if gravity else 8 if width == height else 4
        assert images(invented(width, height, 2, gravity, fading, misere)).count == count


def test_marks_above_one_that_vanishes_stay_and_the_next_one_fills_the_gap():
    match = perfectplay.Match("examples/invent.py:4,3,3,gravity=true,fading=true").play(*"bbbcaa")
    assert match.text() == "X:.X2../O3O1../X3X1O2."
    assert match.play("d").text() == "O:.X1../O3O1../X2.O2X3"
    assert match.play("b").text() == "X:.X1../O2.../X2O3O1X3"


def test_impossible_sizes_are_refused_in_a_line():
    for sizes in ("0,3,3", "3,8,3", "3,3,4", "3,3,0"):
        with pytest.raises(BadGame, match=r"^[^\n]*must be 1 to [0-9][^\n]*$"):
            perfectplay.load(f"examples/invent.py:{sizes}")
