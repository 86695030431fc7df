"""What the report of a tournament says: headline, table, crosstable, ratings, regret and forfeits, as plain values."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

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
from perfectplay.exports.page.tournament_games import Facts, Report, judged
from perfectplay.rules.notation import number_of
from perfectplay.views.names import short_names
from perfectplay.views.numbers import elo, likelihood, per_cent

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
    return {"heads": heads, "rows": [table_row(player) | cells(player, columns) for player in players]}


def table_row(player: PlayerStanding) -> Facts:
    """A player's row in the table, as texts."""
    return {
        "rank": player.rank,
        "name": player.name,
        "score": points(player.score),
        "games": player.games,
        "results": [player.wins, player.draws, player.losses],
        "rating": with_minus(RATING.cell(player)),
        "interval": interval(player),
        "causes": player.forfeits,
    }


def cells(player: PlayerStanding, columns: Iterable[Column]) -> Facts:
    """The texts of the columns, with what is told when they are pointed at."""
    nothing, about = {FORFEITS: "0"}, {BLUNDERS: kinds_of_blunders(player)}
    texts = [column.cell(player) or nothing.get(column, "–") for column in columns]
    return {"cells": [{"text": one, "about": about.get(of, "")} for one, of in zip(texts, columns, strict=True)]}


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
    text = Markup("{} leads with {} of the points, {} Elo ahead of {}{}")
    return text.format(names[0], part, lead, names[1], sureness(first))


def sureness(first: PlayerStanding) -> str:
    """How sure it is that the leader is stronger than the next, as the end of a sentence."""
    if first.superiority is None:
        return "."
    sure = f"the likelihood that it is the stronger is {likelihood(first.superiority)}"
    return f"; {sure}." if first.superiority >= SURE else f", but that may be luck: {sure}."


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
