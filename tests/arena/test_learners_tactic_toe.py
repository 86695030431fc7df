"""Programs for tactic-toe as learners write them: each is certified, refuted or explained.

The quick tests examine one side, or one position; the slow ones examine both sides, asking several times.
"""

import importlib.util
from functools import cache

import pytest

from homes import ROOT, shared_home
from perfectplay import Match, certify, compare
from perfectplay.front.cli import main

GAME = "tactic-toe"
FOLDER = ROOT / "tests/arena/learners/tactic_toe"


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory, known):
    """One folder of tables for all tests here, so that the game is solved once."""
    with shared_home(tmp_path_factory, known) as folder:
        yield folder


def player(name):
    """The learner's program as it is written on the command line."""
    return f"{FOLDER / name}.py:ai"


@cache
def module(name):
    """The learner's program, loaded here."""
    spec = importlib.util.spec_from_file_location(f"learner_{name}", FOLDER / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@cache
def examined(name, side, repeats=1):
    """The certificate; a program that does not crash is asked in this process, which is quicker."""
    return certify(GAME, module(name).ai, side=side, repeats=repeats)


def slow_wins(found):
    return sum(side.slow_wins for side in found.sides)


def check_game(found):
    """The game is legal, the player's own moves give a result away, and it ends or repeats as it is said to."""
    game = found.counterexample
    own = ("first", "second").index(game.side)
    match, texts = Match(GAME), []
    for move in game.moves:
        texts.append(match.text())
        match.play(move)
    if game.repeats is None:
        assert match.result.winner == {"loss": 1 - own}[game.result]
    else:
        assert game.result == "draw"
        assert texts[game.repeats] == match.text()
    given_away = {(mistake.position, mistake.move) for mistake in found.mistakes}
    worse = [n for n in range(own, len(game.moves), 2) if game.values[n] != game.values[n + 1]]
    assert all((texts[n], game.moves[n]) in given_away for n in worse)
    assert worse or game.repeats is not None


def test_right_as_first():
    found = examined("right", "first")
    assert found.perfect
    assert slow_wins(found) == 0
    assert [(side.worst, side.asked) for side in found.sides] == [("win", 126)]


def test_right_has_the_published_number_of_states():
    scores = module("right").SCORES
    assert len(scores) == 16_030
    assert {abs(score) for score in scores.values()} == {0, *range(83, 101)}
    assert len(module("misread").SCORE) == 73_450  # the rules misread have as many


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["right", "dawdles"])
def test_both_sides_are_certified(name):
    found = certify(GAME, player(name))
    assert found.perfect
    assert found.varying == 0
    assert [side.worst for side in found.sides] == ["win", "loss"]  # O is lost from the start: nothing is given away
    assert (slow_wins(found) > 0) == (name == "dawdles")


def test_a_top_score_below_the_longest_distance_is_wrong_in_six_positions():
    found = examined("wrong", "second")
    assert found.loses
    assert examined("wrong", "first").perfect
    assert {(mistake.before, mistake.after) for mistake in found.mistakes} == {("draw", "loss"), ("win", "draw")}
    assert found.mistake_count == 6
    assert len(found.counterexample.moves) == 27
    assert float(found.sides[0].against_random.loss) < 0.001
    check_game(found)


def test_a_key_without_the_order_of_marks_loses():
    found = examined("cache_bug", "first")
    assert found.loses
    assert found.mistake_count == 3
    assert float(found.sides[0].against_random.loss) < 0.0001
    check_game(found)


@pytest.mark.nightly
def test_the_whole_key_is_right():
    """The order of all marks in the key is all that the program lacks, as far as 13 plies are enough."""
    text = (FOLDER / "cache_bug.py").read_text()
    partial = "frozenset(mine), mine[:1], frozenset(theirs), theirs[:1], depth"
    assert partial in text
    scope = {}
    exec(text.replace(partial, "mine, theirs, depth"), scope)
    assert certify(GAME, scope["ai"], side="first", repeats=1).perfect


def test_no_decay_can_repeat_for_ever():
    found = examined("no_decay", "first")
    assert not found.perfect
    assert not found.loses
    assert found.mistakes == ()
    assert found.sides[0].worst == "draw"
    assert found.counterexample.repeats is not None
    check_game(found)


def test_the_first_win_that_is_found_is_kept_but_comes_late():
    found = examined("dawdles", "second")
    assert found.perfect
    assert slow_wins(found) > 0
    assert any("wins later than it could" in said for said in found.remarks)


@pytest.mark.nightly
def test_compare_shows_the_slow_and_the_wrong_move():
    players = [player(name) for name in ("dawdles", "cache_bug", "right")]
    slow, wrong, right = compare(GAME, position="X:.X3./.../..O3", depth=0, players=players).players
    assert slow.kept == right.kept == right.quickest == right.asked
    assert slow.quickest < slow.asked
    assert wrong.recursive == ("negamax",)
    assert (wrong.move, wrong.leads_to.value, wrong.best.value) == ("c1", 0, 1)


def test_the_misread_rule_gives_the_win_away_with_the_first_move():
    learner = module("misread")
    assert learner.SCORE[(), ()] == 0  # by its rules the game is a draw
    (found,) = compare("tactic-toe", position="X:.../.../...", depth=0, players=[learner.ai]).players
    assert (found.move, found.leads_to.value, found.best.value) == ("a1", 0, 1)


@pytest.mark.nightly
def test_the_misread_rule_loses():
    found = examined("misread", "first")
    assert found.loses
    check_game(found)


@pytest.mark.parametrize("isolated", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_crashes_names_line_and_position(isolated):
    found = certify(GAME, player("crashes"), side="second") if isolated else examined("crashes", "second")
    assert not found.perfect
    game = found.counterexample
    assert (game.moves, game.result) == (("a1",), "loss")
    line = 1 + (FOLDER / "crashes.py").read_text().splitlines().index(
        "    best = max(get_moves(state), key=lambda move: turn * SCORES[canonical(result(state, move))])"
    )
    assert f"raised an error (line {line}): KeyError" in game.fault
    assert "1 X3 .  ." in game.fault
    assert examined("crashes", "first").perfect


@pytest.mark.nightly
def test_the_terminal_tells(capsys):
    assert main(["certify", GAME, player("no_decay"), "--side", "first", "--repeats", "1"]) == 1
    out = capsys.readouterr().out
    assert "never loses, but lets wins slip" in out
    assert "the moves can repeat for ever" in out


@pytest.mark.parametrize("plies", [6, 7])
def test_lives_are_what_the_programs_need(plies):
    """The boards of the programs say what the position says: marks, sides and order."""
    learner, seen = module("right"), []
    moves = ("b1", "b2", "a1", "c1", "a3", "a2", "b3")[:plies]
    state = ((0,) * 9, learner.X)
    for move in moves:
        state = learner.result(state, 3 * (int(move[1]) - 1) + "abc".index(move[0]))

    def look(board, side):
        seen.append(tuple(0 if c is None else c.life * (1 if c == "X" else -1) for row in board for c in row))
        return learner.ai(board, side)

    compare(Match(GAME).play(*moves), depth=0, players=[look])
    assert seen[0] == state[0]
