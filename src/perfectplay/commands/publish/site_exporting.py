"""A gallery of games as one folder that any web server can serve."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from perfectplay.commands.publish.exporting import solve_first
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import Game
from perfectplay.solvers.steps import Step, finished
from perfectplay.views.document import Document
from perfectplay.views.facts import report_document
from perfectplay.views.json_facts import Fact, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import BadArgument, BadGame, NotCompiled, TooBig

if TYPE_CHECKING:
    from perfectplay.exports.page.game_data import Fields
    from perfectplay.exports.page.site_pages import Place


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
        return report_document("SiteReport", site_lines(self), self.to_dict())


def site_lines(report: SiteReport) -> list[str]:
    """What there is to say about a site, a line each."""
    games = "1 game" if len(report.pages) == 1 else f"{len(report.pages)} games"
    lines = [f"{games}, {report.size:,} bytes; open {Path(report.path) / 'index.html'}"]
    lines += [f"left out: {why}" for why in report.left_out.values()]
    if not report.pictures:
        lines.append("links to it show no picture: pip install 'perfectplay[pictures]' gets what draws them")
    return lines


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
