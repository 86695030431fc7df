"""Standard streams as they come: closed, full, or unable to print what we would like to."""

import io
import os
import sys
from contextlib import suppress


def prepare() -> None:
    """Makes every character printable somehow: what the terminal does not know becomes a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def can_print(text: str) -> bool:
    """Whether standard output knows these characters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def abandon() -> None:
    """Gives standard output up, so that Python does not complain about it once more at the end."""
    with suppress(AttributeError, OSError):  # closed, or not a file at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
