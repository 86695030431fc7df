"""Standard streams that are closed, full, or unable to print some characters."""

import io
import os
import sys
from contextlib import suppress


def prepare() -> None:
    """Makes every character printable: unknown ones become question marks."""
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
    """Redirects standard output to nowhere, so that Python does not complain at exit."""
    with suppress(AttributeError, OSError):  # closed, or not a file at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
