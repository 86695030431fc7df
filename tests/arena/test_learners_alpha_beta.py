"""Programs as readers of an article on minimax and alpha-beta write them: certified, refuted or explained."""

from functools import cache
from pathlib import Path

import pytest

from perfectplay import Match, certify, compare

PROGRAMS = Path(__file__).parent / "learners" / "alpha_beta"
SLOW_WIN = "O:X.X/OO./X.."
"""O can win at once on c2, and on b1 in three plies."""


def program(name):
    return f"{PROGRAMS / name}.py:my_ai"


@cache
def certified(name):
    return certify("tic-tac-toe", program(name), repeats=1)


def test_the_right_program_is_perfect_and_quick():
    found = certified("right")
    assert found.perfect
    assert [side.worst for side in found.sides] == ["draw", "draw"]
    assert sum(side.slow_wins for side in found.sides) == 0
    assert found.first_move_calls == 34_202


@pytest.mark.parametrize(("name", "mistakes"), [("wrong", 6), ("cache_bug", 4)])
def test_few_mistakes_on_one_side_are_found(name, mistakes):
    found = certified(name)
    assert found.side("first").perfect
    assert found.side("second").loses
    assert found.side("second").mistake_count == mistakes
    assert {mistake.after for mistake in found.mistakes} == {"loss"}


@pytest.mark.parametrize("name", ["wrong", "cache_bug"])
def test_the_game_that_refutes_is_legal_and_lost(name):
    game = certified(name).counterexample
    end = Match("tic-tac-toe").play(*game.moves)
    assert (game.side, game.result, end.result.winner) == ("second", "loss", 0)
    assert game.values[0] == "draw"
    assert game.values[-1] == "loss"


@pytest.mark.parametrize("name", ["wrong", "cache_bug"])
def test_a_battle_against_random_would_prefer_the_wrong_program(name):
    """It wins more often than the right one, which is why a battle cannot replace a certificate."""
    assert certified(name).side("second").against_random.win > certified("right").side("second").against_random.win


def test_the_dawdler_is_perfect_and_told_so():
    found = certified("dawdles")
    assert found.perfect
    assert sum(side.slow_wins for side in found.sides) == 43


def test_a_crash_names_its_line_and_the_game():
    found = certified("crashes")
    assert found.side("first").perfect
    assert found.side("second").faults == 4
    assert found.counterexample.moves == ("b1",)
    where = program("crashes").partition(":my_ai")[0]
    line = 1 + Path(where).read_text().splitlines().index("            return REPLIES[board.index(self.opponent)]")
    assert f"(line {line}): KeyError: 1" in found.counterexample.fault


def test_compare_counts_the_calls_and_marks_the_slow_win():
    found = compare("tic-tac-toe", position=SLOW_WIN, players=[*map(program, ("right", "dawdles", "crashes"))])
    right, dawdles, crashes = found.players
    assert (right.move, dawdles.move) == ("c2", "b1")
    assert dawdles.leads_to.value == dawdles.best.value
    assert (dawdles.leads_to.distance, dawdles.best.distance) == (3, 1)
    assert (dawdles.kept, dawdles.quickest) == (14, 13)
    assert crashes.quickest == right.quickest == 14


def test_the_figure_of_the_article_is_that_of_the_program():
    """After the centre, the article counts 8,465 calls with pruning, and we visit the root besides."""
    found = compare("tic-tac-toe", position="O:.../.X./...", players=[program("right")])
    nodes = {row["algorithm"]: row["nodes"] for row in found.to_dict()["algorithms"]}
    assert (nodes["minimax"], nodes["alpha-beta"]) == (55_505, 8_466)
    assert found.players[0].calls == 8_465
    assert found.players[0].recursive == ("Computer.minimax",)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["right", "wrong", "cache_bug", "dawdles", "crashes"])
def test_no_program_changes_its_mind(name):
    found = certify("tic-tac-toe", program(name))
    assert found.varying == 0
    assert found.perfect == certified(name).perfect
    assert found.mistakes == certified(name).mistakes
