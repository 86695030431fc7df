"""Where files are kept: tables under the user's data directory, compiled code under the cache directory.

PERFECTPLAY_HOME puts both below a folder of one's choice.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO

from perfectplay.system import check_system

PROCESS = re.compile("[0-9]{1,9}")
"""The number of a process, in the name of a file that is not whole yet."""


def data_folder() -> Path:
    """The folder for what was expensive to compute."""
    home = os.environ.get("PERFECTPLAY_HOME")
    if home:
        return Path(home) / "data"
    from platformdirs import user_data_path

    return user_data_path("perfectplay", appauthor=False)


def cache_folder() -> Path:
    """The folder for what can be made anew."""
    home = os.environ.get("PERFECTPLAY_HOME")
    if home:
        return Path(home) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("perfectplay", appauthor=False)


def partly(path: Path) -> Path:
    """The name under which this process writes a file that is not whole yet: it says who writes, and where."""
    return path.with_name(f".{path.name}.{machine()}.{os.getpid()}.tmp")


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes its name only when all is written, and is gone if anything goes wrong."""
    path = path.resolve()  # a link stays, and what it points to is replaced
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent, path.name)
    with written_whole(path, partly(path)) as sink:
        yield sink


@contextmanager
def written_whole(path: Path, unfinished: Path) -> Iterator[BinaryIO]:
    """The same, under a name of the caller's choice until it is whole."""
    try:
        with unfinished.open("wb") as sink:
            yield sink
            sink.flush()
            os.fsync(sink.fileno())
        unfinished.replace(path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def machine() -> str:
    """The name of this machine, in letters that file names may have."""
    return re.sub("[^A-Za-z0-9-]+", "-", os.uname().nodename) or "here"


def remove_leftovers(folder: Path, name: str | None = None) -> None:
    """Removes files in the folder that will never be whole, those of this name or all: their writer is gone."""
    here = machine()
    for path in folder.glob(f".{'*' if name is None else escape(name)}.{here}.*.tmp"):
        process = path.suffixes[-2][1:]
        if PROCESS.fullmatch(process) and not is_running(int(process)):
            with suppress(OSError):  # a folder that cannot be written to
                path.unlink()


def is_running(process: int) -> bool:
    """Whether there is a process of that number."""
    check_system()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        pass
    return True
