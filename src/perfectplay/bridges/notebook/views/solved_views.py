"""Views of solved games: what the start is worth, and how many positions are won, drawn and lost."""

from typing import TYPE_CHECKING

from markupsafe import Markup

from perfectplay.bridges.notebook.views.charts import histogram
from perfectplay.bridges.notebook.views.frame import beside, board, framed, joined, notes, table, tag, valued
from perfectplay.bridges.notebook.views.odds_views import counted_rows
from perfectplay.rules.notation import entry_text, plies_text, value_name
from perfectplay.words import DRAW, FIRST, LOSS, WIN

if TYPE_CHECKING:
    from perfectplay.solvers.table.summary import Summary
    from perfectplay.solvers.table.table import Table

MOST_TOLD = 20
"""The distances that are told in words."""


def summary_view(found: "Summary") -> Markup:
    """The summary on its own."""
    return framed(title_of(found), *summary_parts(found))


def table_view(found: "Table") -> Markup:
    """The start position beside the summary."""
    summary, game = found.summary(), found.game
    return framed(title_of(summary), beside(board(game, game.start, FIRST), joined(summary_parts(summary))))


def title_of(found: "Summary") -> Markup:
    """The game and the value of its start."""
    return joined((found.game, ": ", valued(value_name(found.start), entry_text(found.start))))


def summary_parts(found: "Summary") -> list[Markup]:
    """The positions by value, by distance where that is known, and how the game was solved."""
    endless = "all endless" if found.endless == found.draws else f"{found.endless:,} endless"
    more = ("", endless if found.endless else "", "")
    rows = counted_rows(("won", "drawn", "lost"), (found.wins, found.draws, found.losses), more)
    seconds = "" if found.seconds_in_all is None else f" in {found.seconds_in_all:.3g} s"
    facts = [
        f"{found.positions:,} positions, {found.classes:,} up to symmetry",
        f"the longest game with best play from any position: {plies_text(found.longest)}" if found.longest else "",
        f"solved by {found.engine}{seconds}" if found.engine else "",
        f"table: {found.table}" if found.table else found.why or "",
    ]
    return [
        tag("p", "Seen by the side to move:"),
        table(("positions", "", "", "", ""), rows),
        distances(found),
        notes(facts),
    ]


def distances(found: "Summary") -> Markup:
    """A histogram of distances, where they were counted."""
    columns: dict[int, list[int]] = {}
    for entry, count in (found.counts or {}).items():
        if entry.distance is not None and entry.margin is None:
            place = (WIN, DRAW, LOSS).index(entry.value)
            columns.setdefault(entry.distance, [0, 0, 0])[place] += count
    if not columns:
        return Markup("")
    told = [
        f"{distance}: {won:,} won, {drawn:,} drawn, {lost:,} lost"
        for distance, (won, drawn, lost) in sorted(columns.items())[:MOST_TOLD]
    ]
    counted = {distance: (won, drawn, lost) for distance, (won, drawn, lost) in columns.items()}
    return histogram(counted, f"Positions by plies to the end; {'; '.join(told)}")
