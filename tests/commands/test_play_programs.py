"""Programs that speak UGI at the terminal: the person plays on, whatever the program does."""

import re
import shlex
import signal
import subprocess
import sys

import pytest

from homes import ROOT

BOT = ROOT / "examples/bots/tictactoe.py"
PLAY = (sys.executable, "-m", "perfectplay", "play", "tic-tac-toe")
LISTENS = """
import sys
for line in sys.stdin:
    print(line, end="", file=sys.stderr, flush=True)
    word, *rest = line.split()
    if word in ("ugi", "isready"): print({"ugi": "ugiok", "isready": "readyok"}[word], flush=True)
    if word == "position": moves = rest[2:]
    if word == "go": ANSWER
"""
FIRST_FREE = "print('bestmove', next(s for s in ('a1', 'b1', 'c1', 'a2', 'b2') if s not in moves), flush=True)"


def command(tmp_path, answer):
    """The name of a player that answers `go` so, and repeats what it is told on standard error."""
    file = tmp_path / "listens.py"
    file.write_text(LISTENS.replace("ANSWER", answer))
    return f"cmd:{sys.executable} {shlex.quote(str(file))}"


def played(*lines, **players):
    """What a game prints, and what its bots write to standard error."""
    words = [word for side, name in players.items() for word in (f"--{side}", name)]
    done = subprocess.run([*PLAY, *words], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_a_whole_game_and_another():
    out, err = played(*("a1 b1 c1 a2 b2 c2 a3 b3 c3".split() * 3), second=f"cmd:{sys.executable} {BOT}")
    assert "Goodbye" in out
    assert "Score: human" in out
    assert err == ""


def test_undo_tells_the_program_the_game_as_it_is_now(tmp_path):
    out, told = played("b2", "c3", "undo", "c2", "quit", second=command(tmp_path, FIRST_FREE))
    assert re.findall(r"^position (.*)$", told, re.MULTILINE) == [
        "startpos moves b2",
        "startpos moves b2 a1 c3",
        "startpos moves b2 a1 c2",
    ]
    assert told.splitlines()[-1] == "quit"
    assert out.endswith("Goodbye.\n")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("print('bestmove b2', flush=True)", "not a legal move"),
        pytest.param("print('bestmove', flush=True)", "bestmove", marks=pytest.mark.nightly),
        pytest.param("sys.exit(3)", "exit code 3", marks=pytest.mark.nightly),
        pytest.param("1 / 0", "ZeroDivisionError", marks=pytest.mark.nightly),
    ],
)
def test_a_fault_loses_the_game_and_the_next_one_begins(tmp_path, answer, said):
    out, err = played("b2", "n", "y", "b2", "n", "n", second=command(tmp_path, answer))
    assert said in out + err
    assert out.count("loses the game.") == 2
    assert "human 2," in out


def test_a_program_plays_another_player(tmp_path):
    out, _ = played(first=command(tmp_path, FIRST_FREE), second="wins")
    assert "Goodbye" in out


def test_a_program_ends_with_the_game_by_ctrl_c(tmp_path):
    """The fixture of all tests finds processes that stay."""
    words = [*PLAY, "--second", command(tmp_path, FIRST_FREE)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(words, text=True, **pipes) as game:
        game.stdin.write("b2\n")
        game.stdin.flush()
        while "plays a1" not in game.stdout.readline():
            assert game.poll() is None
        game.send_signal(signal.SIGINT)
        _, err = game.communicate(timeout=60)
    assert game.returncode == 130
    assert "Traceback" not in err
