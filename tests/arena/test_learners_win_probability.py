"""Programs as readers of an exercise on win probabilities write them: certified, refuted or explained."""

import importlib.util
from functools import cache
from pathlib import Path

import pytest

from perfectplay import Match, certify, classic, odds

PROGRAMS = Path(__file__).parent / "learners" / "win_probability"
START = (0,) * 9
HALF = (2, 1, 0, 1, 1, 2, 0, 2, 0)
"""The position of the exercise in which two moves win half of the games and one wins none."""


def program(name):
    return f"{PROGRAMS / name}.py:bestmove"


@cache
def module(name):
    spec = importlib.util.spec_from_file_location(f"learner_{name}", PROGRAMS / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@cache
def certified(name):
    return certify("tic-tac-toe", program(name), repeats=1)


def wins(name, side):
    return certified(name).side(side).against_random.win


def test_the_right_program_is_perfect_and_wins_as_often_as_possible():
    found = certified("right")
    assert found.perfect
    assert sum(side.slow_wins for side in found.sides) == 0
    assert odds("tic-tac-toe", "streetwise", "random").win == pytest.approx(wins("right", "first"))
    assert odds("tic-tac-toe", "random", "streetwise").loss == pytest.approx(wins("right", "second"))


def test_the_right_program_agrees_with_the_classic_functions():
    right = module("right")
    seen, waiting = {START}, [START]
    while waiting:
        state = waiting.pop()
        assert right.perfectplay_outcome(state).value == classic.perfectplay_outcome(state)
        if right.outcome(state) is None:
            fresh = {*right.next_states(state)} - seen
            seen |= fresh
            waiting += fresh
    assert len(seen) == 5_478
    for after in (*right.next_states(START), *right.next_states(HALF)):
        assert right.win_probability(after) == pytest.approx(classic.win_probability(after))


def test_half_of_the_games_are_won_in_the_position_of_the_exercise():
    found = [module("right").win_probability(after) for after in module("right").next_states(HALF)]
    assert found == [0.5, 0.5, 0.0]


@pytest.mark.parametrize(("name", "mistakes"), [("wrong", 37), ("cache_bug", 35)])
def test_the_game_that_refutes_is_legal_and_lost(name, mistakes):
    found = certified(name)
    game = found.counterexample
    end = Match("tic-tac-toe").play(*game.moves)
    assert (game.side, game.result, end.result.winner) == ("second", "loss", 0)
    assert game.values[0] == "draw"
    assert sum(side.mistake_count for side in found.sides) == mistakes


@pytest.mark.parametrize("name", ["wrong", "cache_bug"])
def test_a_battle_against_random_would_prefer_the_wrong_program(name):
    assert wins(name, "second") > wins("right", "second")


def test_the_highest_win_probability_is_that_of_exploit():
    best = odds("tic-tac-toe", "random", "exploit")
    assert best.loss == pytest.approx(wins("wrong", "second"))
    firsts = [odds("tic-tac-toe", name, "random").win for name in ("streetwise", "exploit")]
    assert firsts[0] == pytest.approx(firsts[1])


def test_the_dawdler_is_perfect_and_told_so():
    found = certified("dawdles")
    assert found.perfect
    assert sum(side.slow_wins for side in found.sides) == 43
    assert wins("dawdles", "second") == wins("right", "second")


def test_a_crash_names_its_line_and_happens_in_drawn_positions():
    found = certified("crashes")
    game = found.counterexample
    text = (PROGRAMS / "crashes.py").read_text()
    line = 1 + text.splitlines().index("    return sum(chances) / len(chances)")
    assert f"(line {line}): ZeroDivisionError" in game.fault
    assert wins("crashes", "first") == 7 / 8
    assert found.side("first").faults == 1


@pytest.mark.parametrize("name", ["right", "dawdles"])
def test_a_state_plays_whole_games(name):
    """The move of a program is a state; a game of the program against itself is a draw."""
    state, play = START, module(name)
    while play.outcome(state) is None:
        state = play.bestmove(state)
    assert play.outcome(state) is play.GameOutcome.DRAW


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["right", "wrong", "cache_bug", "dawdles", "crashes"])
def test_no_program_changes_its_mind(name):
    """But the one whose cache does not tell the sides apart: it depends on what it was asked before."""
    found = certify("tic-tac-toe", program(name))
    assert (found.varying > 0) == (name == "cache_bug")
    if name == "cache_bug":
        alone, mixed = ({(one.position, one.move) for one in it.mistakes} for it in (certified(name), found))
        assert alone < mixed
        return
    assert found.perfect == certified(name).perfect
    assert found.mistakes == certified(name).mistakes
