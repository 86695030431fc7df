"""Projects of seven functions of a board, as learners write them: each is certified, refuted or explained."""

from functools import cache

import pytest

from homes import ROOT
from perfectplay import Match, certify, compare
from perfectplay.front.cli import main

FOLDER = ROOT / "tests/arena/learners/cs50"
NAMES = ("right", "wrong", "cache_bug", "dawdles", "crashes", "bounds")


def player(name):
    """The learner's program as it is written on the command line."""
    return f"{FOLDER / name}.py"


@cache
def certificate(name):
    """What came of the whole project, in a process of its own."""
    return certify("tic-tac-toe", player(name), repeats=1)


@cache
def examined(name, side="both"):
    """What came of its moves alone, asked in this process, which is quicker."""
    scope = {}
    exec((FOLDER / f"{name}.py").read_text(encoding="utf-8"), scope)
    return certify("tic-tac-toe", lambda board: scope["minimax"](board), side=side, repeats=1)


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n == "right" else pytest.mark.nightly) for n in NAMES])
def test_all_functions_are_right(name):
    """So what is wrong is the choice of moves alone."""
    functions = certificate(name).functions
    alone = [examined(name, side).mistakes for side in ("first", "second")]  # a new process knows no other side
    assert certificate(name).mistakes == alone[0] + alone[1]
    assert [function.name for function in functions] == [
        "initial_state",
        "player",
        "actions",
        "result",
        "winner",
        "terminal",
        "utility",
        "minimax",
    ]
    assert all(function.correct for function in functions)


@pytest.mark.parametrize("name", ["right", "dawdles"])
def test_perfect_projects(name):
    found = examined(name)
    assert found.perfect
    assert [side.worst for side in found.sides] == ["draw", "draw"]
    assert (sum(side.slow_wins for side in found.sides) > 0) == (name == "dawdles")
    assert any("wins later than it could" in said for said in found.remarks) == (name == "dawdles")


@pytest.mark.parametrize(
    ("name", "mistakes", "sides"),
    [
        ("wrong", 8, [True, False]),
        ("cache_bug", 3, [True, False]),
        pytest.param("bounds", 68, [False, False], marks=pytest.mark.nightly),
    ],
)
def test_projects_that_lose(name, mistakes, sides):
    found = examined(name)
    assert found.loses
    assert found.mistake_count == mistakes
    assert [side.perfect for side in found.sides] == sides
    game = found.counterexample
    own = ("first", "second").index(game.side)
    match, slips = Match("tic-tac-toe"), []
    for number, move in enumerate(game.moves):
        if match.turn == own and game.values[number] != game.values[number + 1]:
            slips.append((match.text(), move))
        match.play(move)
    assert match.result.winner == 1 - own
    assert slips
    assert {*slips} <= {(mistake.position, mistake.move) for mistake in found.mistakes}


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_asked_again_in_another_order(name):
    """Only a cache of wrong values makes answers depend on what was asked before."""
    found, again = certificate(name), certify("tic-tac-toe", player(name), repeats=4, seed=7)
    assert (again.perfect, again.loses) == (found.perfect, found.loses)
    assert again.varying == 0 or name == "cache_bug"


def test_looking_one_ply_further_is_enough():
    """The program that looks five plies ahead is wrong for no other reason."""
    scope = {}
    exec((FOLDER / "wrong.py").read_text().replace("DEPTH = 5", "DEPTH = 6"), scope)
    assert certify("tic-tac-toe", scope["minimax"], repeats=1).perfect


def test_a_crash_is_told_with_its_line_and_position():
    found = certificate("crashes")
    assert not found.perfect
    assert found.side("first").perfect
    game = found.counterexample
    assert (game.moves, game.result) == (("b1",), "loss")
    lines = (FOLDER / "crashes.py").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "return REPLIES[" in text)
    assert f"raised an error (line {line}): KeyError: (0, 1)" in game.fault
    assert "1 . X ." in game.fault


def test_compare_marks_the_slow_move():
    players = [player(name) for name in ("right", "dawdles")]
    right, slow = compare("tic-tac-toe", position="O:X.X/OO./X..", players=players).players
    assert (right.move, right.leads_to) == ("c2", right.best)
    assert (slow.move, slow.leads_to.distance) == ("b1", 3)
    assert slow.kept == slow.asked > slow.quickest


def test_compare_marks_the_wrong_move(capsys):
    assert main(["compare", "tic-tac-toe", "--position", "O:X../.../...", "--with", player("wrong")]) == 0
    assert "b1: loss in 6, not draw" in capsys.readouterr().out


@pytest.mark.nightly
def test_a_class_is_ranked(capsys):
    names = ["crashes", "cache_bug", "right"]
    assert main(["certify", "tic-tac-toe", *map(player, names), "--repeats", "1", "--side", "second"]) == 1
    out = capsys.readouterr().out
    rows = [out.index(f"{player(name)}  ") for name in ("right", "cache_bug", "crashes")]
    assert rows == sorted(rows)
