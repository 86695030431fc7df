"""`perfectplay export`: a solution for other programs, in the format that the file's name ends in."""

import json
import os
import sys
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path
from typing import BinaryIO

from perfectplay.export.export_report import Report
from perfectplay.folders import replacing
from perfectplay.front.progress import watch
from perfectplay.front.solve_options import EXPORTS
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.loading import load_game
from perfectplay.solve.complete import keeping
from perfectplay.solve.engine import Options
from perfectplay.solve.lookup_or_solve import lookup_for
from perfectplay.solve.steps import Steps
from perfectplay.table.table import check_target
from perfectplay.table.table_folder import kept_table
from perfectplay.words import BadTable, TooBig


def show_export(options: Namespace) -> int:
    """Writes the file, whole or not at all, and prints what there is to say about it."""
    game, path = load_game(options.game), Path(options.to)
    kind = options.format or ending_of(options.to)
    if options.budget is not None and kind not in ("c", "h"):
        raise BadTable(f"--budget is for C, .h or .c, and {options.to!r} is .{kind}")
    if options.all and kind not in ("json", "json.gz"):
        raise BadTable(f"--all is for JSON, .json or .json.gz, and {options.to!r} is .{kind}")
    if options.to.endswith(("/", os.sep)):
        raise BadTable(f"{options.to!r} is the name of a folder; write the path of a file")
    check_target(path)
    with redirect_stdout(sys.stderr), replacing(path) as sink:  # standard output is for results, whatever rules print
        solve_first(game)
        report = watch(writing(game, sink, kind, options.all, options.budget))
    size = path.stat().st_size
    if options.json:
        print(json.dumps({"game": options.game, "format": kind, "to": options.to, "bytes": size, **report.facts}))
        return 0
    print("\n".join([*report.lines, f"{size:,} bytes in {options.to}"]))
    return 0


def ending_of(name: str) -> str:
    """The format that a file's name ends in."""
    found = [kind for kind in EXPORTS if name.lower().endswith(f".{kind}")]
    if not found:
        endings = ", ".join(f".{kind}" for kind in EXPORTS[:-1])
        raise BadTable(f"{name!r} ends in no format; write {endings} or .{EXPORTS[-1]}, or say --format")
    return found[0]


def solve_first(game: Game) -> None:
    """Solves a game that is not solved yet, which checks its rules as well; the table is kept."""
    if kept_table(game) is not None:
        return
    if game.bits > COMPILED_BITS:
        lookup_for(game)
    try:
        kept = watch(keeping(game, Options()))
    except TooBig as fault:
        raise TooBig(str(fault).replace("or --memory", "or perfectplay solve --memory")) from None
    if kept.fault is not None:
        try:
            lookup_for(game)
        except TooBig:  # what is not kept is only known of small games
            raise kept.fault from None


def writing(game: Game, sink: BinaryIO, kind: str, everything: bool, budget: int | None) -> Steps[Report]:
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
    from perfectplay.export.page import page_export

    return page_export.writing(game, sink)
