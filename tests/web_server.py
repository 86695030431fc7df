"""The program `perfectplay serve` as a process of its own, for tests that speak to it as browsers do."""

import re
import subprocess
import sys
from contextlib import contextmanager

READY = re.compile(r"perfectplay is at (http://\S+)/")


def started(*arguments):
    """A server that was started with these arguments, and its address."""
    command = (sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--no-browser", *arguments)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    found = READY.match(line)
    if not found:
        raise AssertionError(line + process.communicate()[1])
    return process, found[1]


@contextmanager
def serving(*arguments):
    """The address of such a server, which ends with the block."""
    process, address = started(*arguments)
    try:
        yield address
    finally:
        process.terminate()
        process.communicate(timeout=20)
