"""Facts about rules from earlier runs, so that nobody waits for them twice.

A fact is an empty file in the cache folder, named by a digest of all that it depends on: the game with all code and
data that it can reach, the files of this package, Python, numba and what it compiles for. Of rules that reach what
cannot be looked into, nothing is remembered. Data that rules change is taken as it is when a fact is asked for, and as
it is when a fact is remembered: if these differ, the fact is not found again.
"""

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from perfectplay.game import Game
from perfectplay.processes.folders import cache_folder
from perfectplay.rules.fingerprint import Dependencies, Opaque

PACKAGE = Path(__file__).parents[1]
BESIDE = ("numba", "llvmlite", "numpy")
"""The packages on which compiled rules depend."""
MOST = 4096
"""The number of facts to keep."""


def facts_folder() -> Path:
    """The folder of the facts."""
    return cache_folder() / "known"


def digest_of(game: Game) -> str:
    """A digest of all that facts about the game depend on; empty if it cannot be told from other games."""
    values = {field.name: getattr(game, field.name) for field in fields(game) if field.name != "name"}
    try:
        digest = Dependencies(values).digest
    except Opaque:
        return ""
    return sha256(f"{digest} {surroundings()}".encode()).hexdigest()


def is_known(digest: str, fact: str) -> bool:
    """Whether an earlier run found out this fact about the game with the digest."""
    return digest != "" and fact_file(digest, fact).exists()


def remember(digest: str, *facts: str) -> None:
    """Remembers that the facts are true, where possible."""
    if digest:
        with suppress(OSError):
            facts_folder().mkdir(parents=True, exist_ok=True)
            for fact in facts:
                fact_file(digest, fact).touch()
            forget(MOST)


def fact_file(digest: str, fact: str) -> Path:
    """The file of the fact."""
    return facts_folder() / sha256(f"{digest} {fact}".encode()).hexdigest()[:32]


def forget(most: int = 0) -> None:
    """Removes all facts but the newest `most`."""
    paths = [path for path in facts_folder().glob("*") if path.is_file()]
    if len(paths) > most:
        with suppress(OSError):  # another process may remove files
            for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True)[most:]:
                path.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def surroundings() -> str:
    """A digest of everything but the game: this package, Python, numba, the processor."""
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    parts = [sys.version, platform.platform(), *processor(), repr(settings), *map(version_of, BESIDE)]
    for folder, _, names in sorted(os.walk(PACKAGE)):
        for name in sorted(name for name in names if name.endswith(".py")):
            file = os.stat(os.path.join(folder, name))
            parts.append(f"{folder} {name} {file.st_size} {file.st_mtime_ns}")
    return sha256("\n".join(parts).encode()).hexdigest()


def version_of(name: str) -> str:
    """The version of a package, without importing it."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def processor() -> Iterator[str]:
    """The name of the processor, and its instructions where the system lists them."""
    yield platform.processor()
    with suppress(OSError):  # only Linux has this file
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.partition(":")[0].strip() in ("model name", "flags", "Features", "CPU part", "CPU implementer"):
                yield line
