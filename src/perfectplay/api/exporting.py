"""Writing a solution for other programs: JSON, C, one page, Parquet."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from perfectplay.api.arguments import GameLike, Progress, game_of, size_in_bytes
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.solve.lookup_or_solve import lookup_for
from perfectplay.solve.steps import Steps, finished
from perfectplay.table.table_folder import kept_table
from perfectplay.words import BadTable, Brief, TooBig

if TYPE_CHECKING:
    from perfectplay.export.export_report import Report

FORMATS = ("json", "json.gz", "h", "c", "html", "parquet")
"""By how a file's name ends."""


@dataclass(frozen=True)
class ExportReport(metaclass=Brief):
    """A file that was written: its format, its size in bytes, and what there is to say about it."""

    game: str
    format: str
    path: str
    size: int
    facts: Mapping[str, object]
    lines: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return "\n".join([*self.lines, f"{self.size:,} bytes in {self.path}"])

    def to_dict(self) -> dict[str, object]:
        """The report as `perfectplay export` prints it in JSON."""
        return {"game": self.game, "format": self.format, "to": self.path, "bytes": self.size, **self.facts}


def export(
    game: GameLike,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    all_positions: bool = False,
    budget: int | str | None = None,
    progress: Progress | None = None,
) -> ExportReport:
    """Writes the game's solution to a file, whole or not at all; the game is solved first if it is not yet.

    The format is what the file's name ends in: json, json.gz, h, c, html or parquet, unless `format` is given. JSON
    has one position of each symmetry class, or all_positions; C fits into `budget` bytes, such as 4000 or "32K".
    """
    from perfectplay.table.table import check_target, replacing

    game, name = game_of(game), os.fspath(path)
    kind = format_of(name) if format is None else format
    if kind not in FORMATS:
        raise BadTable(f"no format is called {kind!r}; there are {', '.join(FORMATS)}")
    if budget is not None and kind not in ("c", "h"):
        raise BadTable(f"budget=... is for C, .h or .c, and {name!r} is .{kind}")
    if all_positions and kind not in ("json", "json.gz"):
        raise BadTable(f"all_positions=True is for JSON, .json or .json.gz, and {name!r} is .{kind}")
    if name.endswith(("/", os.sep)):
        raise BadTable(f"{name!r} is the name of a folder; write the path of a file")
    check_target(Path(name))
    with replacing(Path(name)) as sink:
        solve_first(game, progress)
        most = None if budget is None else size_in_bytes(budget)
        report = finished(writing(game, sink, kind, all_positions, most), progress)
    return ExportReport(game.name, kind, name, Path(name).stat().st_size, report.facts, tuple(report.lines))


def format_of(name: str) -> str:
    """The format that a file's name ends in."""
    found = [kind for kind in FORMATS if name.lower().endswith(f".{kind}")]
    if not found:
        endings = ", ".join(f".{kind}" for kind in FORMATS[:-1])
        raise BadTable(f"{name!r} ends in no format; write {endings} or .{FORMATS[-1]}, or say format=...")
    return found[0]


def solve_first(game: Game, progress: Progress | None) -> None:
    """Solves a game that is not solved yet, which checks its rules as well; the table is kept."""
    from perfectplay.solve.complete import Options, keeping

    if kept_table(game) is not None:
        return
    if game.bits > COMPILED_BITS:
        lookup_for(game)
    kept = finished(keeping(game, Options()), progress)
    if kept.fault is not None:
        try:
            lookup_for(game)
        except TooBig:  # what is not kept is only known of small games
            raise kept.fault from None


def writing(game: Game, sink: BinaryIO, kind: str, everything: bool, budget: int | None) -> "Steps[Report]":
    """Writes the solution in that format."""
    match kind:
        case "json" | "json.gz":
            from perfectplay.export import json_export

            return json_export.writing(game, sink, kind == "json.gz", everything)
        case "h" | "c":
            from perfectplay.export.c import c_file

            return c_file.writing(game, sink, kind == "h", budget)
        case "parquet":
            from perfectplay.export import parquet_export

            return parquet_export.writing(game, sink)
    page: Steps[Report] = import_module("perfectplay.front.web.single_page").writing(game, sink)
    return page
