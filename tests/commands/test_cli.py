"""The program as a user types it: commands and options, what is refused, what is printed and what is imported."""

import json
import os
import re
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from command_line import complaint, exit_code, output
from perfectplay.commands.cli import as_flags, main
from perfectplay.commands.parser import parse
from perfectplay.commands.solve import ENGINE
from perfectplay.commands.verbs import FILES
from perfectplay.rules.families import family_names
from perfectplay.solvers import engine_table

# The command line


def test_help_lists_the_commands(capsys):
    out = output(capsys, "help")
    assert exit_code("--help") == 0
    assert capsys.readouterr().out == out
    assert "perfectplay play tic-tac-toe" in out
    assert all(f"\n  {name} " in out for name in FILES)


def test_without_arguments_it_says_what_to_try(capsys):
    lines = output(capsys, "").splitlines()
    assert len(lines) == 5
    assert max(map(len, lines)) <= 80
    assert "perfectplay play tic-tac-toe" in lines[0]
    assert "--help" in lines[-1]


@pytest.mark.nightly
def test_the_parser_knows_the_engines():
    assert {*ENGINE.choices} == {"auto", *(engine.name for engine in engine_table.ENGINES)}


@pytest.mark.parametrize(
    "line",
    [
        "analyse tic-tac-toe b2 a1 --nodes 9 --json",
        "analyse tic-tac-toe --json b2 --nodes 9 a1",
        "analyze --nodes 9 --json tic-tac-toe -- b2 a1",
        "--traceback --nodes=9 --json analyse tic-tac-toe b2 a1",
    ],
)
def test_options_and_moves_in_any_order(line):
    command, options = parse(line.split())
    assert command.name == "analyse"
    assert (options.game, options.moves, options.nodes, options.json) == ("tic-tac-toe", ["b2", "a1"], 9, True)


def test_a_move_may_begin_with_a_minus_sign():
    assert parse("analyse tic-tac-toe -1 --json - -- --json".split())[1].moves == ["-1", "-", "--json"]


@pytest.mark.parametrize("line", ["--version solve", "--help solve", "--traceback -h"])
def test_options_of_the_program_come_before_those_of_a_command(line, capsys):
    assert exit_code(line) == 0
    assert "solve drop:5,4,4" not in capsys.readouterr().out


def test_the_american_spelling_is_accepted():
    assert parse("analyze tic-tac-toe b2".split()) == parse("analyse tic-tac-toe b2".split())


def test_options_without_effect_are_named(capsys):
    assert main("compare tic-tac-toe --nodes 9 --boards 3 --depth 3 --json".split()) == 0
    out, err = capsys.readouterr()
    for words in ("--boards has no effect without --show", "--depth has no effect in a game without"):
        assert f"perfectplay: {words}" in err
    assert err.count("\n") == 2
    assert "cache" not in json.loads(out)


# What cannot be used


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dance", "no command is called 'dance'; see perfectplay --help"),
        ("sovle tic-tac-toe", "did you mean solve?"),
        ("ana", "did you mean analyse?"),
        ("ANALYSE tic-tac-toe", "did you mean analyse?"),
        ("help anaylse", "did you mean analyse?"),
        ("--versoin", "did you mean --version?"),
        ("version", "did you mean --version?"),
        ("--json", "no option is called '--json'; see"),
        ("games --yaml", "see perfectplay games --help"),
        ("solve tic-tac-toe --treads 2", "did you mean --threads?"),
        ("solve tic-tac-toe --thr 2", "no option is called '--thr'; did you mean --threads?"),
        ("solve tic-tac-toe --table=x", "did you mean --to?"),
        ("solve tic-tac-toe --to x.html", "'x.html' is a name for an HTML page, not for a table; perfectplay export"),
        ("export tic-tac-toe --html x.html", "no option is called '--html'; did you mean --to?"),
        ("solve", "arguments are required: GAME; such as: perfectplay solve tic-tac-toe; see"),
        ("tic-tac-toe", "did you mean play tic-tac-toe?"),
        ("puzzles tic-tac-toe --co 3", "did you mean --count?"),
        ("an", "did you mean analyse?"),
        ("certify tic-tac-toe wins --report x.html", "did you mean --to?"),
        ("sweep lines:2,2,2 --seconds-each 3", "did you mean --seconds?"),
        ("completion", "bash,zsh,fish"),
        ("battle tic-tac-toe random", "arguments are required: PLAYER"),
        ("perft tic-tac-toe 3 4", "unexpected argument '4'"),
        ("perft tic-tac-toe -1", "'-1' is not a whole number from 0"),
        ("battle tic-tac-toe random random --games 0", "'0' is not a whole number from 1"),
        ("battle tic-tac-toe random random --jobs 0", "from 1 to 1,024"),
        ("battle tic-tac-toe random random --seed -1", "from 0 to 9,223,372,036,854,775,807"),
        ("battle tic-tac-toe random random --seed 9223372036854775808", "from 0 to 9,223,372,036,854,775,807"),
        ("analyse connect-four --seconds 0", "'0' is not a time in seconds"),
        ("analyse connect-four --seconds soon", "'soon' is not a time in seconds"),
        ("solve tic-tac-toe --memory lots", "'lots' is not a size such as 4000, 32K, 800M or 4G"),
        ("solve tic-tac-toe --memory 1K", "'1K' is less than the 200M that every solve needs"),
        ("solve tic-tac-toe --engine abacus", "invalid choice: 'abacus'"),
        ("play nonsense", "no game is called 'nonsense'"),
        ("play lines:3,3,x", "'x' is not a size"),
        ("play ./nowhere.py", "there is no file './nowhere.py'"),
        ("play tic-tac-toe --second nobody", "no player is called 'nobody'"),
        ("play connect-four --second minimax", "too large for plain minimax"),
        ("play tactic-toe --second minimax", "tactic-toe has cycles, from O:"),
        ("play tic-tac-toe perfect --second random", "name the players once"),
        ("play tic-tac-toe perfect random blocks", "two can play, not 3: perfect random blocks"),
        ("play tic-tac-toe perfect nobody", "'nobody'"),
        ("battle tic-tac-toe random human", "human can only play in the terminal"),
        ("battle gomoku perfect random", "gomoku is too large to solve"),
        ("solve connect-four", "connect-four is too large to solve: about 5"),
        ("solve lines:8,8,5 --engine numba", "needs 64 bits a word"),
        ("solve tic-tac-toe --to /dev/null/x", "there is no folder '/dev/null'"),
        ("solve tic-tac-toe --to /dev/null", "is there already and is not a file"),
        ("verify nonsense", "'nonsense' is neither a table nor a game: "),
        ("verify tic-tac-toe", "tic-tac-toe is not solved yet; run: perfectplay solve tic-tac-toe"),
        ("verify README.md", "README.md is not a complete table"),
        ("tables --remove tic-tac-toe", "no table of 'tic-tac-toe' is kept"),
        ("book lines:9,9,5 --plies 2", "lines:9,9,5 needs 81 bits a word"),
        ("book tactic-toe --plies 2", "tactic-toe has no hint plies_left"),
        ("analyse tic-tac-toe a1 a1", "'a1' is not a legal move; legal are b1"),
        ("analyse tic-tac-toe a1 a2 b1 b2 c1 c2", "'c2' cannot be played: the game is over in O:XXX/OO./..."),
        ("analyse connect-four 4 4 4 4 4 4 4", "legal are 1 2 3 5 6 7, in X:...O.../...X..."),
        ("analyse tic-tac-toe --position X:OOO/.../...", "cannot be reached"),
        (f"analyse connect-four --position O:X....../{'/'.join(['.......'] * 5)}", "no move of X leads there"),
        (f"analyse connect-four --position X:{'/'.join(['.......'] * 5)}/X......", "after 1 ply it is O's turn"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(line, words, capsys):
    assert words in complaint(capsys, line)


@pytest.mark.parametrize("host", ["300.1.1.1", "192.0.2.1", "a..b"])
def test_a_host_that_cannot_be_listened_on_is_named(host, capsys):
    said = complaint(capsys, f"serve --host {host}")
    assert f"cannot listen at --host '{host}'" in said
    assert "--port" not in said


@pytest.mark.parametrize("line", ["--traceback play nonsense", "play nonsense --traceback"])
def test_traceback_shows_what_is_behind_an_error(line, capsys):
    assert main(line.split()) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1].startswith("perfectplay: no game is called 'nonsense'")


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ('no GPU answers; use engine="numba"', "no GPU answers; use --engine numba"),
        ("make room, then resume=True continues", "make room, then --resume continues"),
        ("try a smaller size, or memory=... if there is more", "try a smaller size, or --memory if there is more"),
        ("max_plies=9 and all_positions=True", "--max-plies 9 and --all"),
        ("table=False gives the result without it", "--no-table gives the result without it"),
        ("write ./mygame.py:seed=3,games=2, or rows=3", "write ./mygame.py:seed=3,games=2, or rows=3"),
    ],
)
def test_messages_name_options_where_the_library_names_parameters(message, shown):
    flags = {flag.lstrip("-").replace("-", "_"): flag for flag in ("--engine", "--resume", "--memory", "--max-plies")}
    assert as_flags(message, flags | {"all_positions": "--all", "table=False": "--no-table"}) == shown


# Battles, counts and lists


def test_a_battle_as_json_and_as_text(capsys):
    result = json.loads(output(capsys, "battle tic-tac-toe random perfect --games 20 --seed 1 --json"))
    assert list(result) == ["game", "players", "games", "wins", "draws", "forfeits", "mean_plies", "seed"]
    assert result["games"] == sum(result["wins"]) + result["draws"] == 20
    assert (result["players"], result["seed"], result["wins"][0]) == (["random", "perfect"], 1, 0)
    out = output(capsys, "battle tic-tac-toe examples/bots.py:my_ai random --games 20 --seed 2")
    assert all(words in out for words in ("won by examples/bots.py:my_ai", "95% CI", "mean length"))


def test_a_battle_without_a_seed_names_one_that_repeats_it(capsys):
    line = "battle tic-tac-toe random random --games 20 --json"
    once = output(capsys, line)
    assert output(capsys, f"{line} --seed {json.loads(once)['seed']}") == once


def test_perft(capsys):
    assert output(capsys, "perft connect-four 4").splitlines()[5].split() == ["4", "2,401", "1,120", "0"]


def test_lists(capsys):
    for line, names in (("games", "lines tic-tac-toe connect-four"), ("players", "random blocks human minimax_ai")):
        out = output(capsys, line)
        assert all(name in out for name in names.split())
    assert {game["name"] for game in json.loads(output(capsys, "games --json"))} == {*family_names()}
    players = json.loads(output(capsys, "players --json"))
    assert players[0] == {"name": "human", "summary": "a person at the terminal"}


LATE = """
from perfectplay import DRAW, ONGOING, Game
def moves(mine, theirs): return 1 // 0 if mine == 1 else 0b1111 & ~(mine | theirs)
def play(mine, theirs, move): return theirs, mine | 1 << move
def outcome(mine, theirs): return DRAW if mine | theirs == 0b1111 else ONGOING
def game(): return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(4, 1))
"""


@pytest.mark.parametrize("line", ["check {}", "battle {} random random", "perft {} 5"])
def test_rules_that_raise_late_get_one_line(line, tmp_path, capsys):
    file = tmp_path / "late.py"
    file.write_text(LATE)
    assert main(line.format(file).split()) == 2
    assert "late.py (line 3) raised an error: ZeroDivisionError" in capsys.readouterr().err


def test_any_other_fault_while_a_users_file_is_at_work_gets_one_line(capsys, monkeypatch):
    monkeypatch.setattr("perfectplay.commands.prove.counting.counted", lambda *_: 1 // 0)
    assert main(["perft", "examples/tictactoe.py", "2"]) == 2
    said = capsys.readouterr().err
    assert "tictactoe.py raised an error: ZeroDivisionError" in said
    assert "try perfectplay check" in said


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("export kalah:1,1 --to {0}/kalah.c", "1 byte of table"),
        ("export kalah:1,1 --to {0}/kalah.c", "1 of 2 canonical positions is stored"),
        ("odds kalah:1,1 random random --games 1", "from 1 game\n"),
        ("certify kalah:1,1 random", "1 question,"),
        ("battle kalah:2,1 random random --games 1 --max-plies 1", "1 game called drawn after 1 ply\n"),
        ("compare kalah:1,1", "in the only unfinished position"),
        ("tree kalah:1,1 --to {0}/kalah.html", 'data-below="1 move"'),
    ],
)
def test_one_of_a_kind_is_singular(line, found, tmp_path, capsys):
    said = output(capsys, line.format(tmp_path))
    said += "".join(file.read_text() for file in tmp_path.glob("*.html"))
    assert found in said
    assert not re.search(r"(?<![\d.,])1 (?!is |was |has )([a-z]+ )?[a-z]+s\b", said.replace("1 of 2", ""))


# Imports and streams

SPARED = {
    "analyse tic-tac-toe --json": "numba numpy rich shtab",
    "solve kingpawns --json": "numba numpy rich shtab",
    "tables": "numba numpy rich shtab",
    "battle connect-four blocks random --games 2 --json": "numba numpy shtab",
    "games": "numba numpy shtab",
    "play tic-tac-toe --first wins --second minimax --seed 1": "numba numpy shtab",
    "completion bash": "numba numpy",
    "analyse connect-four --json": "numba",
}
"""Commands, and the modules that neither they nor those before them import."""
PROGRAM = """
import json, sys
import perfectplay as pp

def spares(what, names):
    imported = {*names.split()} & {*sys.modules}
    assert not imported, f"{what} imports {imported}"

match = pp.Match("tic-tac-toe").play("b2")
spares("a match", "numba numpy rich shtab")
from perfectplay.__main__ import main
for line, names in json.loads(sys.argv[1]).items():
    assert main(line.split()) == 0
    spares(line, names)
assert pp.player("perfect", "connect-four").choose(pp.Match("connect-four")) == "4"
assert pp.Searcher(pp.load("connect-four")).best_moves((0, 0)) == [3]
spares("the opening book", "numba")
"""


def test_what_compiles_nothing_imports_neither_numba_nor_numpy():
    """In one process, because each command spares what those before it spare, or less."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, json.dumps(SPARED)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_closed_and_full_streams(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert "Goodbye." in output(capsys, "play tic-tac-toe")
    reader, writer = os.pipe()
    os.close(reader)
    for place, code, said in (
        ("/dev/full", 2, "perfectplay: cannot continue: No space left on device\n"),
        (writer, 0, ""),  # whose reader has gone
    ):
        with open(place, "w") as screen, monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", screen)
            assert main(["games"]) == code
        assert capsys.readouterr().err == said
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["games"]) == main(["games", "nim"]) == 0


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("line", "stream", "code"),
    [
        ("play tic-tac-toe", "<&-", 0),
        ("games", ">&-", 0),
        ("games", ">/dev/full", 2),
        ("games", "| true", 0),
        ("play tic-tac-toe random random", "| true", 0),
    ],
)
def test_closed_and_full_streams_of_a_process(line, stream, code):
    command = f"set -o pipefail; {sys.executable} -m perfectplay {line} {stream}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (code, int(code == 2))


@pytest.mark.parametrize(
    ("line", "drawn"), [("play tic-tac-toe", " 1 | X |"), ("battle tic-tac-toe random random --games 9", "#")]
)
def test_a_terminal_that_knows_only_ascii(line, drawn, monkeypatch):
    screen = BytesIO()
    monkeypatch.setattr(sys, "stdin", StringIO("a1\n"))
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(screen, "ascii"))
    assert main(line.split()) == 0
    assert drawn in screen.getvalue().decode("ascii")
