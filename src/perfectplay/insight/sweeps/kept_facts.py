"""The facts from earlier sweeps, a file for each variant in the data folder, so that nothing is computed twice.

A file is named by a digest of the rules with all that they can reach and of this package (`compiler.known_rules`):
what other rules or another version found is not found again. Each is written whole as soon as a variant is done.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from perfectplay.compiler.known_rules import digest_of
from perfectplay.game import Game
from perfectplay.insight.sweeps.facts import SOLVED, Facts, facts_in
from perfectplay.insight.sweeps.finding import VariantLimits
from perfectplay.insight.sweeps.measures import Measure
from perfectplay.processes.folders import data_folder, remove_leftovers, replacing
from perfectplay.rules.loading import absolute_name

ENDING = ".json"
MOST_FILES = 20_000
"""The number of files to keep, a few kilobytes each."""


class StoredFacts(NamedTuple):
    """The content of a file: the game, its facts, and the limits within which these were found."""

    game: str
    facts: Facts
    seconds: float
    memory: int | None


def sweeps_folder() -> Path:
    """The folder of the files."""
    return data_folder() / "sweeps"


def facts_path(game: Game) -> Path | None:
    """The file of these rules, whether it exists or not; None if they cannot be told from others."""
    digest = digest_of(game)
    return sweeps_folder() / f"{digest[:32]}{ENDING}" if digest else None


def files() -> list[Path]:
    """The files, the newest first."""
    entries = []
    for path in sweeps_folder().glob(f"*{ENDING}"):
        with suppress(OSError):  # another process may remove files
            entries.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(entries, reverse=True)]


def prune(most: int = 0) -> None:
    """Removes all files but the newest `most`."""
    remove_leftovers(sweeps_folder())
    for path in files()[most:]:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def read(path: Path) -> StoredFacts | None:
    """The content of the file; None if there is none or it is damaged."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return StoredFacts(fields["game"], facts_in(fields["facts"]), float(fields["seconds"]), fields["memory"])
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        return None


def write(path: Path, game: Game, facts: Facts, limits: VariantLimits) -> None:
    """Keeps the facts; raises OSError."""
    fields = {
        "game": absolute_name(game.name),
        "facts": facts.to_dict(),
        "seconds": limits.seconds,
        "memory": limits.memory,
    }
    with replacing(path) as sink:
        sink.write(json.dumps(fields).encode())


def complete(earlier: StoredFacts, measures: Sequence[Measure], limits: VariantLimits) -> bool:
    """Whether nothing more can be found out within these limits; measures need a solved game."""
    solved = earlier.facts.how == SOLVED
    if solved and all(column in earlier.facts.measures for one in measures for column in one.columns):
        return True
    as_long = limits.seconds <= earlier.seconds
    as_much = earlier.memory is None or (limits.memory is not None and limits.memory <= earlier.memory)
    return as_long and as_much and (not solved or all(one.name in earlier.facts.tried for one in measures))
