"""The folders for files: tables in the user's data directory, compiled code in the cache directory.

PERFECTPLAY_HOME moves both into a folder of your choice.
"""

import errno
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO

from perfectplay.words import BadArgument, WrongSystem

PathLike = str | os.PathLike[str]

PROCESS = re.compile("[0-9]{1,9}")
"""The process id in the name of an unfinished file."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What a full disk, or a limit on files, is called; such an error does not name the file."""


def path_of(name: str, value: PathLike) -> str:
    """The path as text; raises BadArgument, which names the argument, for what is not a path."""
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(text, str) or "\0" in text:
        raise BadArgument(f"{name}={value!r} is not the path of a file; write a text or a Path")
    return text


def data_folder() -> Path:
    """The folder for results that are expensive to compute."""
    home = os.environ.get("PERFECTPLAY_HOME")
    if home:
        return Path(home) / "data"
    from platformdirs import user_data_path

    return user_data_path("perfectplay", appauthor=False)


def cache_folder() -> Path:
    """The folder for files that can be made again."""
    home = os.environ.get("PERFECTPLAY_HOME")
    if home:
        return Path(home) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("perfectplay", appauthor=False)


def free_at(folder: Path) -> int:
    """The free bytes of the disk that a folder is on, or will be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


def partly(path: Path) -> Path:
    """The name under which this process writes an unfinished file: it has the process id and the machine."""
    return path.with_name(f".{path.name}.{machine()}.{os.getpid()}.tmp")


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file of ours to write to, renamed to `path` only when all is written, and removed if anything fails.

    Files that a user asks for are written by `outputs`, which replaces nobody else's.
    """
    path = path.resolve()  # a link stays, and its target is replaced
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent, path.name)
    with written_whole(path, partly(path)) as sink:
        yield sink


@contextmanager
def written_whole(path: Path, unfinished: Path, put: Callable[[Path, Path], object] = os.replace) -> Iterator[BinaryIO]:
    """The same, under a given name until it is complete; `put` gives it its own."""
    try:
        with unfinished.open("wb") as sink:
            yield sink
            sink.flush()
            os.fsync(sink.fileno())
        put(unfinished, path)
    except OSError as fault:  # the name until it is complete is nobody's business
        if fault.filename == str(unfinished) or (fault.filename is None and fault.errno in FULL):
            fault.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def machine() -> str:
    """The name of this machine, in letters that file names may have."""
    return re.sub("[^A-Za-z0-9-]+", "-", os.uname().nodename) or "here"


def remove_leftovers(folder: Path, name: str | None = None) -> None:
    """Removes unfinished files in the folder, of this name or all, whose process has ended."""
    here = machine()
    for path in folder.glob(f".{'*' if name is None else escape(name)}.{here}.*.tmp"):
        process = path.suffixes[-2][1:]
        if PROCESS.fullmatch(process) and not is_running(int(process)):
            with suppress(OSError):  # a read-only folder
                path.unlink()


def is_running(process: int) -> bool:
    """Whether a process with that id exists."""
    check_system()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's process
        pass
    return True


# The supported systems: those with POSIX signals, process ids and file locks.


def check_system() -> None:
    """Raises WrongSystem on other systems: there, testing for a process would end it, and files cannot be locked."""
    if os.name != "posix":
        raise WrongSystem(f"perfectplay runs on Linux and macOS, not on {sys.platform}; on Windows, use WSL")
