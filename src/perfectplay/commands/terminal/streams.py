"""Standard streams that are closed, full, or unable to print some characters."""

import io
import os
import sys
from contextlib import suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from perfectplay.views.document import Document


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


def show(document: "Document", end: str = "\n") -> None:
    """Prints a document: wrapped and in colours on a terminal, as it is where a program reads it."""
    from perfectplay.views.document_text import SIGNS, text

    tty = sys.stdout is not None and sys.stdout.isatty()  # it may be closed
    width = get_terminal_size().columns if tty else None
    signs = can_print("".join(map(chr, SIGNS)))
    colours = tty and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    print(text(document, width, signs, colours), end=end, flush=True)


def abandon() -> None:
    """Redirects standard output to nowhere, so that Python does not complain at exit."""
    with suppress(AttributeError, OSError):  # closed, or not a file at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
