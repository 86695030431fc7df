"""Views of results between players and of counted games: three bars with patterns, numbers and intervals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from perfectplay.bridges.notebook.views.analysis_views import probability_rows
from perfectplay.bridges.notebook.views.charts import bar
from perfectplay.bridges.notebook.views.frame import framed, listed, more, note, notes, table, tag, valued
from perfectplay.commands.play.battle_result import result_lines, shown_names
from perfectplay.rules.notation import number_of, plies_text

if TYPE_CHECKING:
    from perfectplay.commands.know.probability import Probability
    from perfectplay.commands.odds.probabilities import Odds
    from perfectplay.commands.play.battle_result import BattleResult
    from perfectplay.commands.prove.counting import GameCount
    from perfectplay.commands.prove.random_play import RandomGames, SampleGame

KINDS = ("win", "draw", "loss")
MOST_LOSSES = 6
"""The lost games that are listed."""


def probability_view(found: "Probability") -> Markup:
    """The three probabilities."""
    return framed("Probabilities", table(("", "", "", ""), probability_rows(found)))


def odds_view(found: "Odds") -> Markup:
    """The three probabilities, with intervals where they are estimated, and the forfeits."""
    first, second = found.players
    intervals = [interval_text(*one) for one in found.intervals or ()] or ["", "", ""]
    how = "exact" if found.games is None else f"estimated from {number_of(found.games, 'game')}"
    labels = (f"{first}, moving first, wins", "draw", f"{second}, moving second, wins")
    return framed(
        f"{found.game}: {first} against {second}",
        table(("result", "", "probability", "95% CI"), probability_rows(found.probability, labels, intervals)),
        notes([how, *map(str, found.forfeits)]),
    )


def interval_text(low: float, high: float) -> str:
    """An interval of a probability."""
    return f"{low:.1%} to {high:.1%}"


def battle_view(found: "BattleResult") -> Markup:
    """Who won how often, with intervals, and the rest of what the result says."""
    (a, b), (title, *_) = shown_names(found), result_lines(found)
    counts = (found.wins[0], found.draws, found.wins[1])
    intervals = [interval_text(*one) for one in found.intervals] if found.games else ["", "", ""]
    rows = counted_rows((f"won by {a}", "drawn", f"won by {b}"), counts, intervals)
    rest = "\n".join(result_lines(found)).split("\n\n")[2:]
    lost = [f"game {game.number}: {' '.join(game.moves)}" for game in found.losses[:MOST_LOSSES]]
    return framed(
        title,
        table(("result", "games", "share", "", "95% CI"), rows) if found.games else note("no games"),
        notes(line for part in rest for line in part.splitlines()),
        note(f"Lost by {a}:") if lost else "",
        listed(lost) if lost else "",
        more(len(found.losses) - len(lost), "lost games"),
    )


def counted_rows(
    labels: Sequence[str], counts: Sequence[int], more: Sequence[object] = ("", "", "")
) -> list[tuple[object, ...]]:
    """Results that were counted: shape and words, the number, its share, a bar, and what else is said of each."""
    total = max(1, sum(counts))
    return [
        (valued(kind, label), f"{count:,}", f"{count / total:.1%}", bar(count / total, kind), said)
        for kind, label, count, said in zip(KINDS, labels, counts, more, strict=True)
    ]


def random_games_view(found: "RandomGames") -> Markup:
    """How random games end, how long they are, and one of them."""
    labels = (f"won by {found.sides[0]}", "drawn", f"won by {found.sides[1]}")
    margins = "" if found.margins is None else f"{found.sides[0]}'s margin: {found.margins}"
    return framed(
        number_of(found.played, "random game"),
        table(("result", "games", "share", ""), counted_rows(labels, (found.first, found.drawn, found.second))),
        notes(
            [
                f"{found.unfinished:,} unfinished" if found.unfinished else "",
                f"plies: {found.plies}",
                f"legal moves in a position: {found.choices}",
                margins,
            ]
        ),
        *sample_parts(found.sample),
    )


def sample_parts(found: "SampleGame") -> Sequence[Markup]:
    """A sample game: its moves, and its last position."""
    return note(f"{found.heading}: {' '.join(found.moves)}"), tag("pre", found.board)


def sample_view(found: "SampleGame") -> Markup:
    """A sample game on its own."""
    return framed(found.heading, *sample_parts(found))


def count_view(found: "GameCount") -> Markup:
    """How many games there are, by result."""
    labels = (f"won by {found.sides[0]}", "drawn", f"won by {found.sides[1]}")
    within = f"within {plies_text(found.depth)}"
    rest = f"{number_of(found.ongoing, 'sequence')} of {plies_text(found.depth)} not over"
    return framed(
        f"{found.game}: {number_of(found.games, 'game')} over {within}",
        table(("result", "games", "share", ""), counted_rows(labels, (found.wins[0], found.draws, found.wins[1])))
        if found.games
        else note(f"No game is over {within}."),
        note("These are all games that can be played." if found.complete else f"{rest}."),
    )
