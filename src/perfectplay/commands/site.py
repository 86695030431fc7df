"""`site`: a gallery of solved games as a folder for any web server."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import FORCE, Named
from perfectplay.commands.terminal.arguments import GameLike, Progress, game_of
from perfectplay.commands.verb import verb
from perfectplay.game import Game
from perfectplay.words import BadArgument, BadGame, TooBig

if TYPE_CHECKING:
    from perfectplay.commands.publish.exporting import SiteReport


@verb(
    "publish",
    "write a gallery of solved games as a folder for any web server",
    "site tic-tac-toe nim --to games",
    "site kayles --to kayles --url https://example.org/kayles",
    name="site",
    kept="nothing is written",
)
def export_site(
    folder: Annotated[
        str | os.PathLike[str], Named("folder to write: new, empty, or an earlier site", metavar="DIR", flag="--to")
    ],
    games: Annotated[
        Iterable[GameLike] | None,
        Named(
            "games by name or file (default: all that come with the package and are small enough)",
            metavar="GAME",
            argument=True,
            repeats=True,
        ),
    ] = None,
    *,
    url: Annotated[
        str | None, Named("where the site will be found, such as https://example.org/games", metavar="ADDRESS")
    ] = None,
    force: Annotated[bool, FORCE] = False,
    progress: Progress | None = None,
) -> "SiteReport":
    """Writes a gallery with one page per game to a folder, whole or not at all; solves the games on the way.

    `games` are all that come with the package if left out; your own files come first. The page of a game with more
    than 500,000 canonical positions searches; a game that no search can do is left out. The folder is new, empty, or
    holds an earlier site, which is replaced; force=True writes to any other folder, too. `url` is the address at which
    it will be found, such as "https://example.org/games": links then show a picture everywhere.
    """
    from perfectplay.commands.publish.exporting import SiteReport, checked_url, following, one_page
    from perfectplay.exports.page.site_pages import (
        INDEX,
        Place,
        check_free,
        earlier_files,
        index_page,
        is_own,
        page_names,
        site_folder,
    )
    from perfectplay.processes.folders import path_of
    from perfectplay.rules.families import shown_names
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
