"""The report of a tournament: one page that loads nothing, or the live page of a server; both are drawn alike."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from perfectplay import __version__
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.standings_result import (
    BLUNDERS,
    FORFEITS,
    LOS,
    OPTIMAL,
    RATING,
    REGRET,
    TIME,
    Column,
    PlayerStanding,
    Standings,
    crosstable,
    kinds_of_blunders,
    known,
    rating_scale,
)
from perfectplay.exports.page import STATIC, report_style
from perfectplay.exports.page.game_data import titled
from perfectplay.exports.page.page_bundle import rendered, template
from perfectplay.exports.page.review_page import spoken
from perfectplay.exports.page.tournament_games import Facts, Replays, Report, judged, row, said
from perfectplay.game import Game
from perfectplay.rules.notation import number_of
from perfectplay.solvers.oracle import TableOracle
from perfectplay.views.board_art import art_of
from perfectplay.views.game_pieces import side_names, spoken_names
from perfectplay.views.names import short_names
from perfectplay.views.numbers import elo, likelihood, per_cent
from perfectplay.views.scoped_style import position_svg
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
    left = sum("error" in one for one in games) if replays.is_full else 0
    too_many = [f"{number_of(left, 'game')} of so many can only be listed, not replayed."] if left else []
    values = {
        **shown(game, report, replays),
        "title": f"{named(game)}: tournament",
        "notes": [*notes(report.standings), *too_many],
        "data": {**drawing(game, report), "games": games},
    }
    return rendered("tournament/tournament.html", values, [STATIC], report_style("tournament"))


def live_page(game: Game | None, report: Report | None, replays: Replays | None, values: Facts) -> str:
    """The page of a server that follows a record; nothing is known of the game before the record begins.

    `values` has the `record`, its `state` and what is `told` of it, and the addresses `home` and `static`.
    """
    known: Facts = {"headline": NOTHING.get(values["state"], NO_RECORD)}
    data: Facts = {"players": [], "short": [], "uncounted": {}}
    if game is not None and report is not None and replays is not None:
        known = shown(game, report, replays, live=True) | {"notes": notes(report.standings)}
        data = drawing(game, report)
    return template("tournament/tournament.html").render(
        **known,
        **values,
        version=__version__,
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


def shown(game: Game, report: Report, replays: Replays, live: bool = False) -> Facts:
    """What the tables and plots of the page show: the games that count."""
    standings, games = report.standings, report.counted
    players = standings.players
    faults, more = forfeits(game, games, replays)
    judged = any(player.regret_per_move is not None for player in players)
    return {
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


# The tables and plots of the page as plain values: headline, standings, crosstable, ratings, regret.


COLUMNS = (LOS, OPTIMAL, BLUNDERS, REGRET, TIME, FORFEITS)
"""What stands behind the ratings, of which those columns are left out of which nothing is known."""
SURE = 0.95
"""From this likelihood on a lead is no accident."""
AMOUNTS = ("nothing", "½", "1", "more than 1")
"""What a player gave away in a game, as the legend names it."""
BREAKS = re.compile(r"(?<=[\s/:,=_…])(?=.)|(?<=\w-)(?=.)")
"""Where a line may break."""


def points(score: float) -> str:
    """A score as people write it: 7½."""
    whole, half = divmod(round(2 * score), 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def with_minus(text: str) -> str:
    """The numbers with a real minus sign."""
    return text.replace("-", "−")


def standings_table(players: Sequence[PlayerStanding]) -> Facts:
    """The players by rank: what is told of all, and the heads and cells of the columns in which there is something."""
    columns = known(COLUMNS, players)
    heads = [{"title": breakable(column.title), "about": column.about} for column in columns]
    return {"heads": heads, "rows": [table_row(player, columns) for player in players]}


def table_row(player: PlayerStanding, columns: Iterable[Column]) -> Facts:
    """A player's row in the table: what is told of all, and the columns with what is told when they are pointed at."""
    nothing, about = {FORFEITS: "0"}, {BLUNDERS: kinds_of_blunders(player)}
    texts = [(column.cell(player) or nothing.get(column, "–"), about.get(column, "")) for column in columns]
    return {
        "rank": player.rank,
        "name": player.name,
        "score": points(player.score),
        "games": player.games,
        "results": [player.wins, player.draws, player.losses],
        "rating": with_minus(RATING.cell(player)),
        "interval": interval(player),
        "causes": player.forfeits,
        "cells": [{"text": text, "about": more} for text, more in texts],
    }


def interval(player: PlayerStanding) -> str:
    """The 95% confidence interval of a rating: −12 to +40."""
    return with_minus(f"{elo(player.low)} to {elo(player.high)}")


def headline(players: Sequence[PlayerStanding]) -> Markup:
    """Who leads, by how much, and how sure that is; the names of players stand out."""
    played = [player for player in players if player.games]
    if len(played) < 2:
        return Markup("No game has ended yet.")
    first, second = played[:2]
    shorter = shown_names([player.name for player in players])
    names = [Markup('<em title="{}">{}</em>').format(one.name, shorter[one.name]) for one in (first, second)]
    part = per_cent(first.score / first.games, 0)
    lead = round(first.rating - second.rating)
    if lead <= 0:
        return Markup("{} and {} share the lead, each with {} of the points.").format(*names, part)
    sure = "."
    if first.superiority is not None:
        known = f"the likelihood that it is the stronger is {likelihood(first.superiority)}"
        sure = f"; {known}." if first.superiority >= SURE else f", but that may be luck: {known}."
    text = Markup("{} leads with {} of the points, {} Elo ahead of {}{}")
    return text.format(names[0], part, lead, names[1], sure)


def notes(standings: Standings) -> list[str]:
    """What a reader of the tables should know, in sentences."""
    return [*map(with_minus, standings.test_lines), *standings.remarks]


def cross(standings: Standings) -> list[list[Facts | None]]:
    """The crosstable: score, games, and whether that is more or less than half; None for those that have not met."""
    return [
        [met and {"score": points(met.score), "games": met.games, "kind": met.kind, "about": str(met)} for met in row]
        for row in crosstable(standings.players, standings.pairings)
    ]


def ratings(players: Sequence[PlayerStanding]) -> Facts:
    """The ratings on a scale: ticks, and where each rating and interval is, in per cent of the width."""
    scale = rating_scale(players)
    return {
        "ticks": [{"at": scale.place(tick), "text": with_minus(elo(tick))} for tick in scale.ticks],
        "players": [
            {
                "name": player.name,
                "text": with_minus(RATING.cell(player)),
                "interval": interval(player),
                **{key: scale.place(getattr(player, key)) for key in ("low", "high", "rating")},
            }
            for player in players
        ],
    }


def given_away(names: Iterable[str], games: Iterable[PlayedGame]) -> list[Facts]:
    """For each player the share of its judged games in which it gave away nothing, ½, 1 and more; bars in per cent."""
    counts: dict[str, Counter[int]] = {name: Counter() for name in names}
    for game in games:
        totals: dict[int, float] = {}
        for side, regret in judged(game):
            totals[side] = totals.get(side, 0.0) + regret
        for side, total in totals.items():
            counts[game.players[side]][min(len(AMOUNTS) - 1, round(2 * total))] += 1
    return [bars(name, found) for name, found in counts.items() if found]


def bars(name: str, found: Counter[int]) -> Facts:
    """The parts of one player's bar."""
    total, left = found.total(), 0.0
    parts: list[Facts] = []
    for kind, text in enumerate(AMOUNTS):
        width = 100 * found[kind] / total
        place = {"kind": kind, "left": round(left, 2), "width": round(width, 2)}
        parts.append({"text": text, "games": found[kind], "share": per_cent(found[kind] / total, 0), **place})
        left += width
    about = ", ".join(f"{part['text']}: {number_of(part['games'], 'game')}" for part in parts if part["games"])
    return {"name": name, "parts": parts, "about": about}


def settings(report: Report, live: bool) -> str:
    """The tournament in a line: 300 games, of which 280 count, 4 players, round-robin, 1 s per move, seed 5."""
    tournament, played, left = report.tournament, len(report.games), len(report.uncounted)
    openings = tournament.openings
    proven = "proven equal " if openings and all(one.balanced for one in openings) else ""
    counting = f", of which {played - left:,} count" if left else ""
    parts = [
        f"{'Standings after ' if live else ''}{number_of(played, 'game')}{counting}",
        number_of(len(tournament.players), "player"),
        tournament.format,
        str(tournament.time),
        *([number_of(len(openings), f"{proven}opening")] if openings else []),
        f"seed {tournament.seed}",
    ]
    return " · ".join(parts)


# The names of players as the report of a tournament shows them: long ones shortened, with places to break a line.


def shown_names(names: Sequence[str]) -> dict[str, Markup]:
    """Each name as a page shows it."""
    return {name: label(name, short) for name, short in zip(names, short_names(names), strict=True)}


def label(name: str, short: str) -> Markup:
    """A name as a page shows it; screen readers get all of it."""
    if name == short:
        return breakable(name)
    shown = Markup('<span aria-hidden="true">{}</span><span class="unseen">{}</span>')
    return shown.format(breakable(short), name)


def breakable(text: str) -> Markup:
    """The text with places at which a line may break."""
    whole = Markup('<span class="whole">{}</span>')  # browsers would break --depth after a hyphen
    return Markup("<wbr>").join(
        whole.format(part) if part.startswith("-") else escape(part) for part in BREAKS.split(text)
    )
