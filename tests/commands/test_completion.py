"""Scripts that complete the command line in a shell."""

import shutil
import subprocess
import sys

import pytest

from perfectplay.front.cli import main
from perfectplay.front.command_table import COMMANDS

SHELLS = ("bash", "zsh", "fish")


def script(capsys, shell):
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_knows_commands_games_players_and_engines(shell, capsys):
    text = script(capsys, shell)
    for name in (*(command.name for command in COMMANDS), "tic-tac-toe", "drop", "streetwise", "level", "numba"):
        assert name in text
    for old in ("most-plies", "analyze"):
        assert old not in text


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shutil.which(shell)])
def test_a_script_is_read_by_its_shell(shell, capsys):
    done = subprocess.run([shell, "-n"], input=script(capsys, shell), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


COMPLETE = """
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_perfectplay; printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is missing")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("perfectplay so", {"solve"}),
        ("perfectplay solve tic", {"tic-tac-toe"}),
        ("perfectplay solve tic-tac-toe --engine nu", {"numba"}),
        ("perfectplay battle tic-tac-toe ran", {"random"}),
        ("perfectplay play tic-tac-toe --second stree", {"streetwise"}),
        ("perfectplay solve tic-tac-toe --th", {"--threads"}),
        ("perfectplay play examples/hexa", {"examples/hexapawn.py"}),
    ],
)
def test_bash_completes(typed, completed, capsys):
    command = ["bash", "-c", script(capsys, "bash") + COMPLETE, "bash", *typed.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert set(done.stdout.split()) == completed


def test_the_library_for_completion_is_imported_by_that_command_only():
    code = (
        "import sys\nfrom perfectplay.front.cli import main\n"
        "main(['games'])\nassert 'shtab' not in sys.modules\n"
        "main(['completion', 'bash'])\nassert not {'numba', 'numpy'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, timeout=120).returncode == 0
