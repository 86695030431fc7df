"""The examination of players: what is asked in which order, and what is said about players that fail or misbehave."""

import json
from random import Random

import pytest

from command_line import complaint
from perfectplay import DRAW, ONGOING, Failure, Game, certify, legal_moves
from perfectplay.__main__ import main
from perfectplay.arena.examination import Examination, examine_sides, positions_to_meet
from perfectplay.rules.loading import load_game
from perfectplay.solvers.steps import finished

BOTS = """
def free(board): return [(r, c) for r in range(3) for c in range(3) if board[r][c] is None]
def first_ai(board, side): return free(board)[0]
def late_ai(board, side): return free(board)[0 if len(free(board)) != 2 else 5]
def marks_ai(board, side):
    r, c = free(board)[0]
    board[r][c] = side
    return r, c
def clears_ai(board, side):
    move = free(board)[0]
    board.clear()
    return move
def grid_ai(board):
    move = free(board)[0]
    board[0][0] = "?"
    return move
been_x = False
def shared_ai(board, side):
    global been_x
    been_x = been_x or side == "X"
    return free(board)[-1 if been_x and side == "O" else 0]
"""


@pytest.fixture(autouse=True)
def bots(tmp_path, bots_here, monkeypatch):
    (tmp_path / "bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)


def test_every_failure_is_shown_beside_a_shorter_lost_game(capsys):
    """The player loses in five moves; it fails only later."""
    found = certify("tic-tac-toe", "./bots.py:late_ai", side="second")
    assert found.counterexample.fault == ""
    assert found.faults == len(found.failures) > 3
    assert isinstance(found.failures[0], Failure)
    assert len(found.failures[0].line) == 7
    assert found.failures[0].reason == "./bots.py:late_ai raised an error (line 4): IndexError: list index out of range"
    assert found.to_dict()["failures"][0]["reason"] == found.failures[0].reason
    assert found.to_html().count("IndexError") == min(24, found.faults)
    main(["certify", "tic-tac-toe", "./bots.py:late_ai", "--side", "second"])
    said = capsys.readouterr().out
    assert f"Positions in which it fails: {found.faults}, of which 3 are shown" in said
    assert said.count("(line 4): IndexError") == 3
    main(["certify", "tic-tac-toe", "./bots.py:late_ai", "first_ai.py:none", "--side", "second"])
    row = next(line for line in capsys.readouterr().out.splitlines() if "fails in" in line)
    assert f"fails in {found.faults} positions, first in {found.failures[0]}" in row


@pytest.mark.parametrize(("name", "changes"), [("first", 0), ("marks", 1), ("clears", 1), ("grid", 1)])
def test_who_changes_the_board_is_told_once(name, changes):
    found = certify("tic-tac-toe", f"./bots.py:{name}_ai", repeats=1)
    assert sum("hanges the board that it is given" in remark for remark in found.remarks) == changes
    assert found.faults == 0


def test_what_a_player_remembers_of_the_other_side_is_found():
    """Asked as O it answers otherwise once it has been X, which neither side alone can show."""
    sides = [certify("tic-tac-toe", "./bots.py:shared_ai", side=side) for side in ("first", "second")]
    assert [found.varying for found in sides] == [0, 0]
    both = certify("tic-tac-toe", "./bots.py:shared_ai")
    assert [side.varying > 0 for side in both.sides] == [False, True]
    alone = {mistake.position for mistake in sides[1].mistakes}
    assert alone < {mistake.position for mistake in both.side("second").mistakes}
    assert any("by what it was asked before" in remark for remark in both.remarks)


def test_who_is_asked_once_may_vary():
    once, often = (certify("lines:3,3,2", "./bots.py:first_ai", repeats=repeats) for repeats in (1, 2))
    assert [any("asked once" in remark for remark in found.remarks) for found in (once, often)] == [True, False]
    assert not any("asked once" in remark for remark in certify("lines:3,3,2", "random", repeats=1).remarks)


def test_who_draws_its_moves_is_asked_until_no_answer_is_new():
    game, dice = load_game("nim:3"), Random(1)
    player = Examination(game, 0, lambda position: dice.choice(legal_moves(game, position)), 3, lambda call: None)
    [answers] = finished(examine_sides([player], renew=lambda: None))
    choices = {position: legal_moves(game, position) for position in answers.moves}
    assert max(map(len, choices.values())) > 2
    assert {position: sorted(moves) for position, moves in answers.moves.items()} == choices


def test_the_time_left_comes_from_a_player_who_plays_at_random():
    game = load_game("tic-tac-toe")
    estimates = [positions_to_meet(game, side) for side in (0, 1)]
    assert [40 < estimate < 1000 for estimate in estimates] == [True, True]
    assert positions_to_meet(nothing_to_choose(), 0) == 4


def nothing_to_choose() -> Game:
    """Seven moves without a choice."""
    return Game(
        name="seven",
        bits=7,
        shape=(7, 1),
        moves=lambda mine, theirs: 1 << (mine | theirs).bit_count(),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=lambda mine, theirs: DRAW if (mine | theirs).bit_count() == 7 else ONGOING,
    )


def test_steps_count_all_questions(monkeypatch):
    monkeypatch.setattr("perfectplay.arena.examination.ESTIMATED_AFTER", 0.0)
    game, steps, renewed = nothing_to_choose(), [], []
    players = [
        Examination(game, side, lambda position: (position[0] | position[1]).bit_count(), 3, lambda call: None)
        for side in (0, 1)
    ]
    answers = finished(examine_sides(players, renew=lambda: renewed.append(len(steps))), steps.append)
    assert [found.calls for found in answers] == [3 * 4, 3 * 3]
    assert {step.total for step in steps} == {21}
    assert steps[-1].done == 21
    assert renewed == [0, 7, 14]


def test_patterns_of_functions(capsys, tmp_path):
    (tmp_path / "broken.py").write_text("def x_ai(:")
    assert main(["certify", "tic-tac-toe", "*.py:*s_ai", "--json", "--side", "second", "--repeats", "1"]) == 1
    rows = json.loads(capsys.readouterr().out)["players"]
    assert sorted(row["player"] for row in rows) == ["bots.py:clears_ai", "bots.py:marks_ai", "broken.py:*s_ai"]
    assert "does not load" in next(row["unusable"] for row in rows if row["unusable"])
    assert "no function in bots.py matches 'z*'" in complaint(capsys, "certify tic-tac-toe bots.py:z*")
    assert "gone.py cannot be read: No such file" in complaint(capsys, "certify tic-tac-toe gone.py:*")
