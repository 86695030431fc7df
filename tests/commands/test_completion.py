"""Scripts that complete the command line in a shell."""

import shutil
import subprocess

import pytest

from command_line import output
from perfectplay.commands.verbs import FILES


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_knows_commands_games_players_and_engines_and_is_read_by_its_shell(shell, capsys):
    script = output(capsys, f"completion {shell}")
    for name in (*FILES, "tic-tac-toe", "drop", "streetwise", "level", "numba"):
        assert name in script
    assert "analyze" not in script
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


COMPLETE = """
completed() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_perfectplay; printf '%s ' "${COMPREPLY[@]}"; echo
}
"""
TYPED = {
    "perfectplay so": "solve",
    "perfectplay solve tic": "tic-tac-toe",
    "perfectplay solve tic-tac-toe --engine nu": "numba",
    "perfectplay battle tic-tac-toe ran": "random",
    "perfectplay play tic-tac-toe --second stree": "streetwise",
    "perfectplay solve tic-tac-toe --th": "--threads",
    "perfectplay play examples/hexa": "examples/hexapawn.py",
}


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is missing")
def test_bash_completes(capsys):
    program = "\n".join([output(capsys, "completion bash"), COMPLETE, *(f"completed {words}" for words in TYPED)])
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, timeout=60)
    assert dict(zip(TYPED, map(str.strip, done.stdout.splitlines()), strict=True)) == TYPED
