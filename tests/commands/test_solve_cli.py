"""`solve`, `analyse`, `tables`, `verify` and the player `perfect`, as a user sees them."""

import json
import subprocess
import sys

import pytest

from command_line import complaint, output
from perfectplay.front.cli import main


def test_solve_json(capsys, home):
    found = json.loads(output(capsys, "solve tactic-toe --json"))
    assert found.pop("seconds") > 0
    assert found.pop("seconds_in_all") > 0
    assert found == {
        "game": "tactic-toe",
        "value": "win",
        "distance": 13,
        "positions": 73_450,
        "classes": 9_190,
        "wins": 45_709,
        "draws": 7_585,
        "losses": 20_156,
        "longest": 17,
        "classes_by_side": 16_030,
        "engine": "python",
        "table": str(next((home / "data" / "tables").glob("*.table"))),
        "checked": "all",
    }


def test_solve_writes_to_a_given_file(capsys, tmp_path, home):
    out = output(capsys, f"solve kingpawns --table {tmp_path}/k.table --engine python")
    assert "kingpawns: White moves; White wins in 5 plies with best play." in out
    assert "11,851   11,509 up to symmetry" in out
    assert not (home / "data" / "tables").exists()
    assert "is right: verified 11,509 canonical positions, all of them" in output(capsys, f"verify {tmp_path}/k.table")
    assert "verified 20 canonical positions chosen at random" in output(
        capsys, f"verify {tmp_path}/k.table --sample 20"
    )
    assert "verified 11,509 canonical positions, all" in output(
        capsys, f"verify {tmp_path}/k.table --sample 99999999999"
    )


def test_analyse_json(capsys):
    found = json.loads(output(capsys, "analyse tic-tac-toe a1 b1 --json"))
    assert (found["game"], found["position"]) == ("tic-tac-toe", "X:XO./.../...")
    assert (found["value"], found["distance"]) == ("win", 5)
    assert found["moves"][0] == {"move": "a2", "value": "win", "distance": 5}
    assert len(found["moves"]) == 7


def test_analyse_names_moves_as_players_do(capsys):
    found = json.loads(output(capsys, "analyse kingpawns b2b3 --json"))
    assert (found["value"], found["distance"]) == ("loss", 4)
    assert {move["move"] for move in found["moves"]} == {"c4b4", "c4d4"}
    found = json.loads(output(capsys, "analyse drop:4,3,3 2 2 --json"))
    assert {move["move"] for move in found["moves"]} == {"1", "2", "3", "4"}


def test_analyse_endless_and_finished_positions(capsys):
    found = json.loads(output(capsys, "analyse tactic-toe b2 --json"))
    assert (found["value"], found["distance"]) == ("draw", None)
    found = json.loads(output(capsys, "analyse tic-tac-toe a1 a2 b1 b2 c1 --json"))
    assert (found["value"], found["distance"], found["moves"]) == ("loss", 0, [])
    assert "The game is over: X has won." in output(capsys, "analyse tic-tac-toe a1 a2 b1 b2 c1")
    assert "The game is over: drawn." in output(capsys, "analyse tic-tac-toe b2 a1 a3 c1 b1 b3 c3 a2 c2")


def test_analyse_as_text(capsys):
    out = output(capsys, "analyse tactic-toe --position X:.../.../...")
    assert "X moves; X wins in 13 plies with best play." in out
    assert out.index("b1  win in 13 plies") < out.index("a1  endless draw")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("analyse tic-tac-toe a1 a1", "'a1' is not a legal move; legal are b1"),
        ("analyse tic-tac-toe --position X:OOO/.../...", "cannot be reached"),
        ("analyse tic-tac-toe --position nonsense", "does not say who is to move"),
        ("battle gomoku perfect random --games 1", "gomoku is too large to solve"),
        ("solve connect-four", "connect-four is too large to solve: about 5"),
        ("solve lines:8,8,5 --engine numba", "needs 64 bits a word"),
        ("verify nonsense", "'nonsense' is neither a table nor a game: "),
        ("verify tic-tac-toe", "tic-tac-toe is not solved yet; run: perfectplay solve tic-tac-toe"),
        ("verify gomoku", "gomoku is too large to solve"),
        ("verify README.md", "README.md is not a complete table"),
        ("tables --remove tic-tac-toe", "no table of 'tic-tac-toe' is kept"),
        ("solve tic-tac-toe --table /dev/null/x", "there is no folder '/dev/null'"),
        ("solve tic-tac-toe --table /dev/null", "is there already and is not a file"),
        ("analyse tic-tac-toe a1 a2 b1 b2 c1 c2", "'c2' cannot be played: the game is over in O:XXX/OO./..."),
    ],
)
def test_invalid_input_gets_one_line(capsys, line, words):
    assert words in complaint(capsys, line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("solve tic-tac-toe --memory lots", "'lots' is not a size such as 4000, 32K, 800M or 4G"),
        ("solve tic-tac-toe --memory 0G", "'0G' is not a size"),
        ("solve tic-tac-toe --memory 1K", "'1K' is less than the 200M that every solve needs"),
        ("solve tic-tac-toe --engine abacus", "invalid choice: 'abacus'"),
        ("verify x --sample 0", "'0' is not a whole number from 1"),
    ],
)
def test_bad_options_get_one_line(capsys, line, words):
    with pytest.raises(SystemExit) as stop:
        main(line.split())
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


def test_rules_that_do_not_compile_are_reported_in_one_line(capsys, tmp_path):
    (tmp_path / "odd.py").write_text(
        "from perfectplay import DRAW, ONGOING, Game\n"
        "def moves(mine, theirs): return int(str(1))\n"
        "def play(mine, theirs, move): return mine + 1, 0\n"
        "def outcome(mine, theirs): return DRAW if mine == 3 else ONGOING\n"
        "def game(): return Game(moves=moves, play=play, outcome=outcome, bits=2, shape=(1, 1))\n"
    )
    err = complaint(capsys, f"solve {tmp_path}/odd.py --engine numba")
    assert "does not compile" in err
    assert "line 2 of moves; it still runs interpreted" in err
    assert json.loads(output(capsys, f"solve {tmp_path}/odd.py --json"))["distance"] == 3


@pytest.mark.parametrize(
    ("engine", "words"), [("python", "without a legal move"), ("numba", "run perfectplay check for details")]
)
def test_rules_that_break_the_contract_are_refused(capsys, tmp_path, engine, words):
    (tmp_path / "stuck.py").write_text(  # one game in 4,096 gets stuck
        "from perfectplay import DRAW, ONGOING, Game\n"
        "def moves(mine, theirs): return 3 if mine < 12 else 0\n"
        "def play(mine, theirs, move): return mine + 1, theirs + move\n"
        "def outcome(mine, theirs): return DRAW if mine == 12 and theirs < 12 else ONGOING\n"
        "def game(): return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(1, 2))\n"
    )
    assert words in complaint(capsys, f"solve {tmp_path}/stuck.py --engine {engine}")


BROKEN = {
    "an image is negative": ("image=lambda m, t, i: (m, t) if i == 0 else (-1, -1)", "break the contract: image 1"),
    "images are none": ("image=lambda m, t, i: (m, t) if i == 0 else (t, m)", "break the contract: image 1"),
    "a word too wide, rarely": ("play=lambda m, t, move: (t, m | (1 << 12 if m == 11 and t == 52 else 1 << move))", ""),
    "a negative word, rarely": ("play=lambda m, t, move: (t, -9 if m == 11 and t == 52 else m | 1 << move)", ""),
    "unkey fails, rarely": ("unkey=lambda k: (k >> 9, k & 511) if k != 5684 else (0, 3)", ""),
    "moves without a name, rarely": ("moves=lambda m, t: (1 << 62) - 1 if m == 11 and t == 52 else 511 & ~(m | t)", ""),
}


@pytest.mark.parametrize("engine", ["python", "numba"])
@pytest.mark.parametrize("fault", BROKEN)
def test_broken_rules_never_give_a_wrong_answer(capsys, tmp_path, engine, fault):
    change, words = BROKEN[fault]
    (tmp_path / "broken.py").write_text(
        "from dataclasses import replace\n"
        "from perfectplay import Images, load\n"
        "def game():\n"
        "    good = load('examples/tictactoe.py')\n"
        f"    changes = dict({change})\n"
        "    if 'image' in changes: changes = {'symmetries': Images(2, changes['image'])}\n"
        "    return replace(good, **changes)\n"
    )
    err = complaint(capsys, f"solve {tmp_path}/broken.py --engine {engine}")
    assert words in err
    assert "run perfectplay check for details" in err or "(broken.py, line 5)" in err


def test_tables_are_listed_and_removed(capsys, home):
    (home / "cache").unlink()  # compiled code is listed and removed, too: spare that of other tests
    assert output(capsys, "tables").startswith("no tables yet in ")
    output(capsys, "solve tic-tac-toe")
    output(capsys, "solve misere")
    out = output(capsys, "tables")
    assert "tic-tac-toe" in out
    assert "765 canonical" in out
    assert "2 tables" in out
    listed = json.loads(output(capsys, "tables --json"))
    assert sorted(table["game"] for table in listed) == ["misere", "tic-tac-toe"]
    assert output(capsys, "tables --remove misere").startswith("removed ")
    (home / "data" / "tables" / "folder.table").mkdir()
    assert len(json.loads(output(capsys, "tables --remove-all --json"))["removed"]) == 1
    assert json.loads(output(capsys, "tables --json")) == []


def test_a_table_of_old_rules_is_ignored(capsys, tmp_path):
    rules = (
        "from perfectplay import DRAW, LOSS, ONGOING, Game\n"
        "def moves(mine, theirs): return 1\n"
        "def play(mine, theirs, move): return mine + 1, 0\n"
        "def outcome(mine, theirs): return DRAW if mine == 3 else ONGOING\n"
        "def game(): return Game(moves=moves, play=play, outcome=outcome, bits=2, shape=(1, 1))\n"
    )
    for number, text in enumerate((rules, rules.replace("DRAW if", "LOSS if"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "g.py").write_text(text)
    name = tmp_path / "0" / "g.py"
    output(capsys, f"solve {name}")
    assert json.loads(output(capsys, f"analyse {name} --json"))["value"] == "draw"
    name.write_text((tmp_path / "1" / "g.py").read_text())
    fresh = [sys.executable, "-m", "perfectplay"]
    done = subprocess.run([*fresh, "analyse", str(name), "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["value"] == "win"
    done = subprocess.run([*fresh, "verify", str(name)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "made for other rules" in done.stderr


def test_small_answers_come_without_numba_and_numpy(home):
    code = (
        "import sys; from perfectplay.front.cli import main; code = main(sys.argv[1:]);"
        "assert not {'numba', 'numpy', 'rich'} & set(sys.modules), 'too much imported'; sys.exit(code)"
    )
    for line in (
        "analyse tic-tac-toe --json",
        "--help",
        "solve kingpawns --json",
        "analyse kingpawns --json",
        "tables",
    ):
        command = [sys.executable, "-c", code, *line.split()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.nightly
def test_perfect_wins_and_draws(capsys):
    found = json.loads(output(capsys, "battle tactic-toe perfect blocks --games 30 --seed 1 --json"))
    assert found["wins"] == [30, 0]
    assert found["mean_plies"] <= 13
    found = json.loads(output(capsys, "battle tic-tac-toe random perfect --games 100 --seed 1 --json"))
    assert found["wins"][0] == 0
    found = json.loads(output(capsys, "battle tic-tac-toe perfect minimax --games 10 --seed 1 --swap --json"))
    assert found["draws"] == 10
    found = json.loads(output(capsys, "battle kingpawns perfect random --games 50 --seed 1 --json"))
    assert found["wins"][0] == 50


def test_perfect_repeats_from_its_seed(capsys):
    line = "battle tic-tac-toe perfect random --games 40 --seed 5 --json"
    assert output(capsys, line) == output(capsys, line)
