"""`export`: a solution for other programs, in the format that the file's name ends in."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import FORCE, GAME, Choice, Flag, Named, Size, Whole, bytes_in
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import verb
from perfectplay.exports.formats import ENDINGS, ExportOptions, ending_of, format_for
from perfectplay.players.models.levels import LEVELS
from perfectplay.processes.folders import PathLike, path_of
from perfectplay.rules.outputs import output

if TYPE_CHECKING:
    from perfectplay.commands.publish.exporting import ExportReport


@verb(
    "publish",
    "write a solution for other programs: JSON, C, one HTML page, Parquet",
    "export tactic-toe --to tt.h",
    "export tic-tac-toe --to tic-tac-toe.html",
    kept="nothing is written",
)
def export(
    game: Annotated[GameLike, GAME],
    path: Annotated[
        PathLike,
        Named("file to write: .json, .json.gz, .h, .c, .html or .parquet", metavar="FILE", flag="--to"),
    ],
    *,
    format: Annotated[  # noqa: A002
        str | None, Choice("file format (default: by the file extension)", ENDINGS, what="format")
    ] = None,
    all_positions: Annotated[
        bool, Flag("JSON: export all positions (default: one per symmetry class)", flag="--all")
    ] = False,
    budget: Annotated[
        int | str | None,
        Size("C: fit into this much flash memory, such as 4000 or 32K", metavar="BYTES"),
    ] = None,
    level: Annotated[
        int | None,
        Whole(
            f"C: export an opponent of level 1 (random) to {LEVELS} (perfect), not best moves and values",
            1,
            LEVELS,
            metavar="N",
        ),
    ] = None,
    force: Annotated[bool, FORCE] = False,
    progress: Progress | None = None,
) -> "ExportReport":
    """Writes the game's solution to a file, atomically; solves the game first if necessary.

    A page of a game that is too large to solve, or to fit into a page, has the rules, the opening book and an exact
    search inside.

    The file extension, or `format`, determines the format: json, json.gz, h, c, html or parquet. JSON has one position
    per symmetry class, or all with all_positions=True; C fits into `budget` bytes, such as 4000 or "32K", and with a
    level, 1 to 10, has an opponent of that level in place of best moves. A file that perfectplay did not write is only
    replaced with force=True.
    """
    from perfectplay.commands.publish.exporting import ExportReport, writing
    from perfectplay.solvers.steps import finished

    game, name = game_of(game), path_of("path", path)
    kind = ending_of(name) if format is None else format
    options = ExportOptions(all_positions, None if budget is None else bytes_in(budget), level)
    chosen = format_for(kind)
    chosen.check(name, kind, options)
    target = output(name, chosen.kinds[kind], force)
    with target.writing() as sink:
        report = finished(writing(chosen, game, sink, kind, options, progress), progress)
    size = Path(name).stat().st_size
    return ExportReport(game.name, kind, name, size, report.facts, (*report.lines, f"{size:,} bytes in {name}"))
