"""`perfectplay compare` as a user types it."""

import json
import re
import subprocess
import sys

import pytest

import perfectplay
from command_line import complaint
from perfectplay.__main__ import main
from perfectplay.game import levels
from perfectplay.insight.ladder import algorithms

SEARCHES = ["minimax", "depth-aware", "negamax", "alpha-beta", "cache", "symmetry", "naive-table", "flags", "bounds"]
ALGORITHMS = [*SEARCHES, "retrograde", "table"]
CENTRE = "O:.../.X./..."
NEAR_END = "O:X.X/OO./X.."
BOTS = """
import time
def line_of(board):
    rows = [*board, *zip(*board), [board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    return next((row[0] for row in rows if row[0] and row[0] == row[1] == row[2]), None)

def free(board):
    return [(r, c) for r in range(3) for c in range(3) if board[r][c] is None]

def score(board, side, me):
    if line_of(board):
        return 10 if line_of(board) == me else -10
    other = "O" if side == "X" else "X"
    scores = [score(after(board, move, side), other, me) for move in free(board)] or [0]
    return (max if side == me else min)(scores)

def after(board, move, side):
    board = [list(row) for row in board]
    board[move[0]][move[1]] = side
    return board

def minimax_ai(board, side):
    return max(free(board), key=lambda move: score(after(board, move, side), "O" if side == "X" else "X", side))

def largest(board, me, other):
    if line_of(board) or not free(board):
        return -bool(line_of(board))
    return max(smallest(after(board, move, me), me, other) for move in free(board))

def smallest(board, me, other):
    if line_of(board) or not free(board):
        return bool(line_of(board))
    return min(largest(after(board, move, other), me, other) for move in free(board))

def two_functions_ai(board, side):
    other = "O" if side == "X" else "X"
    return max(free(board), key=lambda move: smallest(after(board, move, side), side, other))

def first_ai(board, side):
    return free(board)[0]

def crashing_ai(board, side):
    return 1 // 0

def illegal_ai(board, side):
    return (0, 0)

def endless_ai(board, side):
    while True:
        pass

def sleeps_later(board, side):
    if len(free(board)) < 3:
        time.sleep(100)
    return free(board)[0]

def crashes_later(board, side):
    return board[9] if len(free(board)) < 3 else free(board)[0]
"""


def printed(capsys, *arguments):
    """The standard output of the command."""
    assert main(["compare", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.fixture(scope="module")
def centre():
    """The comparison after the centre of tic-tac-toe."""
    return perfectplay.compare("tic-tac-toe", position=CENTRE)


def test_tic_tac_toe_after_the_centre(capsys):
    out = printed(capsys, "tic-tac-toe", "--position", CENTRE)
    rows = {line.split()[0]: line.split() for line in out.splitlines()[3:14]}
    assert list(rows) == ALGORITHMS
    assert rows["minimax"][1] == "55,505"
    assert rows["alpha-beta"][1] == "8,466"
    assert rows["symmetry"][1:3] == ["643", "255"]
    assert rows["cache"][-5:] == ["draw", "in", "8", "a1:", "draw"]
    assert "the root included; without it alpha-beta has 8,465" in out
    assert max(map(len, out.splitlines())) <= 100
    wrong = "naive-table is wrong here, X to move: it finds a win, the truth is a draw\n"
    assert f"{wrong}  a b c\n1 O . .\n2 . X .\n3 . . .\nX:O../.X./...\n" in out


def test_json(centre):
    result = centre.to_dict()
    assert list(result) == ["game", "position", "algorithms"]
    assert result["position"] == CENTRE
    assert [row["algorithm"] for row in result["algorithms"]] == ALGORITHMS
    for row in result["algorithms"]:
        assert list(row)[:7] == ["algorithm", "nodes", "entries", "seconds", "speedup", "value", "distance"]
        assert list(row)[7:13] == ["move", "leads_to", "keeps_value", "quickest", "sound", "stopped"]
        assert (row["value"], row["stopped"]) == ("draw", None)
        assert (row["leads_to"]["value"], row["keeps_value"], row["quickest"]) == ("draw", True, True)
        assert row["sound"] == (row["algorithm"] != "naive-table") == ("trial" not in row)
        assert row["speedup"]["nodes"] == pytest.approx(55_505 / row["nodes"])
    assert [row["distance"] for row in result["algorithms"]] == [None] * 4 + [8, 8, None, None, None, 8, 8]


def test_a_wrong_value_is_drawn(centre, capsys):
    assert centre.to_dict()["algorithms"][6]["trial"] == {
        "tried": 2,
        "complete": False,
        "wrong": {"position": "X:O../.X./...", "value": "win", "true_value": "draw"},
    }
    assert "  win WRONG" in printed(capsys, "drop:3,3,3").splitlines()[9]
    game = perfectplay.load("lines:3,3,2")
    unfinished = sum(bool(perfectplay.legal_moves(game, position)) for level in levels(game) for position in level)
    text = printed(capsys, "lines:3,3,2")
    assert f"naive-table: no wrong value in any of the {unfinished} unfinished positions" in text


def test_slow_algorithms_are_stopped(capsys):
    arguments = ["drop:4,3,3", "--nodes", "4006"]
    out = printed(capsys, *arguments)
    assert out.count("stopped after 4,006 nodes") == 7
    assert "≥ 2.0" in out.splitlines()[11]
    assert "against minimax, at least" in out
    rows = json.loads(printed(capsys, *arguments, "--json"))["algorithms"]
    assert [row["value"] for row in rows] == [None] * 6 + ["win"] * 3 + [None, "win"]
    assert rows[0] == rows[0] | {"nodes": 4006, "speedup": None, "stopped": "stopped after 4,006 nodes"}


def test_the_cache_drawn(capsys):
    show = ("tic-tac-toe", "--position", "X:XO./OX./...", "--show")
    out = printed(capsys, *show)
    assert "ply 0, X to move\n\n  a b c\n1 X O .\n2 O X .\n3 . . .\nwin in 1\n\nply 1, O to move\n" in out
    assert out.count("a b c") == 38
    assert "loss in 2  draw in 4  loss in 0" in out
    assert max(map(len, out.splitlines())) <= 100
    out = printed(capsys, *show, "--boards", "4")
    assert out.count("a b c") == 4
    assert out.endswith("\n4 of 38 canonical positions; ask for 38 boards to see all\n")
    assert json.loads(printed(capsys, *show, "--boards", "2", "--json"))["cache"] == [
        {"position": "X:XO./OX./...", "value": "win", "distance": 1},
        {"position": "O:XOX/OX./...", "value": "loss", "distance": 2},
    ]


def test_a_stopped_cache_is_not_drawn(capsys):
    arguments = ["drop:3,3,3", "--nodes", "9", "--show"]
    assert "no cache to show: symmetry stopped after 9 nodes" in printed(capsys, *arguments)
    assert json.loads(printed(capsys, *arguments, "--json"))["cache"] is None


def test_a_game_with_cycles(capsys):
    out = printed(capsys, "kingpawns", "--depth", "8")
    lines = out.splitlines()
    assert lines[0] == "kingpawns from W:..k./..pp/PP../.K.., White to move"
    assert lines[2] == "can repeat for ever, from W:..../k.P./...p/.K.. to B:k.../..P./...p/.K.. and back:"
    assert lines[3] == "plain minimax would never end; use perfectplay solve kingpawns; the truth here: win in 5"
    assert [line.split()[1::3] for line in lines[10:15]] == [
        ["draw", "draw", "draw", "draw", "draw", "218"],
        ["win", "win", "win", "win", "win", "59"],
        ["win", "win", "win", "win", "win", "18"],
        ["win", "win", "win", "win", "win", "15"],
        ["win", "win", "draw", "win", "win", "14"],
    ]
    assert lines[14].split()[2::3] == ["✓", "✓", "✗", "✓", "✓"]
    assert "horizon is right here from depth 5 on, everywhere from depth 11 on" in lines
    assert max(map(len, lines)) <= 100


def test_a_game_with_cycles_as_json(capsys):
    result = json.loads(printed(capsys, "fading:3,2", "--json"))
    assert list(result) == ["game", "position", "cycle", "value", "distance", "repairs", "right_from"]
    assert result == result | {"value": "win", "distance": 3, "right_from": 3}
    assert [text[0] for text in result["cycle"]] == ["X", "O"]
    shared = {"depth": 5, "value": "win", "right": True, "unequal": None}
    assert result["repairs"][-2:] == [
        {"repair": "deep table", "distance": None, "nodes": 20, **shared},
        {"repair": "negamax", "distance": 3, "nodes": 964, **shared},
    ]
    for row in result["repairs"]:
        assert row["right"] == (row["depth"] >= 3)


def test_a_stopped_repair_is_not_run_again(capsys):
    out = printed(capsys, "kingpawns", "--depth", "20", "--nodes", "100")
    assert [line.split()[0] for line in out.splitlines()[6:11]] == ["0", "1", "2", "3", "4"]
    assert out.splitlines()[10].split()[1:11:2] == ["stopped"] * 5
    result = json.loads(printed(capsys, "kingpawns", "--depth", "20", "--nodes", "100", "--json"))
    last = {"repair": "negamax", "depth": 4, "value": None, "right": None, "nodes": 100}
    assert result["repairs"][-1] == {**last, "distance": None, "unequal": None}


def test_the_solution_of_a_game_with_cycles_drawn(capsys):
    out = printed(capsys, "kingpawns", "--depth", "0", "--show", "--boards", "6")
    assert out.count("a b c d") == 6
    assert "win in 3   win in 5   loss in 4  win in 5   win in 5" in out
    assert "6 of 11,509 canonical positions" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "no game is called 'nonsense'"),
        (["tic-tac-toe", "--position", "rubbish"], "does not say who is to move"),
        (["tic-tac-toe", "--position", "X:.../..."], "is not 3 rows of 3 squares"),
        (["tic-tac-toe", "--position", "O:XXX/OO./..."], "the game is over"),
        (["tactic-toe", "--position", "X:X9../.../..."], "position 'X:X9../.../...'"),
        (["tic-tac-toe", "--nodes", "0"], "'0' is not a whole number"),
        (["tic-tac-toe", "--with", "nobody"], "no player is called 'nobody'"),
        (["tic-tac-toe", "--position", "O:X../.../...", "--with", "./no.py:f"], "there is no file './no.py'"),
        (["tactic-toe", "--depth", "-1"], "'-1' is not a whole number"),
    ],
)
def test_invalid_input_gets_one_line(arguments, said, capsys):
    assert said in complaint(capsys, " ".join(["compare", *arguments]))


def test_a_game_with_cycles_that_is_too_big(monkeypatch, capsys):
    monkeypatch.setattr(algorithms, "CLASSES", 1000)
    err = complaint(capsys, "compare tactic-toe --json")
    assert "tactic-toe can repeat for ever, from O:.../O3X2O2/O1X3X1 to X:..X1/O3X3O2/O1.X2 and back" in err
    assert "too many positions to compare; run: perfectplay solve tactic-toe\n" in err


def test_it_imports_neither_numba_nor_numpy_and_prints_ascii():
    code = (
        "import sys\nfrom perfectplay.__main__ import main\n"
        "main(['compare', 'fading:3,2']); main(['compare', 'drop:2,2,2', '--nodes', '9'])\n"
        "sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env={"PYTHONIOENCODING": "ascii"}, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"win  +" in done.stdout
    assert b"?" not in done.stdout


@pytest.fixture
def bots(tmp_path):
    """The path of a file of bots."""
    path = tmp_path / "bots.py"
    path.write_text(BOTS, encoding="utf-8")
    return path


def players_of(bots, *names, position=NEAR_END, seconds=20):
    """The players of a comparison, as JSON."""
    players = [f"{bots}:{name}" for name in names]
    return perfectplay.compare("tic-tac-toe", position=position, players=players, seconds=seconds).to_dict()["players"]


def test_own_code_in_the_table(bots, bots_here):
    first, second = players_of(bots, "minimax_ai", "two_functions_ai")
    assert first == first | {
        "calls": 33,  # minimax has 34 nodes with the root
        "recursive": ["score"],
        "move": "b1",
        "leads_to": {"value": "win", "distance": 3},
        "keeps_value": True,
        "quickest": False,
        "fault": None,
        "agreement": {"asked": 14, "of": 14, "kept": 14, "quickest": 13},
    }
    assert second == second | {"calls": 33, "recursive": ["smallest", "largest"], "move": "b1"}


def test_own_code_in_a_neighbour_counts(bots):
    (bots.parent / "compared_bots.py").write_text(BOTS, encoding="utf-8")
    (bots.parent / "ai.py").write_text("from compared_bots import minimax_ai as ai\n", encoding="utf-8")
    (player,) = players_of(bots.parent / "ai.py", "ai")
    assert player == player | {"calls": 33, "recursive": ["score"]}


def test_own_code_that_is_not_recursive(bots, bots_here):
    [player] = players_of(bots, "first_ai", position=CENTRE)
    assert player == player | {"calls": 2, "recursive": [], "move": "a1", "keeps_value": True}
    assert player["agreement"] == player["agreement"] | {"asked": 100, "of": 1_385}
    assert player["agreement"]["kept"] < 100


def check_failed(row):
    """It has no move, and is not asked elsewhere."""
    assert row == row | {"calls": None, "move": None, "leads_to": None, "quickest": None}
    assert row["agreement"] == {"asked": 0, "of": 0, "kept": None, "quickest": None}


def test_own_code_that_fails_is_one_row(capsys, bots, bots_here):
    crashing, illegal = players_of(bots, "crashing_ai", "illegal_ai")
    assert "ZeroDivisionError" in crashing["fault"]
    assert "(line " in crashing["fault"]
    assert "(0, 0) as (row, column) is not a legal move" in illegal["fault"]
    for row in (crashing, illegal):
        check_failed(row)
    players = ("--with", f"{bots}:illegal_ai", "--with", "perfect")
    out = printed(capsys, "tic-tac-toe", "--position", NEAR_END, *players)
    rows = [line for line in out.splitlines() if line.startswith(("illegal_ai", "perfect"))]
    assert "is not a legal move" in rows[0]
    assert rows[1].endswith("c2: win in 1")


@pytest.mark.nightly
def test_own_code_without_end_is_one_row(bots):
    (endless,) = players_of(bots, "endless_ai", seconds=1)
    assert "did not move within 1 s" in endless["fault"]
    check_failed(endless)


def test_own_code_that_fails_later_says_why(bots, bots_here):
    (crashing,) = players_of(bots, "crashes_later")
    asked = crashing["agreement"]
    assert (asked["asked"], asked["of"], asked["failed"]) == (14, 14, 10)
    assert asked["failure"].startswith("raised an error (line ")
    assert "IndexError" in asked["failure"]
    assert "stopped" not in asked


def test_own_code_that_hangs_later_says_why(capsys, bots):
    options = ("--position", NEAR_END, "--seconds", "1", "--with", f"{bots}:sleeps_later")
    out = printed(capsys, "tic-tac-toe", *options)
    assert "14 positions from here on (the 1 s for all positions were over): " in out
    assert "; no move in 1, first: did not move within 1 s" in out


def test_functions_as_players():
    scope = {}
    exec(BOTS, scope)
    found = perfectplay.compare("tic-tac-toe", position=NEAR_END, players=[scope["minimax_ai"], "random"])
    function, named = found.players
    assert (function.player, function.move, function.calls, function.recursive) == ("minimax_ai", "b1", 33, ("score",))
    assert str(function) == "minimax_ai: b1"
    assert (named.player, named.calls) == ("random", None)
    with pytest.raises(perfectplay.BadArgument, match="write a list"):
        perfectplay.compare("tic-tac-toe", players="random")
    with pytest.raises(perfectplay.BadPlayer, match="neither the name of a player nor a function"):
        perfectplay.compare("tic-tac-toe", position=NEAR_END, players=[7])


def test_players_in_a_game_with_cycles(capsys, bots, bots_here):
    players = ("fading:3,2", "--with", "perfect", "--with", f"{bots}:first_ai")
    player, _ = json.loads(printed(capsys, *players, "--json"))["players"]
    assert player == player | {"leads_to": {"value": "win", "distance": 3}, "quickest": True}
    out = printed(capsys, *players)
    assert re.search(r"perfect plays ..: win in 3\n", out)
    assert re.search(r"\nfirst_ai plays a1: win in 3; 2 nodes\n", out)


@pytest.mark.parametrize("game", ["tic-tac-toe", "tactic-toe"])
def test_a_player_that_is_not_there_is_told_before_the_searches(monkeypatch, game):
    def searched(*_):
        raise AssertionError("searches before it looks for the players")

    monkeypatch.setattr("perfectplay.commands.compete.comparing.tree_or_cycle", searched)
    with pytest.raises(perfectplay.BadPlayer, match=r"there is no file './nobody\.py'"):
        perfectplay.compare(game, players=["random", "./nobody.py:ai"])
