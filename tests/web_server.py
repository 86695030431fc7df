"""The program `perfectplay serve` as a process of its own, for tests that speak to it as browsers do."""

import re
import subprocess
import sys
from contextlib import contextmanager

READY = re.compile(r"perfectplay is at (http://\S+)/")


@contextmanager
def serving(*arguments, env=None):
    """The address of a server that was started with these arguments."""
    command = (sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--no-browser", *arguments)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    try:
        line = process.stdout.readline()
        found = READY.match(line)
        assert found, line + process.stderr.read()
        yield found[1]
    finally:
        process.terminate()
        process.communicate(timeout=20)
