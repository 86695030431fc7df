"""The view of a tournament: the table with ratings and error bars, the crosstable, and the remarks."""

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from perfectplay.bridges.notebook.views.frame import framed, more, notes, table, valued
from perfectplay.exports.page.tournament_tables import (
    UNKNOWN,
    advantage,
    columns_of,
    crosstable,
    scale,
    short_names,
    table_row,
    tested,
)
from perfectplay.rules.notation import number_of
from perfectplay.views.charts import error_bar, joined, tag

if TYPE_CHECKING:
    from perfectplay.arena.tournaments.standings import Standings

MOST_PLAYERS, MOST_MET = 40, 16
"""The players of the table, and of the crosstable."""
QUALITY = {"optimal": "optimal", "regret": "regret/move", "blunders": "blunders/100", "time": "time/move"}
"""The columns of the second table, of which those are left out of which nothing is known."""


def standings_view(found: "Standings") -> Markup:
    """The whole result."""
    facts: dict[str, Any] = found.to_dict()
    players = facts["players"]
    shorter = short_names([player["name"] for player in players])
    rows = [table_row(rank, player) for rank, player in enumerate(players, 1)]
    title = f"{found.game}: {number_of(len(players), 'player')}, {number_of(found.games, 'game')}"
    return framed(
        title,
        ratings_table(rows[:MOST_PLAYERS], shorter, rating_bars(players)),
        more(len(players) - MOST_PLAYERS, "players"),
        met_table(facts, shorter) if len(players) > 2 else "",
        quality_table(rows[:MOST_PLAYERS], shorter),
        notes(remarks(found, facts)),
    )


def ratings_table(rows: list[Any], shorter: dict[str, str], bars: dict[str, Markup]) -> Markup:
    """The players by rank: scores, ratings, and their error bars."""
    heads = ("#", "player", "score", "W", "D", "L", "rating", "95% CI", "", "LOS", "forfeits")
    forfeits = any(row["forfeits"] for row in rows)
    return table(
        heads,
        (
            (
                str(row["rank"]),
                named(row["name"], shorter),
                row["score"],
                *map(str, row["results"]),
                row["rating"],
                row["interval"],
                bars.get(row["name"], ""),
                row["los"],
                str(row["forfeits"]) if forfeits else "",
            )
            for row in rows
        ),
    )


def quality_table(rows: list[Any], shorter: dict[str, str]) -> Markup:
    """How well the players moved, as far as that is known."""
    asked = {key: head for key, head in QUALITY.items() if columns_of(rows)[key]}
    heads = ("#", "player", *asked.values())
    lines = ((str(row["rank"]), named(row["name"], shorter), *(row[key] for key in asked)) for row in rows)
    return table(heads, lines) if asked else Markup("")


def rating_bars(players: list[Any]) -> dict[str, Markup]:
    """The error bar of each player's rating, all on one scale."""
    found = scale(players)
    if found is None:
        return {}
    return {one["name"]: error_bar(one["low"], one["rating"], one["high"]) for one in found["players"]}


def named(name: str, shorter: dict[str, str]) -> object:
    """A player's name, shortened if it is long; then all of it is told when pointed at."""
    return name if shorter[name] == name else tag("span", shorter[name], title=name)


def met_table(facts: dict[str, Any], shorter: dict[str, str]) -> Markup:
    """The score of each player against each other."""
    players = facts["players"][:MOST_MET]
    names = [player["name"] for player in players]
    rows = [
        (
            str(number),
            named(name, shorter),
            *(met(cell, name == other) for cell, other in zip(line, names, strict=True)),
        )
        for number, (name, line) in enumerate(zip(names, crosstable(players, facts["pairings"]), strict=True), 1)
    ]
    heads = ("#", "against", *(str(number) for number in range(1, len(names) + 1)))
    more_players = more(len(facts["players"]) - MOST_MET, "players, not in this table")
    return joined((table(heads, rows), more_players))


def met(cell: dict[str, Any] | None, same: bool) -> object:
    """A score of the crosstable, with the shape of more or less than half."""
    if cell is None:
        return "" if same else UNKNOWN
    return tag("span", valued(cell["kind"], cell["score"]), title=cell["about"])


def remarks(found: "Standings", facts: dict[str, Any]) -> list[object]:
    """What else is to be said."""
    seeds = f"{found.format}, seed {found.seed}; error bars are 95% confidence intervals"
    first = [tested(facts, found.players[0].name) if found.players else []]
    return [seeds, advantage(facts["first_move_advantage"]), *first[0], *map(note_text, found.remarks)]


def note_text(remark: str) -> str:
    """A remark in one line."""
    return " ".join(remark.split())
