"""The report of a tournament: one page that loads nothing, or the live page of a server; both are drawn alike."""

import base64
from collections import Counter
from collections.abc import Iterable

from jinja2 import Environment, FileSystemLoader, Template

from perfectplay import __version__
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.exports.page import ASSETS, STATIC
from perfectplay.exports.page.game_data import titled
from perfectplay.exports.page.review_page import THEME_ENDS, spoken
from perfectplay.exports.page.script_bundle import bundled, safe_in_page, scripts, small_style
from perfectplay.exports.page.tournament_games import Facts, Replays, Report, row, said
from perfectplay.exports.page.tournament_tables import (
    AMOUNTS,
    cross,
    given_away,
    headline,
    notes,
    ratings,
    settings,
    shown_names,
    standings_table,
    with_minus,
)
from perfectplay.game import Game
from perfectplay.rules.notation import number_of
from perfectplay.solvers.oracle import TableOracle
from perfectplay.views.board_art import art_of
from perfectplay.views.game_pieces import side_names, spoken_names
from perfectplay.views.names import short_names
from perfectplay.views.scoped_style import STYLE, position_svg
from perfectplay.words import FIRST, SECOND, BadArgument, BadPosition, IllegalMove

MOST_BOARDS = 24
"""Forfeits with a drawn board, at most: one for each player and cause."""
SCRIPTS = ("tournament", *(f"tournament_{part}" for part in ("list", "replay", "live")), "dom", "theme", "evaluation")
"""The scripts of the live page, which the browser loads at once."""
UNSOLVED = "Regret and blunders are known only where the value of a position is: the game is not solved here."
NOTHING = {"waiting": "The tournament has not begun."}
NO_RECORD = "There is no tournament to show."
MEANING = (
    "Regret is exact where the game is solved: the value that a move gives away; a win is 1, a draw ½, a loss 0. "
    "A forfeit gives away all that the position was worth."
)


def tournament_page(game: Game, report: Report, oracle: TableOracle | None = None) -> str:
    """The whole report as one file.

    With an oracle every position of the replayed games has its exact value.
    """
    replays, games = Replays(game, oracle), []
    for one in report.games:
        packed = {"error": "This report has too many moves to replay them all."} if replays.is_full else {}
        games.append({**row(one, report.players), **(packed or replays.replay(one))})
    icon = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    left = sum("error" in one for one in games) if replays.is_full else 0
    too_many = [f"{number_of(left, 'game')} of so many can only be listed, not replayed."] if left else []
    return template().render(
        **shown(game, report, replays),
        title=f"{named(game)}: tournament",
        offline=True,
        notes=[*notes(report.standings), *too_many],
        data={**drawing(game, report), "games": games},
        style=small_style(style()),
        script=safe_in_page(bundled("tournament", scripts([STATIC]))),
        icon=f"data:image/svg+xml;base64,{icon}",
    )


def live_page(game: Game | None, report: Report | None, replays: Replays | None, values: Facts) -> str:
    """The page of a server that follows a record; nothing is known of the game before the record begins.

    `values` has the `record`, its `state` and what is `told` of it, and the addresses `home` and `static`.
    """
    known: Facts = {"headline": NOTHING.get(values["state"], NO_RECORD), "version": __version__}
    data: Facts = {"players": [], "short": [], "uncounted": {}}
    if game is not None and report is not None and replays is not None:
        known = shown(game, report, replays, live=True) | {"notes": notes(report.standings)}
        data = drawing(game, report)
    return template().render(
        **known,
        **values,
        title=f"{named(game)}: tournament" if game is not None else "Tournament",
        live=True,
        played=0 if report is None else len(report.games),
        data={**data, "games": [], "live": True, "record": values["record"]},
        scripts=SCRIPTS,
        sheet="tournament",
    )


def named(game: Game) -> str:
    """The game's name as a title."""
    return game.look.title or titled(game.name)


def template() -> Template:
    """The page to be filled."""
    return Environment(loader=FileSystemLoader(ASSETS), autoescape=True).get_template("tournament/tournament.html")


def style() -> str:
    """The style: the theme of the page, boards, and the report's own."""
    theme = (STATIC / "page.css").read_text(encoding="utf-8").partition(THEME_ENDS)[0]
    return theme + STYLE + (ASSETS / "tournament" / "tournament.css").read_text(encoding="utf-8")


def shown(game: Game, report: Report, replays: Replays, live: bool = False) -> Facts:
    """What the tables and plots of the page show: the games that count."""
    standings, games = report.standings, report.counted
    players = standings.players
    faults, more = forfeits(game, games, replays)
    judged = any(player.regret_per_move is not None for player in players)
    return {
        "version": __version__,
        "description": f"A tournament of {game.name}: standings, ratings, regret and every game.",
        "game": named(game),
        "standings": True,
        "headline": headline(players),
        "settings": settings(report, live),
        **standings_table(players),
        "labels": shown_names(report.players),
        "meaning": MEANING if judged else UNSOLVED,
        "places": [report.players.index(player.name) for player in players],
        "cross": cross(standings),
        "scale": ratings(players),
        "advantage": with_minus(str(standings.advantage)),
        "given": given_away([player.name for player in players], games),
        "amounts": AMOUNTS,
        "forfeits": faults,
        "causes": sorted({cause for player in players for cause in player.forfeits}),
        "more_forfeits": more,
    }


def drawing(game: Game, report: Report) -> Facts:
    """What the page's script needs to draw and to name things, and to mark games that do not count."""
    look = game.look
    return {
        "players": list(report.players),
        "short": short_names(report.players),
        "uncounted": report.uncounted,
        "sides": list(look.sides),
        "names": list(side_names(look)),
        "art": art_of(game).to_dict(),
        "shape": list(game.shape),
        "columns": list(look.columns),
        "rows": list(look.rows),
        "beside": list(look.beside),
        "spoken": [spoken_names(look, side) for side in (FIRST, SECOND)],
    }


def forfeits(game: Game, games: Iterable[PlayedGame], replays: Replays) -> tuple[list[Facts], str]:
    """The first forfeit of each player by each cause, with its board, and what is said of those that are left out."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], PlayedGame] = {}
    for one in games:
        if one.cause is not None:
            loser = one.players[0 if one.winner == SECOND else 1]
            counts[loser, str(one.cause)] += 1
            first.setdefault((loser, str(one.cause)), one)
    cards = [
        {
            "name": name,
            "cause": cause,
            "count": number_of(counts[name, cause], "game"),
            "number": one.number,
            "said": said(one),
            **last_board(game, one, replays),
        }
        for (name, cause), one in [*first.items()][:MOST_BOARDS]
    ]
    left = len(first) - len(cards)
    return cards, f"{number_of(left, 'more kind')} of forfeit: filter the games below." if left else ""


def last_board(game: Game, one: PlayedGame, replays: Replays) -> Facts:
    """The board on which a game was forfeited; nothing if its moves cannot be replayed."""
    try:
        turn, changed = replays.last_step(one)
    except (IllegalMove, BadPosition, BadArgument):
        return {}
    mover = side_names(game.look)[turn[1]]
    return {"side": mover, "spoken": f"Board: {spoken(game, turn)}", "board": position_svg(game, *turn, changed)}
