"""Writing solutions for others: JSON, C, one page, Parquet; and a gallery of games for any web server."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urlsplit

from perfectplay.commands.terminal.arguments import Progress
from perfectplay.exports.formats import ExportFormat, ExportOptions
from perfectplay.game import COMPILED_BITS, Game
from perfectplay.solvers.memory.interpreted import forecast_count, is_larger
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import Step, Steps, finished
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.unsolved import why_unsolved
from perfectplay.views.document import Document
from perfectplay.views.facts import report_document
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import BadArgument, BadGame, NotCompiled, TooBig

if TYPE_CHECKING:
    from perfectplay.exports.export_rows import Report
    from perfectplay.exports.page.game_data import Fields
    from perfectplay.exports.page.site_pages import Place


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


# A gallery of games as one folder.


@dataclass(frozen=True)
class SiteReport(metaclass=ResultClass):
    """A site that was written: the file of each game's page, the games left out and why, and its size in bytes."""

    path: str
    pages: Mapping[str, str]
    left_out: Mapping[str, str]
    size: int
    pictures: bool = field(default=True, repr=False)
    """Whether there are pictures for links to the pages."""

    to_dict = json_facts(Fact("path", "to"), "pages", "left_out", Fact("size", "bytes"), "pictures")

    def document(self) -> Document:
        """What there is to say about it; for eyes its facts, too."""
        games = "1 game" if len(self.pages) == 1 else f"{len(self.pages)} games"
        lines = [f"{games}, {self.size:,} bytes; open {Path(self.path) / 'index.html'}"]
        lines += [f"left out: {why}" for why in self.left_out.values()]
        if not self.pictures:
            lines.append("links to it show no picture: pip install 'perfectplay[pictures]' gets what draws them")
        return report_document("SiteReport", lines, self.to_dict())


def one_page(game: Game, name: str, place: "Place", progress: Progress | None) -> "Fields":
    """Writes the page of a game and returns its card; a game too large for a page is searched there, if it can be."""
    from perfectplay.exports.page.page_solution import carrying
    from perfectplay.exports.page.site_pages import check_forecast, game_page

    try:
        check_forecast(game)
        carried = finished(carrying(game), progress)
        solve_first(game, progress)
    except TooBig as large:
        try:
            return finished(game_page(game, None, name, place), progress)
        except (BadGame, NotCompiled):
            raise large from None
    return finished(game_page(game, carried, name, place), progress)


def following(progress: Progress | None, what: str) -> Progress | None:
    """The progress of one of several games, which says which one it is."""
    if progress is None:
        return None
    tell = progress

    def told(step: Step) -> None:
        tell(replace(step, phase=f"{what}: {step.phase}"))

    return told


def checked_url(url: str | None) -> str:
    """The address without a slash at its end, empty if there is none; raises BadArgument."""
    if url is None:
        return ""
    parts = urlsplit(url) if isinstance(url, str) else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise BadArgument(f"url={url!r} is not the address of a site; write one such as https://example.org/games")
    return str(url).rstrip("/")
