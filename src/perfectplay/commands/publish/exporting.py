"""Writing a solution for other programs: JSON, C, one page, Parquet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of, size_in_bytes, whole
from perfectplay.exports.formats import ExportFormat, ExportOptions, ending_of, format_for
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.players.models.levels import LEVELS
from perfectplay.processes.folders import PathLike, path_of
from perfectplay.rules.outputs import output
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.memory.interpreted import forecast_count, is_larger
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import Steps, finished
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.unsolved import why_unsolved
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import BadGame, NotCompiled, TooBig

if TYPE_CHECKING:
    from perfectplay.exports.export_report import Report


@dataclass(frozen=True)
class ExportReport(metaclass=ResultClass):
    """An exported file: its format, its size in bytes, and facts about its contents."""

    game: str
    format: str
    path: str
    size: int
    facts: Mapping[str, object]
    lines: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    to_dict = json_facts("game", "format", Fact("path", "to"), Fact("size", "bytes"), Fact("facts", spread=True))


@rule_faults
def export(
    game: GameLike,
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002
    all_positions: bool = False,
    budget: int | str | None = None,
    level: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> ExportReport:
    """Writes the game's solution to a file, atomically; solves the game first if necessary.

    A page of a game that is too large to solve, or to fit into a page, has the rules, the opening book and an exact
    search inside.

    The file extension, or `format`, determines the format: json, json.gz, h, c, html or parquet. JSON has one position
    per symmetry class, or all with all_positions=True; C fits into `budget` bytes, such as 4000 or "32K", and with a
    level, 1 to 10, has an opponent of that level in place of best moves. A file that perfectplay did not write is only
    replaced with force=True.
    """
    game, name = game_of(game), path_of("path", path)
    kind = ending_of(name) if format is None else format
    whole("level", level, 1, LEVELS)
    options = ExportOptions(bool(all_positions), None if budget is None else size_in_bytes(budget), level)
    chosen = format_for(kind)
    chosen.check(name, kind, options)
    target = output(name, chosen.kinds[kind], force)
    with target.writing() as sink:
        report = finished(written(chosen, game, sink, kind, options, progress), progress)
    size = Path(name).stat().st_size
    return ExportReport(game.name, kind, name, size, report.facts, (*report.lines, f"{size:,} bytes in {name}"))


def written(
    chosen: ExportFormat, game: Game, sink: BinaryIO, kind: str, options: ExportOptions, progress: Progress | None
) -> "Steps[Report]":
    """Writes the game's solution; or the search of one that is too large, if the format has one."""
    if chosen.search is None:
        solve_first(game, progress)
        return (yield from chosen.write(game, sink, kind, options))
    try:
        if kept_table(game) is None and chosen.most is not None and is_too_large(game, chosen.most):
            raise TooBig(why_unsolved(game))
        solve_first(game, progress)
        return (yield from chosen.write(game, sink, kind, options))
    except TooBig as large:
        try:
            return (yield from chosen.search(game, sink))
        except (BadGame, NotCompiled) as fault:
            raise TooBig(f"{large}; and no page that searches: {fault}") from None


def is_too_large(game: Game, most: int) -> bool:
    """Whether the game is not worth solving for a file of so many positions; without a key it must be small."""
    return is_larger(game, most) or (game.key is None and forecast_count(game) is None)


def solve_first(game: Game, progress: Progress | None) -> None:
    """Solves a game that is not solved yet, which also checks its rules; the table is kept."""
    from perfectplay.solvers.complete import solving_to_folder
    from perfectplay.solvers.engine import Options

    if kept_table(game) is not None:
        return
    if game.bits > COMPILED_BITS:
        solved_oracle(game)
    kept = finished(solving_to_folder(game, Options()), progress)
    if kept.fault is not None:
        try:
            solved_oracle(game)
        except TooBig:  # what is not kept is only known of small games
            raise kept.fault from None
