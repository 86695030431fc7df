"""The disk space that solves from the page may take."""

from pathlib import Path

from perfectplay.processes.folders import data_folder, free_at
from perfectplay.solvers.forecast import in_bytes

DISK = 4 << 30
"""Bytes of tables solved from the page, at most."""
RESERVE = 512 << 20
"""Bytes of disk that stay free."""


class NoRoom(Exception):
    """There is no room for another table."""


class Quota:
    """What was solved from the page since the server started, and the bytes that it may take."""

    def __init__(self, disk: int = DISK) -> None:
        self.disk = disk
        self.kept: set[Path] = set()
        """Files and folders that solves have written."""

    def room(self) -> int:
        """The bytes that may still be written; raises NoRoom if there are none."""
        left = self.disk - sum(map(size_of, self.kept))
        if left <= 0:
            most = in_bytes(self.disk)
            raise NoRoom(f"what is solved from the page may take {most} of disk, and it does")
        free = free_at(data_folder()) - RESERVE
        if free <= 0:
            raise NoRoom("the server's disk is nearly full")
        return min(left, free)


def size_of(path: Path) -> int:
    """The bytes of a file, or of all files below a folder; 0 if it is not there."""
    try:
        if path.is_dir():
            return sum(size_of(inside) for inside in path.iterdir())
        return path.stat().st_size
    except OSError:  # gone meanwhile
        return 0
