"""Tiers change no answer: the table is the same byte for byte, in memory, on disk, and after an interruption."""

from dataclasses import replace
from io import BytesIO

import pytest

import perfectplay
from perfectplay import BadGame
from perfectplay.rules.loading import load_game
from perfectplay.solvers.complete import solve_by_engine
from perfectplay.solvers.engine import Options
from perfectplay.solvers.memory import tiered
from perfectplay.solvers.steps import finished
from rings import nightly
from tier_games import endless_above, from_two, half, marks, one, taken


def table_of(game, **options):
    sink = BytesIO()
    finished(solve_by_engine(game, Options(engine="numba", **options), sink))
    return sink.getvalue()


@pytest.mark.parametrize(
    ("name", "tier"),
    [
        *(("tic-tac-toe", half), ("kalah:2,2", taken)),
        *nightly(("tactic-toe", one), ("tic-tac-toe", marks), ("dots:2,2", one)),
    ],
)
def test_tiers_change_no_byte(name, tier):
    game = load_game(name)
    assert table_of(replace(game, tier=tier)) == table_of(game)


@pytest.mark.nightly
def test_an_endless_draw_in_a_higher_tier():
    assert table_of(endless_above(from_two)) == table_of(endless_above())
    assert perfectplay.solve(endless_above(from_two), "numba").lookup((0, 0)).endless


def test_a_start_that_is_not_symmetric():
    game = load_game("tic-tac-toe")
    begun = replace(game, start=(0, 1 << 1))
    assert table_of(replace(begun, tier=half)) == table_of(begun)


@pytest.mark.parametrize(("name", "tier", "at"), [("kalah:2,2", taken, 5), *nightly(("morris:3,2", None, 240))])
def test_progress_names_the_tier_and_resume_goes_on_there(name, tier, at, monkeypatch):
    game = load_game(name)
    game = replace(game, tier=tier or game.tier)
    whole = table_of(replace(game, tier=None))
    assert table_of(game) == whole
    monkeypatch.setattr(tiered, "IN_MEMORY", 0)
    steps = solve_by_engine(game, Options(engine="numba"), BytesIO())
    for step in steps:
        if step.phase == "backward" and step.detail.startswith(f"tier {at},"):
            break
    steps.close()
    sink, seen = BytesIO(), []
    finished(solve_by_engine(game, Options(engine="numba", resume=True), sink), seen.append)
    assert not [step for step in seen if step.phase == "forward"]
    graded = {int(step.detail.split()[1].rstrip(",")) for step in seen if step.phase == "backward"}
    assert max(graded) == at
    assert sink.getvalue() == whole


@pytest.mark.parametrize(
    ("start", "words"),
    [((0, 0), "from 0 to -1 by move 0"), ((0b10011100, 0b01100011), "from -8 to -9 by move 8")],
)
def test_a_tier_that_decreases_is_refused(start, words):
    game = replace(load_game("tic-tac-toe"), tier=lambda mine, theirs: -mine.bit_count() - theirs.bit_count())
    with pytest.raises(BadGame, match=f"tier decreases {words}"):
        perfectplay.solve(replace(game, start=start), "numba")


@pytest.mark.parametrize(
    ("name", "margin", "words", "engine"),
    [
        *(("tactic-toe", -1, "can repeat", "python"), ("tic-tac-toe", 1, "margin", "python")),
        *nightly(("tic-tac-toe", 1, "margin", "numba"), ("tactic-toe", -1, "can repeat", "numba")),
    ],
)
def test_points_with_cycles_or_against_the_outcome_are_refused(name, margin, words, engine):
    game = replace(load_game(name), margin=(lambda mine, theirs: -1) if margin < 0 else lambda mine, theirs: 1)
    with pytest.raises(BadGame, match=words):
        perfectplay.solve(game, engine)
