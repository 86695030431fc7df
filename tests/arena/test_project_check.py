"""Each function of a tic-tac-toe project is compared with the rules, board by board."""

import importlib.util
import random
import re
import sys

import pytest

from perfectplay import BadPlayer, certify, load
from perfectplay.__main__ import main
from perfectplay.arena.bot_process import Bot
from perfectplay.arena.project_check import FunctionCheck, Question, check_function, check_project, project_name
from perfectplay.arena.project_functions import ProjectFunctions, agrees
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.processes.running_program import ProgramFault
from rings import nightly

GAME = "tic-tac-toe"
PROJECT = """
X, O, EMPTY = "X", "O", None
def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]
def count(board, mark):
    return sum(row.count(mark) for row in board)
def player(board):
    return X if count(board, X) == count(board, O) else O
def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}
def result(board, action):
    if action not in actions(board):
        raise ValueError(action)
    after = [row[:] for row in board]
    after[action[0]][action[1]] = player(board)
    return after
def winner(board):
    for i, j, di, dj in [(0, 0, 0, 1), (1, 0, 0, 1), (2, 0, 0, 1), (0, 0, 1, 0), (0, 1, 1, 0), (0, 2, 1, 0),
                         (0, 0, 1, 1), (0, 2, 1, -1)]:
        if board[i][j] is not EMPTY and board[i][j] is board[i + di][j + dj] is board[i + 2 * di][j + 2 * dj]:
            return board[i][j]
def terminal(board):
    return winner(board) is not None or not actions(board)
def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]
known = {}
def value(board):
    key = str(board)
    if key not in known:
        best = max if player(board) is X else min
        known[key] = utility(board) if terminal(board) else best(value(result(board, a)) for a in actions(board))
    return known[key]
def minimax(board):
    if terminal(board):
        return None
    return (max if player(board) is X else min)(sorted(actions(board)), key=lambda a: value(result(board, a)))
"""
COUNTS = {
    "initial_state": 1,
    "player": 4_520,
    "actions": 4_520,
    "result": 4_520,
    "winner": 5_478,
    "terminal": 5_478,
    "utility": 958,
    "minimax": 958,
}


def written(folder, old="", new=""):
    """The project in a file, with something changed."""
    assert old in PROJECT
    (folder / "tictactoe.py").write_text(PROJECT.replace(old, new) if old else PROJECT)
    return f"{folder}/tictactoe.py"


def checks_of(name, game="tic-tac-toe", seconds=60):
    return {check.name: check for check in check_project(load(game), name, seconds)}


def test_what_is_said_of_a_function_that_is_right():
    assert str(FunctionCheck("player", True, 4_520)) == "player: correct on 4,520 boards"
    assert str(FunctionCheck("initial_state", True, 1)) == "initial_state: correct on 1 board"
    said = "minimax: returns None on 958 boards where the game is over; its moves are examined separately"
    assert str(FunctionCheck("minimax", True, 958)) == said


FULL = "[['X', 'X', 'O'], ['X', 'O', None], ['O', None, None]]"
MINOR = "[['O', 'O', 'X'], [None, 'X', None], ['X', None, None]]"
START = "[[None, None, None], [None, None, None], [None, None, None]]"


@pytest.mark.parametrize(
    ("old", "new", "function", "fault"),
    [
        ("O: -1, None: 0", "O: 0, None: 0", "utility", f"utility({FULL}) returned 0; right is -1"),
        ("if action not in actions(board)", "if False", "result", f"result({START}, (-1, -1)) returned "),
        (
            "= [row[:] for row in board]",
            "= board",
            "result",
            f"result({START}, (0, 0)) changed the board that it was given",
        ),
        (
            "= [row[:] for row in board]",
            "= board[:]",
            "result",
            f"result({START}, (0, 0)) changed the board that it was given",
        ),
        ("return X if", "return O if", "player", f"player({START}) returned 'O'; right is 'X'"),
        ("is EMPTY}", "is EMPTY and i}", "actions", "returned {(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)}; right"),
        ("(0, 2, 1, -1)", "", "winner", f"winner({MINOR}) returned None; right is 'X'"),
        ("return winner(board) is not None or", "return winner(board) or", "terminal", "returned 'X'; right is True"),
        ("return None\n", "return (0, 0)\n", "minimax", "returned (0, 0); right is None"),
        ("[EMPTY] * 3", "['.'] * 3", "initial_state", "initial_state() returned [['.', '.', '.'], "),
        ("{X: 1, O: -1, None: 0}[winner(board)]", "1 / 0", "utility", "raised an error (line 25): ZeroDivisionError"),
        ("{X: 1, O: -1, None: 0}[winner(board)]", "exit(3)", "utility", "raised an error (line 25): SystemExit: 3"),
    ],
)
def test_the_first_fault_of_a_function(tmp_path, old, new, function, fault):
    functions = ProjectFunctions(load("tic-tac-toe"), written(tmp_path, old, new), lambda call: None)
    found = functions.check(function)
    assert found["checked"] < COUNTS[function]
    assert fault in found["fault"]
    assert found["fault"].startswith(f"{function}(")
    assert "\n" not in found["fault"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os; os._exit(7)", "exit code 7"),
        *nightly(
            ("while True: pass", "did not return within 0.5 s"), ("input()", "raised an error (line 8): EOFError")
        ),
    ],
)
def test_a_function_without_end_costs_only_itself(tmp_path, code, said):
    bot = Bot(written(tmp_path, "    return X if count", f"    {code}\n    return X if count"), GAME, None)
    try:
        player, utility = (check_function(bot, function, 0.5) for function in ("player", "utility"))
    finally:
        bot.close()
    assert player.fault.startswith(f"player({START}) ")
    assert said in player.fault
    assert str(player).startswith("player: wrong: player(")
    assert utility == FunctionCheck("utility", True, 958)


def test_each_call_and_all_calls_of_a_function_are_limited(tmp_path, monkeypatch):
    bot = Bot(written(tmp_path, "def utility(board):\n", "def utility(board):\n    while board: pass\n"), GAME, None)
    try:
        assert check_function(bot, "terminal", 0.1).correct
        fault = check_function(bot, "utility", 0.1).fault
        assert fault.startswith("utility([[")
        assert fault.endswith(") did not return within 0.1 s")
        monkeypatch.setattr("perfectplay.arena.project_check.SECONDS", 0.0)
        with pytest.raises(ProgramFault, match="took more than 0 s for all boards"):
            Question(HearsCalls(), {"check": "winner"}, 60).answer()
    finally:
        bot.close()


class HearsCalls:
    """A bot that tells calls."""

    def open_program(self):
        pass

    def ask(self, message, seconds, late, say, each):
        say("winner([])")


@pytest.mark.parametrize(
    ("returned", "right", "equal"),
    [
        ([[0, 1], (0, 2)], {(0, 1), (0, 2)}, True),
        ([(0, 1)], {(0, 1), (0, 2)}, False),
        ((("X", None), (None, None)), [["X", None], [None, None]], True),
        (None, {(0, 1)}, False),
        (None, [["X"]], False),
        (1, True, True),
        ("X", True, False),
        (None, 0, False),
        (False, None, False),
    ],
)
def test_sets_and_boards_may_be_other_collections(returned, right, equal):
    assert agrees(returned, right) is equal


def test_in_misere_the_other_side_wins(tmp_path):
    functions = ProjectFunctions(load("misere"), written(tmp_path), lambda call: None)
    wrong = [name for name in ("winner", "utility", "terminal", "player") if functions.check(name)["fault"]]
    assert wrong == ["winner", "utility"]


def test_games_whose_board_hides_something_are_refused(tmp_path, bots_here, monkeypatch):
    with pytest.raises(BadPlayer, match="cannot play tactic-toe"):
        checks_of(written(tmp_path), "tactic-toe")
    monkeypatch.setattr("perfectplay.arena.project_functions.MOST_POSITIONS", 1000)
    with pytest.raises(BadPlayer, match="at most 1,000 positions, and tic-tac-toe has more"):
        checks_of(written(tmp_path))


def test_a_file_without_all_functions_is_no_project(tmp_path, bots_here):
    name = written(tmp_path, "def utility", "def utilities")
    assert checks_of(f"{name}:minimax") == {}
    assert checks_of(f"{written(tmp_path)}:winner") == {}


@pytest.mark.parametrize(
    ("renamed", "complaint"),
    [
        (
            {"utility": "utilities"},
            r"lacks utility \(it has utilities\) of .*; write it, or .*tictactoe.py:minimax for",
        ),
        ({"winner": "winer", "player": "x"}, r"lacks player and winner \(it has winer\) of .*; write them, or"),
        ({"minimax": "minmax"}, r"lacks minimax \(it has minmax\) of the functions player, .*, minimax; write it$"),
        ({"winner": "_", "player": "x", "result": "y", "actions": "z"}, "does not say which function plays"),
    ],
)
def test_what_a_project_lacks_is_named(tmp_path, renamed, complaint):
    text = PROJECT
    for name, other in renamed.items():
        text = text.replace(f"def {name}", f"def {other}")
    (tmp_path / "tictactoe.py").write_text(text)
    with pytest.raises(BadPlayer, match=complaint) as caught:
        player_maker(f"{tmp_path}/tictactoe.py")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("function", ["", ":minimax"])
def test_a_project_plays(tmp_path, function):
    game = load("tic-tac-toe")
    player = player_maker(written(tmp_path) + function)(Seat(game, 0, random.Random(1)))
    assert player(game.start) in range(9)


def test_certify_needs_all_functions_right(tmp_path, bots_here, monkeypatch, capsys):
    checks = FunctionCheck("result", False, 7, "result([[]]) returned 8"), FunctionCheck("utility", True, 958)
    monkeypatch.setattr("perfectplay.commands.compete.certifying.check_project", lambda *_: checks)
    assert main(["certify", GAME, written(tmp_path), "--side", "second", "--repeats", "1"]) == 1
    out = capsys.readouterr().out
    assert "plays perfectly, but not all is right: result" in out
    assert re.search(r"\nutility +correct on 958 boards\n", out)
    assert re.search(r"\nresult +wrong: result\(\[\[\]\]\) returned 8\n", out)


@pytest.mark.nightly
def test_certify_finds_the_project_of_a_function(tmp_path, bots_here, monkeypatch):
    written(tmp_path)
    spec = importlib.util.spec_from_file_location("tictactoe", tmp_path / "tictactoe.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "tictactoe", module)
    spec.loader.exec_module(module)
    assert project_name(module.minimax) == f"{tmp_path}/tictactoe.py:minimax"
    assert project_name(module.winner) == project_name("random") == project_name(lambda board: None) == ""
    found = certify("tic-tac-toe", module.minimax, repeats=1)
    assert {check.name: check.checked for check in found.functions} == COUNTS
    assert found.perfect
    assert all(check.correct for check in found.functions)
    facts = {"name": "player", "correct": True, "checked": 4520, "fault": None, "result": "correct on 4,520 boards"}
    assert facts in found.to_dict()["functions"]
    assert found.to_dict()["functions"] == [check.to_dict() for check in found.functions]
