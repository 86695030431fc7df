"""A lock on a folder that one process at a time works in."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perfectplay.words import BadWork

LOCK = "lock"
"""The name of the file that is locked."""


@contextmanager
def locked_file(path: Path, who: str, where: str) -> Iterator[None]:
    """Holds a lock that the system takes back when this process ends, however it does."""
    try:
        file = path.open("a+")
    except OSError as fault:
        raise BadWork(f"{where!r} cannot be written to: {fault.strerror}; make it writable, or take another") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            other = file.read() or "another process"
            raise BadWork(f"{other} works in {where!r} already; wait for it, or choose another workdir=...") from None
        file.truncate(0)
        file.write(who)
        file.flush()
        yield
