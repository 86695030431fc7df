"""The program as a user types it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import output, wait_until
from perfectplay.families import family_names
from perfectplay.front.cli import as_flags, main
from perfectplay.front.command_table import COMMANDS
from perfectplay.front.parser import BY_NAME, command_parser, parse


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "perfectplay", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        encoding="utf-8",
        **options,
    )


def test_battle_json(capsys):
    assert main("battle tic-tac-toe random minimax_ai --games 20 --seed 1 --json".split()) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == ["game", "players", "games", "wins", "draws", "forfeits", "mean_plies", "seed"]
    assert result["players"] == ["random", "minimax_ai"]
    assert result["games"] == sum(result["wins"]) + result["draws"] == 20
    assert result["wins"][0] == 0
    assert result["forfeits"] == [0, 0]
    assert 5 <= result["mean_plies"] <= 9
    assert result["seed"] == 1


def test_battle_text(capsys):
    assert main("battle tic-tac-toe examples/bots.py:my_ai random --games 50 --seed 2".split()) == 0
    out = capsys.readouterr().out
    assert "won by examples/bots.py:my_ai" in out
    assert "95% CI" in out
    assert "mean length" in out


def test_a_battle_without_a_seed_names_one_that_repeats_it(capsys):
    main("battle tic-tac-toe random random --games 50 --json".split())
    once = json.loads(capsys.readouterr().out)
    main(f"battle tic-tac-toe random random --games 50 --json --seed {once['seed']}".split())
    assert json.loads(capsys.readouterr().out) == once


def test_a_battle_reports_illegal_moves_and_games_called_drawn(tmp_path, capsys):
    file = tmp_path / "bots.py"
    file.write_text("def ai(board, side): return 0, 0\n")
    main(["battle", "tic-tac-toe", f"{file}:ai", "random", "--games", "10", "--seed", "1"])
    out = capsys.readouterr().out
    assert f"{file}:ai forfeited 10 games, first game 1: (0, 0) as (row, column) is not" in out
    main("battle tactic-toe random random --games 10 --seed 1 --max-plies 2".split())
    assert "10 games called drawn after 2 plies" in capsys.readouterr().out


def test_perft_json(capsys):
    assert main("perft tic-tac-toe 3 --json".split()) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["game"], facts["depth"], facts["nodes"]) == ("tic-tac-toe", 3, [1, 9, 72, 504])


def test_perft_text(capsys):
    assert main("perft connect-four 4".split()) == 0
    assert capsys.readouterr().out.splitlines()[5].split() == ["4", "2,401", "1,120", "0"]


def test_lists(capsys):
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("lines", "tic-tac-toe", "drop", "connect-four", "fading", "kingpawns"))
    main(["games", "--json"])
    assert {game["name"] for game in json.loads(capsys.readouterr().out)} == {*family_names()}
    main(["players"])
    out = capsys.readouterr().out
    assert all(name in out for name in ("random", "wins", "blocks", "minimax", "human", "minimax_ai"))
    main(["players", "--json"])
    assert json.loads(capsys.readouterr().out)[0] == {"name": "human", "summary": "a person at the terminal"}


def test_check(tmp_path, capsys):
    assert main("check examples/hexapawn.py --walks 5".split()) == 0
    assert "FAULT" not in capsys.readouterr().out
    file = tmp_path / "stuck.py"
    file.write_text(
        "from perfectplay import DRAW, ONGOING, Game\n"
        "def moves(mine, theirs): return 0 if mine == 1 else 0b1111 & ~(mine | theirs)\n"
        "def play(mine, theirs, move): return theirs, mine | 1 << move\n"
        "def outcome(mine, theirs): return DRAW if mine | theirs == 0b1111 else ONGOING\n"
        "def game(): return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(4, 1))\n"
    )
    assert main(["check", str(file)]) == 2
    out, err = capsys.readouterr()
    assert "is ONGOING without a legal move" in out
    assert "breaks the contract" in err


@pytest.mark.parametrize(
    ("rule", "other", "code", "said"),
    [
        ("", "", 0, "50 random games: 29 won by X, 16 by O, 5 drawn; 5 to 9 plies"),
        (
            *("theirs, mine | 1 << move", "mine | 1 << move, theirs", 2),
            "50 random games: 0 won by X, 0 by O, 50 drawn; 9 plies",
        ),
        ("if theirs & line", "if mine & line", 2, "50 random games: 11 won by X, 21 by O, 18 drawn; 6 to 9 plies"),
    ],
)
def test_check_tells_how_random_games_end(tmp_path, capsys, rule, other, code, said):
    file = tmp_path / "toe.py"
    file.write_text(Path("examples/tictactoe.py").read_text().replace(rule, other))
    assert main(["check", str(file)]) == code
    assert any(line.startswith(said) for line in capsys.readouterr().out.splitlines())


def test_rules_that_do_not_compile_pass_the_check(tmp_path, capsys):
    rules = Path("examples/tictactoe.py").read_text()
    body = "    if any(theirs & line == line for line in LINES):\n        return LOSS\n"
    file = tmp_path / "toe.py"
    file.write_text(re.sub(r"    for line in LINES:\n.*\n.*\n", body, rules))
    assert main(["check", str(file)]) == 0
    (note,) = re.findall(r"^note .*\n {7}(.*)$", capsys.readouterr().out, re.MULTILINE)
    assert "any(" in note
    assert "still run interpreted" in note
    assert "game-record.md" in note


@pytest.mark.parametrize(
    "arguments",
    [
        "play nonsense",
        "play lines:3,3,x",
        "play ./nowhere.py",
        "play tic-tac-toe --second nobody",
        "play connect-four --second minimax",
        "play tactic-toe --second minimax",
        "battle tic-tac-toe random",
        "battle tic-tac-toe random human",
        "battle tic-tac-toe random ./nowhere.py:ai",
        "battle tic-tac-toe random random --games 0",
        "battle tic-tac-toe random random --games many",
        "battle tic-tac-toe random random --jobs 0",
        "battle tic-tac-toe random random --seed -1",
        "perft tic-tac-toe -1",
        "perft tic-tac-toe 1 2",
        "perft lines:3,3,9 2 --json",
        "dance",
    ],
)
def test_nonsense_gets_one_line_and_exit_code_2(arguments, capsys):
    try:
        code = main(arguments.split())
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("perfectplay")
    assert "Traceback" not in err


def exit_of(arguments):
    """The exit code, also where argparse exits."""
    try:
        return main(arguments.split())
    except SystemExit as stop:
        return stop.code


def test_every_command_has_help_with_an_example(capsys):
    assert {command.name for command in COMMANDS} == {
        *("games", "players", "play", "serve", "battle", "perft", "check", "book", "odds", "help", "completion"),
        *("solve", "analyse", "tables", "verify", "compare", "export", "site"),
        "certify",
        "draw",
        "tree",
        "explain",
        "puzzles",
        "review",
        "strategy",
        "sweep",
        "bot",
        "tournament",
    }
    for command in COMMANDS:
        assert exit_of(f"{command.name} --help") == 0
        shown = capsys.readouterr().out
        assert f"example:\n  perfectplay {command.name}" in shown
        assert exit_of(f"help {command.name}") == 0
        assert capsys.readouterr().out == shown


def test_help_lists_the_commands(capsys):
    assert main(["help"]) == 0
    out = capsys.readouterr().out
    assert all(f"    {command.name}" in out for command in COMMANDS)


def test_examples_in_the_help_parse():
    for command in COMMANDS:
        example = command_parser(command).epilog.splitlines()[-1].split()
        assert example[:2] == ["perfectplay", command.name]
        assert parse(example[1:])[0] is command


@pytest.mark.parametrize(
    ("mistyped", "meant"),
    [
        ("sovle tic-tac-toe", "did you mean solve?"),
        ("help anaylse", "did you mean analyse?"),
        ("solve tic-tac-toe --treads 2", "did you mean --threads?"),
        ("battle tic-tac-toe random random --max-ply 9", "did you mean --max-plies?"),
        ("games --yaml", "see perfectplay games --help"),
        ("--versoin", "did you mean --version?"),
        ("version", "did you mean --version?"),
        ("--json", "no option is called '--json'; see"),
        ("ana", "did you mean analyse?"),
        ("ANALYSE tic-tac-toe", "did you mean analyse?"),
        ("Solve tic-tac-toe", "did you mean solve?"),
        ("--json sovle tic-tac-toe", "did you mean solve?"),
        ("completion", "bash,zsh,fish"),
        ("battle tic-tac-toe random random --seed 9223372036854775808", "from 0 to 9,223,372,036,854,775,807"),
        ("perft tic-tac-toe 3 4", "unexpected argument '4'"),
    ],
)
def test_mistyped_commands_and_options_get_a_suggestion(mistyped, meant, capsys):
    assert exit_of(mistyped) == 2
    err = capsys.readouterr().err
    assert meant in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        "analyse tic-tac-toe b2 a1 --nodes 9 --json",
        "analyse tic-tac-toe --json b2 --nodes 9 a1",
        "analyse --json tic-tac-toe b2 a1 --nodes 9",
        "analyze --nodes 9 --json tic-tac-toe -- b2 a1",
        "--json --nodes 9 analyse tic-tac-toe b2 a1",
        "--traceback --nodes=9 --json analyse tic-tac-toe b2 a1",
    ],
)
def test_options_and_moves_in_any_order(arguments):
    command, options = parse(arguments.split())
    assert command is BY_NAME["analyse"]
    assert (options.game, options.moves, options.nodes, options.json) == ("tic-tac-toe", ["b2", "a1"], 9, True)


@pytest.mark.parametrize("arguments", ["--version solve", "--help solve", "--traceback -h"])
def test_options_of_the_program_come_before_those_of_a_command(arguments, capsys):
    assert exit_of(arguments) == 0
    assert "solve drop:5,4,4" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "said"),
    [("--boards 3", "--boards has no effect without --show"), ("--depth 3", "--depth has no effect in a game without")],
)
def test_options_without_effect_are_named(option, said, capsys):
    assert main(f"compare tic-tac-toe --nodes 9 {option} --json".split()) == 0
    out, err = capsys.readouterr()
    assert err.startswith(f"perfectplay: {said}")
    assert err.count("\n") == 1
    assert "cache" not in json.loads(out)


@pytest.mark.parametrize("host", ["300.1.1.1", "192.0.2.1", "a..b"])
def test_a_host_that_cannot_be_listened_on_is_named(host, capsys):
    assert main(["serve", "--host", host]) == 2
    err = capsys.readouterr().err
    assert f"cannot listen at --host '{host}'" in err
    assert "--port" not in err


def test_a_move_may_begin_with_a_minus_sign():
    assert parse("analyse tic-tac-toe -1 --json - -- --json".split())[1].moves == ["-1", "-", "--json"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("battle tic-tac-toe random wins --most-plies 9", "battle tic-tac-toe random wins --max-plies 9"),
        ("analyse tic-tac-toe --chance uniform", "analyse tic-tac-toe --against uniform"),
        ("solve tic-tac-toe --engine python", "solve tic-tac-toe --engine python"),
        ("solve tic-tac-toe --engine numba", "solve tic-tac-toe --engine numba"),
        ("analyze tic-tac-toe b2", "analyse tic-tac-toe b2"),
    ],
)
def test_old_spellings_are_accepted_and_not_shown(old, new):
    assert parse(old.split()) == parse(new.split())
    shown = command_parser(parse(new.split())[0]).format_help()
    assert not set(old.split()[1:]) - set(new.split()[1:]) & set(shown.split())


@pytest.mark.parametrize(
    "arguments", ["--traceback play nonsense", "play nonsense --traceback", "play --traceback nonsense"]
)
def test_traceback_shows_what_is_behind_an_error(arguments, capsys):
    assert main(arguments.split()) == 2
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
        ("take fewer workers=2.", "take fewer --workers 2."),
        ("table=False gives the result without it", "--no-table gives the result without it"),
        ("write ./mygame.py:seed=3,games=2, or rows=3", "write ./mygame.py:seed=3,games=2, or rows=3"),
    ],
)
def test_messages_name_options_where_the_library_names_parameters(message, shown):
    assert as_flags(message) == shown


def test_without_a_command_the_help_is_shown(capsys):
    assert main([]) == 0
    assert "perfectplay play tic-tac-toe" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["games"],
        ["battle", "connect-four", "blocks", "random", "--games", "2", "--json"],
        ["play", "tic-tac-toe", "--first", "wins", "--second", "minimax", "--seed", "1"],
        ["perft", "kingpawns", "3"],
    ],
)
def test_what_does_not_compile_imports_neither_numba_nor_numpy(arguments):
    code = (
        "import sys\nfrom perfectplay.front.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        "sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120).returncode == 0


@pytest.mark.parametrize(
    "code",
    [
        "main(['analyse', 'connect-four', '--json'])",
        "main(['analyse', 'connect-four', '4', '4', '--json'])",
        "assert pp.player('perfect', 'connect-four').choose(pp.Match('connect-four')) == '4'",
        "assert pp.search('connect-four').best_moves((0, 0)) == [3]",
    ],
)
def test_what_the_opening_book_answers_compiles_no_search(code):
    code = (
        f"import sys\nimport perfectplay as pp\nfrom perfectplay.front.cli import main\n{code}\n"
        "sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120, text=True)
    assert done.returncode == 0, done.stderr


def test_json_needs_no_rich_and_prints_nothing_else():
    done = run("battle", "tic-tac-toe", "random", "random", "--games", "600", "--seed", "1", "--jobs", "2", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)["games"] == 600


def test_what_a_bot_prints_does_not_get_among_the_json(tmp_path):
    file = tmp_path / "bots.py"
    file.write_text("print('loaded')\ndef ai(board, side):\n    print('thinking')\n    return 0, 0\n")
    done = run("battle", "tic-tac-toe", f"{file}:ai", "random", "--games", "3", "--json")
    assert json.loads(done.stdout)["forfeits"][0] == 3
    assert done.stderr.splitlines()[:2] == ["loaded", "thinking"]


def test_rules_that_break_down_later_get_one_line(tmp_path, capsys):
    file = tmp_path / "late.py"
    file.write_text(
        "from perfectplay import DRAW, ONGOING, Game\n"
        "def moves(mine, theirs): return 1 // 0 if mine == 1 else 0b1111 & ~(mine | theirs)\n"
        "def play(mine, theirs, move): return theirs, mine | 1 << move\n"
        "def outcome(mine, theirs): return DRAW if mine | theirs == 0b1111 else ONGOING\n"
        "def game(): return Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(4, 1))\n"
    )
    for command in ("check {}", "battle {} random random", "perft {} 5"):
        assert main(command.format(file).split()) == 2
        assert "late.py (line 2) raised an error: ZeroDivisionError" in capsys.readouterr().err


def redirected(redirection, *arguments):
    command = " ".join(["exec", sys.executable, "-m", "perfectplay", *arguments, redirection])
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)


def test_closed_and_full_streams():
    done = redirected("<&-", "play", "tic-tac-toe")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Goodbye." in done.stdout
    assert redirected(">&-", "games").stderr == ""
    done = redirected(">/dev/full", "games")
    assert (done.returncode, done.stderr) == (2, "perfectplay: cannot continue: No space left on device\n")


def test_a_terminal_that_knows_only_ascii():
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = run("play", "tic-tac-toe", input="a1\n", env=ascii_only)
    assert done.returncode == 0
    assert " 1 | X |" in done.stdout
    done = run("battle", "tic-tac-toe", "random", "random", "--games", "9", env=ascii_only)
    assert done.returncode == 0
    assert "#" in done.stdout


def gone(group):
    """Whether no process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_an_interrupted_battle_leaves_nothing_behind(tmp_path):
    playing = tmp_path / "playing"
    file = tmp_path / "bots.py"
    file.write_text(
        f"import pathlib, time\ndef ai(board, side):\n    pathlib.Path({str(playing)!r}).touch()\n    time.sleep(60)\n"
    )
    command = [sys.executable, "-m", "perfectplay", "battle", "tic-tac-toe", f"{file}:ai", "random", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as battle:
        wait_until(playing.exists)
        os.killpg(battle.pid, signal.SIGINT)  # as the terminal does: to all processes of the battle
        out, err = battle.communicate(timeout=30)
    assert battle.returncode == 130
    assert b"0 games" in out
    assert err == b"perfectplay: interrupted; 0 of 1,000 games played; not recorded\n"
    wait_until(lambda: gone(battle.pid))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("export kalah:1,1 --to {0}/kalah.c", "1 byte of table"),
        ("export kalah:1,1 --to {0}/kalah.c", "1 of 2 canonical positions is stored"),
        ("export kalah:1,1 --to {0}/kalah.c", "up to 1 position\n"),
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


@pytest.mark.parametrize("command", ["games", "play tic-tac-toe random random"])
def test_a_reader_that_leaves_does_not_upset_it(command):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "perfectplay", *command.split()], stdout=writer, stderr=subprocess.PIPE, timeout=60
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 0


def test_the_parser_knows_the_engines():
    from perfectplay.front.solve_options import ENGINES
    from perfectplay.solvers import engine_table

    assert set(ENGINES) == {"auto", *(engine.name for engine in engine_table.ENGINES)}
