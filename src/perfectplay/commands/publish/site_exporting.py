"""A gallery of games as one folder that any web server can serve."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from perfectplay.commands.publish.exporting import solve_first
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.game import Game
from perfectplay.processes.folders import path_of
from perfectplay.rules.families import shown_names
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.solvers.steps import Step, finished
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

    def __str__(self) -> str:
        return "\n".join(site_lines(self))

    to_dict = json_facts(Fact("path", "to"), "pages", "left_out", Fact("size", "bytes"), "pictures")


def site_lines(report: SiteReport) -> list[str]:
    """What there is to say about a site, a line each."""
    games = "1 game" if len(report.pages) == 1 else f"{len(report.pages)} games"
    lines = [f"{games}, {report.size:,} bytes; open {Path(report.path) / 'index.html'}"]
    lines += [f"left out: {why}" for why in report.left_out.values()]
    if not report.pictures:
        lines.append("links to it show no picture: pip install 'perfectplay[pictures]' gets what draws them")
    return lines


@rule_faults
def export_site(
    folder: str | os.PathLike[str],
    games: Iterable[GameLike] | None = None,
    *,
    url: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> SiteReport:
    """Writes a gallery with one page per game to a folder, whole or not at all; solves the games on the way.

    `games` are all that come with the package if left out; your own files come first. The page of a game with more
    than 500,000 canonical positions searches; a game that no search can do is left out. The folder is new, empty, or
    holds an earlier site, which is replaced; force=True writes to any other folder, too. `url` is the address at which
    it will be found, such as "https://example.org/games": links then show a picture everywhere.
    """
    from perfectplay.exports.page.site_folder import INDEX, check_free, earlier_files, site_folder
    from perfectplay.exports.page.site_pages import Place, index_page, is_own, page_names
    from perfectplay.views.png import draws_png

    target, address = Path(path_of("folder", folder)), checked_url(url)
    if isinstance(games, str | os.PathLike | Game):
        games = [games]
    chosen = [game_of(game) for game in (shown_names() if games is None else dict.fromkeys(games))]
    chosen.sort(key=lambda game: not is_own(game))
    if not chosen:
        raise BadArgument("games=[] names no game; leave it out for all that come with the package")
    names, earlier = page_names(chosen), earlier_files(target, force)
    if not force:
        check_free(target, [INDEX, *(f"{name}.{kind}" for name in names for kind in ("html", "png"))], earlier)
    cards, pages, left_out = [], {}, {}
    with site_folder(target, earlier) as unfinished:
        place = Place(unfinished, address)
        for i, (game, name) in enumerate(zip(chosen, names, strict=True)):
            try:
                cards.append(one_page(game, name, place, following(progress, f"{game.name} ({i + 1} of {len(names)})")))
                pages[game.name] = f"{name}.html"
            except (BadGame, TooBig) as fault:
                left_out[game.name] = str(fault)
        if not cards:
            raise TooBig(f"no game is left for a site: {'; '.join(left_out.values())}")
        index_page(cards, place)
        size = sum(path.stat().st_size for path in unfinished.iterdir())
    return SiteReport(str(target), pages, left_out, size, draws_png())


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
