"""`perfectplay export`: a solution for other programs, in the format that the file's name ends in."""

import json
import os
import sys
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path

from perfectplay.export.formats import ExportOptions, ending_of, format_for
from perfectplay.folders import replacing
from perfectplay.front.progress import watch
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.loading import load_game
from perfectplay.solve.complete import keeping
from perfectplay.solve.engine import Options
from perfectplay.solve.lookup_or_solve import lookup_for
from perfectplay.table.table import check_target
from perfectplay.table.table_folder import kept_table
from perfectplay.words import BadTable, TooBig


def show_export(options: Namespace) -> int:
    """Writes the file, whole or not at all, and prints what there is to say about it."""
    game, path = load_game(options.game), Path(options.to)
    ending, wanted = options.format or ending_of(options.to), ExportOptions(options.all, options.budget)
    kind = format_for(ending)
    kind.check(options.to, ending, wanted)
    if options.to.endswith(("/", os.sep)):
        raise BadTable(f"{options.to!r} is the name of a folder; write the path of a file")
    check_target(path)
    with redirect_stdout(sys.stderr), replacing(path) as sink:  # standard output is for results, whatever rules print
        solve_first(game)
        report = watch(kind.write(game, sink, ending, wanted))
    size = path.stat().st_size
    if options.json:
        print(json.dumps({"game": options.game, "format": ending, "to": options.to, "bytes": size, **report.facts}))
        return 0
    print("\n".join([*report.lines, f"{size:,} bytes in {options.to}"]))
    return 0


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
