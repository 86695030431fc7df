"""What earlier sweeps found out, a file for each variant in the data folder, so that nothing is found out twice.

A file is named by a digest of the rules with all that they can reach and of this package (`engines.known_rules`): what
other rules or another version found is not found again. Each is written whole as soon as a variant is done.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from perfectplay.compiler.known_rules import digest_of
from perfectplay.game import Game
from perfectplay.insight.sweeps.facts import SOLVED, Facts, facts_in
from perfectplay.insight.sweeps.finding import Limits
from perfectplay.insight.sweeps.measures import Measure
from perfectplay.processes.folders import data_folder, remove_leftovers, replacing
from perfectplay.rules.loading import absolute_name

ENDING = ".json"
MOST = 20_000
"""The number of files to keep, a few kilobytes each."""


class Kept(NamedTuple):
    """What a file says: the game, what is known of it, and the limits within which that was found out."""

    game: str
    facts: Facts
    seconds: float
    memory: int | None


def folder() -> Path:
    """The folder of the files."""
    return data_folder() / "sweeps"


def place_of(game: Game) -> Path | None:
    """The file of these rules, whether it exists or not; None if they cannot be told from others."""
    digest = digest_of(game)
    return folder() / f"{digest[:32]}{ENDING}" if digest else None


def files() -> list[Path]:
    """The files, the newest first."""
    found = []
    for path in folder().glob(f"*{ENDING}"):
        with suppress(OSError):  # another process may remove files
            found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


def prune(most: int = 0) -> None:
    """Removes all files but the newest `most`."""
    remove_leftovers(folder())
    for path in files()[most:]:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def read(path: Path) -> Kept | None:
    """What the file says, None if there is none or it is damaged."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return Kept(said["game"], facts_in(said["facts"]), float(said["seconds"]), said["memory"])
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        return None


def write(path: Path, game: Game, facts: Facts, limits: Limits) -> None:
    """Keeps the facts; raises OSError."""
    said = {
        "game": absolute_name(game.name),
        "facts": facts.to_dict(),
        "seconds": limits.seconds,
        "memory": limits.memory,
    }
    with replacing(path) as sink:
        sink.write(json.dumps(said).encode())


def complete(kept: Kept, measures: Sequence[Measure], limits: Limits) -> bool:
    """Whether nothing more can be found out within these limits; measures need a solved game."""
    solved = kept.facts.how == SOLVED
    if solved and all(column in kept.facts.measures for one in measures for column in one.columns):
        return True
    as_long = limits.seconds <= kept.seconds
    as_much = kept.memory is None or (limits.memory is not None and limits.memory <= kept.memory)
    return as_long and as_much and (not solved or all(one.name in kept.facts.tried for one in measures))
