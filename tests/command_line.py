"""Commands run in this process: what they print, what they complain about; and others that are waited for."""

import os
import re
import signal
import subprocess
import sys
import time

from perfectplay.__main__ import main


def output(capsys, line):
    """What the command prints."""
    assert main(line.split()) == 0
    return capsys.readouterr().out


def exit_code(line):
    """The exit code of the command, also where the parser exits."""
    try:
        return main(line.split())
    except SystemExit as end:
        return end.code


def complaint(capsys, line):
    """The one line in which the command, or the parser of its options, says what was wrong."""
    assert exit_code(line) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.match(r"perfectplay( \w+)?: ", err)
    assert err.count("\n") == 1
    return err


def wait_until(condition, seconds=60):
    """Waits until something is so; the time is only a bound for a test that has failed."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s in vain"
        time.sleep(0.01)


def started(*arguments, **environment):
    """A command in a process of its own, where nobody types, with Ctrl-C as a shell leaves it."""
    return subprocess.Popen(
        [sys.executable, "-m", "perfectplay", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **environment},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def started_battle(*arguments, **environment):
    """A battle in a process of its own."""
    return started("battle", "tic-tac-toe", *arguments, **environment)
