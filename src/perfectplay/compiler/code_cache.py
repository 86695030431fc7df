"""The cache folder of compiled modules: one for each game and way to compile it.

numba writes machine code beside the modules. The most recently used modules stay; the others are removed, since
they can be compiled again in seconds.
"""

import importlib.util
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from os import utime
from pathlib import Path
from types import ModuleType

from perfectplay.processes.folders import cache_folder, remove_leftovers, replacing

MOST = 256
"""The number of modules to keep, about half a megabyte each with their machine code."""
LONGEST_WRITE = 3600
"""Seconds after which no process can still be writing a file; numba does not say which process writes."""


def modules_folder() -> Path:
    """The folder of the modules."""
    return cache_folder() / "kernels"


def load_module(name: str, text: Callable[[], str]) -> ModuleType:
    """The module of that name, written with this text if it is missing; raises OSError if that fails."""
    path = modules_folder() / f"{name}.py"
    if path.exists():
        mark_as_used(path)
    else:
        with replacing(path) as sink:
            sink.write(text().encode())
        prune(MOST)
    return import_file(name, path)


def mark_as_used(path: Path) -> None:
    """Sets the access time; the modification time stays, since Python compares it with its bytecode."""
    with suppress(OSError):
        utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def import_file(name: str, path: Path) -> ModuleType:
    """The module in that file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def modules() -> list[Path]:
    """The modules, the most recently used first."""
    times = []
    for path in modules_folder().glob("rules_*.py"):
        with suppress(OSError):
            used = path.stat()
            times.append((max(used.st_atime_ns, used.st_mtime_ns), path))
    return [path for _, path in sorted(times, reverse=True)]


def prune(most: int) -> int:
    """Removes all but `most` modules, their machine code, and unfinished files; returns the number removed."""
    remove_leftovers(modules_folder())
    paths = modules()
    for path in paths[most:]:
        path.unlink(missing_ok=True)
    stay = {path.stem for path in paths[:most]}
    for path in companion_files():
        stem, _, rest = path.name.partition(".")
        if stem not in stay or (".tmp." in rest and is_abandoned(path)):
            path.unlink(missing_ok=True)
    return len(paths[most:])


def companion_files() -> Iterator[Path]:
    """The files that Python and numba write beside the modules."""
    return modules_folder().glob("__pycache__/rules_*")


def is_abandoned(path: Path) -> bool:
    """Whether the file is too old to be still in writing."""
    try:
        return path.stat().st_mtime < time.time() - LONGEST_WRITE
    except OSError:
        return False


def size() -> int:
    """The bytes of all modules and their machine code."""
    total = 0
    for path in (*modules(), *companion_files()):
        with suppress(OSError):
            total += path.stat().st_size
    return total
