"""Writing a solution for other programs: JSON, C, one page, Parquet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from perfectplay.commands.terminal.arguments import Progress
from perfectplay.exports.formats import ExportFormat, ExportOptions
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.solvers.memory.interpreted import forecast_count, is_larger
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import Steps, finished
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.unsolved import why_unsolved
from perfectplay.views.document import Document
from perfectplay.views.facts import report_document
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

    to_dict = json_facts("game", "format", Fact("path", "to"), Fact("size", "bytes"), Fact("facts", spread=True))

    def document(self) -> Document:
        """Its lines; for eyes its facts, too."""
        return report_document("ExportReport", self.lines, self.to_dict())


def writing(
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
