"""Games by name, by alias, by file; everything wrong gets one line."""

import ast
import re
from functools import partial

import pytest

from perfectplay import BadGame, load
from perfectplay.rules.families import GAMES


def test_sizes_by_place_and_by_keyword_mean_the_same():
    assert load("lines:4,3,3").shape == load("lines:width=4,height=3,k=3").shape == (4, 3)
    assert load("lines:3,3").shape == (3, 3)
    assert load("teeko:1").name == "teeko:1"
    assert load("lines:3,3,3,misere=true").outcome(0, 0b111) == 1
    assert load("lines:3,3,3").outcome(0, 0b111) == -1


def test_aliases():
    for alias, name in (("tic-tac-toe", "lines:3,3,3"), ("connect-four", "drop:7,6,4"), ("tactic-toe", "fading:3,3")):
        a, b = load(alias), load(name)
        assert (a.bits, a.shape, a.start, a.move_names) == (b.bits, b.shape, b.start, b.move_names)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("tic-tac-to", "did you mean tic-tac-toe"),
        ("poker", "perfectplay games lists all"),
        ("", "no game is called ''"),
        ("lines:3,3,3,true,5", "write lines:width=3,height=3,k=3,misere=false"),
        ("lines:3,3,x", "'x' is not a size"),
        ("lines:3,,3", "'' is not a size"),
        ("lines:k=3,4", "needs a keyword"),
        ("lines:k=3,k=3", "given twice"),
        ("lines:depth=3", "unexpected keyword"),
        ("lines:0,3,3", "width and height must be 1 to 64"),
        ("lines:3,3,4", "k must be 1 to 3"),
        ("lines:99999999999,3,3", "'99999999999' is too large; a size has at most 9 digits"),
        ("fading:3,4", "marks must be 1 to 3"),
        ("kingpawns:5", "pawns must be 1 to 4, not 5"),
        ("kingpawns:true", "pawns must be a number, not true or false"),
        ("kingpawns:4,true", "pawns must be 1 to 3 with promotion, not 4"),
        ("kingpawns:queens=1", "write kingpawns:pawns=2,promotion=false"),
        (
            "tic-tac-toe:4",
            "already (lines:3,3,3: width, height, k); write the family with all of them, such as lines:4",
        ),
        (
            "misere:4",
            "(lines:3,3,3,misere=true: width, height, k); write the family with all of them, such as lines:4,",
        ),
        ("tic-tac-toe:5,5,4", "such as lines:5,5,4"),
        ("tic-tac-toe:5,4", "such as lines:5,4,3"),
        ("tic-tac-toe:k=2", "such as lines:3,3,2"),
        ("tic-tac-toe:misere=true", "such as lines:3,3,3,misere=true"),
        ("tic-tac-toe:4,4,4,true,5", "such as lines:3,3,3"),
        ("gomoku:19", "such as lines:19,19,5"),
        ("connect-four:8", "already (drop:7,6,4: width, height, k); write the family with all of them, such as drop:8"),
        ("tactic-toe:4", "already (fading:3,3: size, marks); write the family with all of them, such as fading:4,4"),
        ("tactic-toe:2", "such as fading:3,3"),
        ("./nowhere.py", "there is no file './nowhere.py'"),
        ("../games/lines", "ends in .py"),
        ("tests/games", "'tests/games' is a folder"),
        ("examples/hexapawn", "did you mean ./examples/hexapawn.py?"),
        ("Tik-Tak-Toe", "did you mean tic-tac-toe?"),
        ("lines:", "names no sizes; write lines, or sizes"),
        ("./mygame.py:", "names no sizes; write ./mygame.py, or sizes"),
        ("__init__", "no game is called"),
        ("teeko:5", "advanced must be true or false, not 5"),
        ("lines:3,3,3,misere=2", "misere must be true or false, not 2"),
        ("morris:true", "men must be a number"),
        ("nim:true", "heaps must be a number"),
    ],
)
def test_bad_names_get_one_line(name, complaint):
    with pytest.raises(BadGame, match=re.escape(complaint)) as caught:
        load(name)
    assert "\n" not in str(caught.value)


def test_a_file_of_that_name_is_what_was_meant(tmp_path, monkeypatch):
    (tmp_path / "line.py").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadGame, match=r"no game is called 'line'; did you mean ./line.py\?"):
        load("line:3,3")
    with pytest.raises(BadGame, match=r"^./line.py has no function game"):
        load("./line.py")


RULES = """from perfectplay import Game
def outcome(m, t): return {outcome}
def play(m, t, move): return {play}
def moves(m, t): return {moves}
def game(): return Game(moves=moves, play=play, outcome=outcome, bits=3, shape=(3, 1))
"""

NAMED = RULES.replace("bits=3, shape=(3, 1)", "bits=5, shape=(2, 2), {names}")
named = partial(NAMED.format, outcome="2", moves="16", play="(t, m)")
RECORD = """from perfectplay import Game, Sides
rule = lambda *words: 0
fields = dict(moves=rule, play=rule, outcome=rule, bits=3, shape=(3, 1))
def game(): return Game(**dict(fields, {}))
"""


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("def game(:", "(line 1) does not load: SyntaxError"),
        ("\nimport no_such_module", "(line 2) does not load: ModuleNotFoundError"),
        ("x = 1", "mine.py has no function game; write: def game(): return Game(...)"),
        ("\0", "mine.py does not load: SyntaxError"),
        ("def game(n, k=3): return n", "mine.py:5,k=3"),
        ("def game(*, n): return n", "mine.py:n=5"),
        ("def game(): return 5", "game() returns 5, not a Game"),
        ("def game():\n    return 1 / 0", "(line 2) does not work: ZeroDivisionError"),
        (RULES.format(outcome="2", moves="7", play="1 / 0"), "(line 3) does not work: ZeroDivisionError"),
        (RULES.format(outcome="2", moves="7", play="None"), "play leads to None from X:... (0, 0) by move 0 (a1)"),
        (RULES.format(outcome="2", moves="7", play="(t, 8)"), "play leads to (0, 8) from X:... (0, 0) by move"),
        (RULES.format(outcome="2", moves="~(m | t)", play="(t, m)"), "moves is -1 in X:... (0, 0)"),
        (RULES.format(outcome="2", moves="0", play="(t, m)"), "X:... (0, 0) is ONGOING without a legal move"),
        (RULES.format(outcome="2", moves="[1, 2]", play="(t, m)"), "moves is [1, 2] in X:... (0, 0)"),
        (RULES.format(outcome="2", moves="8", play="(t, m)"), "move 3 has no name: only moves 0 to 2 are squares;"),
        (RULES.format(outcome="None", moves="7", play="(t, m)"), "outcome is None in X:... (0, 0)"),
        (RULES.format(outcome="2.0", moves="7", play="(t, m)"), "outcome is 2.0 in X:... (0, 0)"),
        (RULES.format(outcome="False", moves="7", play="(t, m)"), "outcome is False in X:... (0, 0)"),
        (RULES.format(outcome="exit(0)", moves="7", play="(t, m)"), "does not work: SystemExit"),
        (named(names=""), "move 4 has no name: only moves 0 to 3 are squares of shape (2, 2), fewer than the 5 bits"),
        (named(names="move_names=('a', 'b')"), "move 4 has no name: move_names has 2"),
        (named(names="move_names=lambda m, t, move: 3"), "move_names must return text, not 3"),
        (named(names="move_names=(0, 1, 2, 3, 4)"), "move_names must be text, not 4"),
        (RECORD.format("bits=0"), "bits must be a whole number from 1, not 0"),
        (RECORD.format("shape=(2,)"), "shape must be two whole numbers from 1"),
        (RECORD.format("shape=(-2, 2)"), "shape must be two whole numbers from 1"),
        (RECORD.format("start=5"), "start must be two whole numbers of at most 3 bits"),
        (RECORD.format("start=(8, 0)"), "start must be two whole numbers of at most 3 bits"),
        (RECORD.format("cells=(0, 1)"), "cells must have 3 entries, not 2, since shape (3, 1) has 3 squares"),
        (RECORD.format("cells=Sides((0, 1, 2), (2, 1))"), "cells must have 3 entries, not 2"),
        (RECORD.format("symmetries=[(0, 1), (1, 0)]"), "each of the symmetries must list all 3 squares, not 2"),
        (RECORD.format("look=3"), "look must be a Look"),
        (RECORD.format("moves=3"), "moves must be a function"),
        (RECORD.format("key=lambda m, t: 0"), "key and unkey go together"),
    ],
)
def test_bad_files_get_one_line(tmp_path, source, complaint):
    file = tmp_path / "mine.py"
    file.write_text(source)
    with pytest.raises(BadGame, match=re.escape(complaint)) as caught:
        load(str(file))
    assert "\n" not in str(caught.value)


def test_a_file_may_import_its_neighbours(tmp_path):
    (tmp_path / "neighbour_of_mine.py").write_text("from perfectplay import load\n")
    (tmp_path / "mine.py").write_text("from neighbour_of_mine import load\ndef game(): return load('tic-tac-toe')\n")
    assert load(f"{tmp_path}/mine.py").shape == (3, 3)


def test_a_new_game_is_one_file():
    game = load("examples/hexapawn.py:4,3")
    assert (game.shape, game.name) == ((4, 3), "examples/hexapawn.py:4,3")


RULE_MODULES = ("bits", "game", "rules.chess", "rules.point_boards", "rules.stone_keys", "words")
"""What a game file may import."""


def test_game_files_are_plain():
    for node in (node for file in GAMES.glob("[!_]*.py") for node in ast.walk(ast.parse(file.read_text()))):
        if isinstance(node, ast.FunctionDef):
            assert not node.decorator_list
        if isinstance(node, ast.ImportFrom):
            assert node.module in {f"perfectplay.{name}" for name in RULE_MODULES}
        if isinstance(node, ast.Raise):
            assert "BadGame" in ast.dump(node)
        assert not isinstance(node, ast.Import | ast.ClassDef | ast.Try)
