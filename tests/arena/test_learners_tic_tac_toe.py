"""Programs as learners write them after two well-known texts: each is certified, refuted or explained."""

import importlib.util
import sys
from contextlib import chdir
from functools import cache
from pathlib import Path

import pytest

from perfectplay import WIN, Match, certify, certify_all, compare
from perfectplay.front.cli import main

LEARNERS = Path(__file__).parent / "learners"
FUNCTIONS = {
    "exercise/right": "street_smart_minimax_ai",
    "exercise/wrong": "street_smart_minimax_ai",
    "exercise/cache_bug": "minimax_ai",
    "exercise/dawdles": "minimax_ai",
    "exercise/crashes": "minimax_ai",
    "n_by_n/right": "ai",
    "n_by_n/wrong": "ai",
    "n_by_n/cache_bug": "ai",
    "n_by_n/dawdles": "ai",
    "n_by_n/crashes": "ai",
}
BOTH = pytest.mark.parametrize("folder", ["exercise", "n_by_n"])


def player(name):
    """The learner's program as it is written on the command line."""
    return f"{LEARNERS / name}.py:{FUNCTIONS[name]}"


@cache
def certificate(name, repeats=1):
    return certify("tic-tac-toe", player(name), repeats=repeats)


def loaded(name):
    """The learner's module, in this process."""
    path = LEARNERS / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"learner_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


def slow_wins(found):
    return sum(side.slow_wins for side in found.sides)


def check_the_game_that_refutes(found):
    """The game is legal, ends as the certificate says, and has a mistake of the player in it."""
    game = found.counterexample
    result = Match("tic-tac-toe").play(*game.moves).result
    own = ("first", "second").index(game.side)
    assert {own: "win", None: "draw", 1 - own: "loss"}[result.winner] == game.result
    slips = [ply for ply in range(own, len(game.moves), 2) if game.values[ply] != game.values[ply + 1]]
    assert slips
    lines = {(mistake.line, mistake.move) for mistake in found.mistakes}
    assert any((game.moves[:ply], game.moves[ply]) in lines for ply in slips)


@BOTH
def test_right_programs_are_certified(folder):
    found = certificate(f"{folder}/right", repeats=3)
    assert found.perfect
    assert found.varying == 0
    assert slow_wins(found) == 0
    assert [side.worst for side in found.sides] == ["draw", "draw"]


def test_tie_breaks_that_outweigh_a_win_let_wins_slip(capsys):
    """The program never loses, so no battle shows that something is wrong."""
    found = certificate("exercise/wrong")
    assert (found.perfect, found.loses, found.mistake_count) == (False, False, 15)
    assert {(mistake.before, mistake.after) for mistake in found.mistakes} == {("win", "draw")}
    check_the_game_that_refutes(found)
    assert main(["certify", "tic-tac-toe", player("exercise/wrong"), "--repeats", "1"]) == 1
    out = capsys.readouterr().out
    assert "never loses, but lets wins slip" in out
    assert "\n\n\n" not in out


def test_two_plies_of_counted_ways_lose_in_one_position():
    found = certificate("n_by_n/wrong")
    assert found.loses
    assert found.mistake_count == 5
    (lost,) = [mistake for mistake in found.mistakes if mistake.after == "loss"]
    assert lost.position == "O:..X/.O./X.."
    assert found.counterexample.moves[:4] == (*lost.line, lost.move)
    assert float(found.side("second").against_random.loss) < 0.003
    check_the_game_that_refutes(found)


def test_scores_that_were_cut_off_and_cached_lose():
    found = certificate("exercise/cache_bug", repeats=3)
    assert found.loses
    assert found.asked == 588
    assert [mistake.position for mistake in found.mistakes] == ["O:OX./XXO/...", "O:XOX/.../OX."]
    check_the_game_that_refutes(found)


def test_a_cache_that_both_sides_share_loses():
    found = certificate("n_by_n/cache_bug", repeats=3)
    assert found.loses
    assert found.varying > 0
    check_the_game_that_refutes(found)
    for side in ("first", "second"):
        assert certify("tic-tac-toe", player("n_by_n/cache_bug"), side=side, repeats=1).perfect


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("exercise/cache_bug", lambda module: module.cache),
        ("n_by_n/cache_bug", lambda module: module.LeanComputerPlayer.solved),
    ],
)
def test_the_cache_alone_is_to_blame(name, memory):
    """With an empty cache the same program finds a move that keeps the result."""
    module = loaded(name)
    for mistake in certificate(name).mistakes[:10]:
        side, _, rows = mistake.position.partition(":")
        board = [[None if cell == "." else cell for cell in row] for row in rows.split("/")]
        memory(module).clear()
        row, column = getattr(module, FUNCTIONS[name])(board, side)
        assert f"{'abc'[column]}{row + 1}" in mistake.better


@BOTH
def test_programs_that_dawdle_are_perfect_and_told_so(folder):
    found = certificate(f"{folder}/dawdles")
    assert found.perfect
    assert slow_wins(found) == 43
    assert any("wins later than it could in 43 positions" in remark for remark in found.remarks)


@pytest.mark.parametrize(
    ("name", "position", "move"),
    [("exercise/dawdles", "O:X.X/OO./X..", "b1"), ("n_by_n/dawdles", "X:X../X.O/.O.", "c3")],
)
def test_compare_marks_the_slow_win(name, position, move):
    (row,) = compare("tic-tac-toe", position=position, players=[player(name)]).players
    assert row.move == move
    assert (row.best.value, row.best.distance) == (WIN, 1)
    assert row.leads_to.value == WIN
    assert row.leads_to.distance > 1
    assert row.kept == row.asked
    assert row.quickest < row.asked


@pytest.mark.parametrize(
    ("name", "line", "error"),
    [
        ("exercise/crashes", "best, second = moves[0], moves[1]", "IndexError: list index out of range"),
        ("n_by_n/crashes", "return max(outcomes) if player == mark else min(outcomes)", "ValueError: m"),
    ],
)
def test_programs_that_crash_are_told_where(name, line, error):
    found = certificate(name)
    assert found.faults > 0
    source = (LEARNERS / f"{name}.py").read_text(encoding="utf-8").splitlines()
    number = 1 + [text.strip() for text in source].index(line)
    game = found.counterexample
    assert f"raised an error (line {number}): {error}" in game.fault
    assert game.result == "loss"
    match = Match("tic-tac-toe").play(*game.moves)
    assert match.result is None
    assert (len(game.moves) % 2 == 0) == (game.side == "first")
    assert str(game).endswith(("out of range", "sequence", "iterable argument is empty"))


@BOTH
@pytest.mark.nightly
def test_a_class_of_learners_is_ranked(folder):
    names = [name for name in FUNCTIONS if name.startswith(folder)]
    with chdir(LEARNERS):
        report = certify_all("tic-tac-toe", [f"{name}.py:{FUNCTIONS[name]}" for name in names])
    kinds = [found.player.partition("/")[2].partition(".")[0] for found in report.certificates]
    assert {*kinds[:2]} == {"right", "dawdles"}
    assert {*kinds[2:4]} == {"wrong", "cache_bug"}
    assert kinds[4] == "crashes"
