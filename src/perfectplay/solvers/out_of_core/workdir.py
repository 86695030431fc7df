"""The work directory of a solve: local, on a shared file system, or on any file system that fsspec supports.

Files are written atomically. On disk a file is written under another name, synced and renamed; elsewhere its file
system commits it when it is closed.
"""

import json
import os
import shutil
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from perfectplay.processes.folders import written_whole
from perfectplay.solvers.checkpoints import LOCK, locked_file
from perfectplay.words import BadWork

PARTLY = ".tmp"
MADE = "made"
"""A file that names the topmost parent folder created for this one."""
READ_AHEAD = 4 << 20
"""Bytes read at once from a remote file system."""


class Workdir:
    """The files of one work directory, by name."""

    def __init__(self, url: str) -> None:
        import fsspec
        from fsspec.implementations.local import LocalFileSystem

        self.url = url
        try:
            self.fs, self.root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as fault:
            raise BadWork(f"{url!r} is not a work directory: {fault}") from None
        self.local = isinstance(self.fs, LocalFileSystem)
        self.opened = self.created = 0
        """Files opened for reading, and files written: what many partitions multiply."""

    def path(self, name: str) -> str:
        """The path of the file."""
        return f"{self.root}/{name}"

    def prepare(self) -> None:
        """Creates the folder and its parents; raises BadWork if that fails."""
        root = Path(self.root)
        above = [folder for folder in root.parents if not folder.exists()] if self.local else []
        try:
            self.fs.makedirs(self.root, exist_ok=True)
            if above:
                with self.writing(MADE) as sink:
                    sink.write(os.fsencode(above[-1]))
        except OSError as fault:
            raise BadWork(f"{self.url!r} cannot be a work directory: {fault.strerror or fault}") from None

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """A file to write to; it takes its name when it is complete."""
        self.created += 1
        if not self.local:
            with self.fs.open(self.path(name), "wb", autocommit=False) as sink:
                try:
                    yield sink
                except BaseException:
                    sink.discard()
                    raise
            sink.commit()
            return
        unfinished = f"{self.path(name)}.{socket.gethostname()}.{os.getpid()}{PARTLY}"
        with written_whole(Path(self.path(name)), Path(unfinished)) as sink:
            yield sink

    def reading(self, name: str) -> IO[bytes]:
        """The file, open for reading; raises BadWork if it is missing."""
        self.opened += 1
        try:
            if self.local:
                return open(self.path(name), "rb", buffering=0)
            self.fs.invalidate_cache()  # others write here
            return self.fs.open(self.path(name), "rb", block_size=READ_AHEAD)  # type: ignore[no-any-return]
        except FileNotFoundError:
            raise BadWork(
                f"{self.path(name)} is missing, so the solve cannot resume; start it in an empty folder"
            ) from None

    def has(self, name: str) -> bool:
        """Whether the file exists."""
        self.fs.invalidate_cache()  # others write here
        return bool(self.fs.exists(self.path(name)))

    def size(self, name: str) -> int:
        """The size of the file in bytes."""
        return int(self.fs.size(self.path(name)))

    def names(self) -> list[str]:
        """The names of all files."""
        if self.local:
            return os.listdir(self.root)
        self.fs.invalidate_cache()
        return [path.rsplit("/", 1)[-1] for path in self.fs.ls(self.root, detail=False)]

    def remove(self, names: Iterable[str]) -> None:
        """Removes those of the files that exist."""
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(self.path(name)) if self.local else self.fs.rm_file(self.path(name))

    def sweep(self) -> None:
        """Removes incomplete files; nothing may be writing."""
        self.remove(name for name in self.names() if name.endswith(PARTLY))

    def empty(self) -> None:
        """Removes all files of a solve."""
        self.remove(name for name in self.names() if name not in (LOCK, MADE))

    def clear(self) -> None:
        """Removes the folder, and the parents created for it if they are empty."""
        above = self.made_above()
        with suppress(FileNotFoundError):
            self.fs.rm(self.root, recursive=True)
        with suppress(OSError):  # not empty
            for folder in above:
                folder.rmdir()

    def made_above(self) -> list[Path]:
        """The parent folders created for this one, the nearest first."""
        if not self.local:
            return []
        try:
            top = Path(os.fsdecode(Path(self.path(MADE)).read_bytes()))
        except OSError:
            return []
        above = list(Path(self.root).parents)
        return above[: above.index(top) + 1] if top in above else []

    def free(self) -> int | None:
        """The free bytes, where that is known."""
        return shutil.disk_usage(self.root).free if self.local else None

    def save(self, name: str, facts: dict[str, Any]) -> None:
        """Writes facts with a checksum."""
        text = json.dumps(facts)
        with self.writing(name) as sink:
            sink.write(f"{crc32(text.encode()):08x}\n{text}\n".encode())

    def load(self, name: str) -> dict[str, Any] | None:
        """The saved facts, or None if there are none; raises BadWork if they are damaged."""
        if not self.has(name):
            return None
        with self.reading(name) as source:
            check, _, text = source.read().decode(errors="replace").partition("\n")
        if f"{crc32(text.rstrip().encode()):08x}" != check:
            raise BadWork(f"{self.path(name)} is damaged; start the solve in an empty folder")
        return json.loads(text)  # type: ignore[no-any-return]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the lock of this folder; raises BadWork if another solve holds it."""
        who = f"process {os.getpid()} on {socket.gethostname()}"
        if self.local:
            with locked_file(Path(self.path(LOCK)), who, self.url):
                yield
            return
        if self.fs.exists(self.path(LOCK)):
            raise BadWork(
                f"{self.fs.cat_file(self.path(LOCK)).decode()} works in {self.url!r}; "
                f"if it has ended, remove {self.path(LOCK)}"
            )
        self.fs.pipe_file(self.path(LOCK), who.encode())
        try:
            yield
        finally:
            self.remove([LOCK])
