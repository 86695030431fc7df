"""Views of certificates: whether a player is perfect, and what refutes it."""

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from perfectplay.arena.certificate_html import chances_text, side_number
from perfectplay.bridges.notebook.views.frame import BOARD, board, boards, framed, more, note, notes, table, valued
from perfectplay.game import Game, after
from perfectplay.rules.notation import replay
from perfectplay.views.charts import joined, tag
from perfectplay.views.scoped_style import changed_squares
from perfectplay.words import FIRST

if TYPE_CHECKING:
    from perfectplay.commands.compete.certificates import Certificate, ClassReport
    from perfectplay.commands.prove.checking import RulesReport

MOST_BOARDS, MOST_MISTAKES, MOST_PLAYERS = 12, 4, 60
"""The moves of a game and the mistakes that are drawn, and the players of a table."""
SMALL = BOARD * 3 // 4
MARKS = {"ok": "✓ ok", "fault": "✗ fault", "skipped": "– skipped", "note": "! note"}
"""The signs of what came of a check."""


def certificate_view(found: "Certificate") -> Markup:
    """The verdict, each side, the game that refutes the player, and some of its mistakes."""
    facts: dict[str, Any] = found.to_dict()
    parts: list[object] = []
    if found.rules is not None:
        game = found.rules
        rows = [
            (
                f"{game.look.sides[side_number(side)]}, moving {side['side']}",
                f"{side['asked']:,}",
                valued(side["worst"], side["worst"]),
                chances_text(side),
            )
            for side in facts["sides"]
        ]
        parts.append(table(("side", "positions asked", "worst result", "against random"), rows) if rows else "")
        if facts["game_that_refutes"] is not None:
            parts.append(refuting_game(game, facts["game_that_refutes"]))
        if facts["positions"]:
            parts.append(mistakes(game, facts["positions"], found.mistake_count))
    checks = [(one["name"], one["result"]) for one in facts["functions"]]
    parts.append(table(("function", "result"), checks) if checks else "")
    mark = "✓" if found.perfect else "✗"
    return framed(f"{found.game}: {found.player}", verdict(mark, found.verdict), *parts, notes(found.remarks))


def verdict(mark: str, words: str) -> Markup:
    """The verdict with its mark."""
    return tag("p", tag("strong", f"{mark} {words}"))


def refuting_game(game: Game, found: dict[str, Any]) -> Markup:
    """The game that refutes the player, move by move."""
    own, values = side_number(found), found["values"]
    figures = []
    for number, (position, side, move) in enumerate(replay(game, game.start, FIRST, found["moves"][:MOST_BOARDS])):
        following = after(game, position, side, move)
        slip = side == own and values[number] != values[number + 1]
        made = f"{number + 1}. {game.look.sides[side]} {found['moves'][number]}"
        slipped = tag("strong", f" ? {values[number]} becomes {values[number + 1]}") if slip else ""
        drawn = board(game, *following, changed_squares(game, (position, side), following), size=SMALL)
        figures.append((drawn, joined((made, slipped))))
    repeats = "" if found["repeats"] is None else f"From move {found['repeats'] + 1} on, the moves can repeat for ever."
    heading = f"The shortest game that refutes it ({game.look.sides[own]} is the player, {found['result']}):"
    rest = more(len(found["moves"]) - MOST_BOARDS, "moves")
    fault = tag("pre", found["fault"]) if found["fault"] else ""
    return joined((tag("p", heading), boards(figures), rest, note(repeats), fault))


def mistakes(game: Game, found: list[dict[str, Any]], count: int) -> Markup:
    """The mistakes that are reached soonest."""
    figures = []
    for one in found[:MOST_MISTAKES]:
        *_, (position, side, move) = replay(game, game.start, FIRST, (*one["line"], one["move"]))
        following = after(game, position, side, move)
        drawn = board(game, *following, changed_squares(game, (position, side), following), size=SMALL)
        name = f"{game.look.sides[side]} {one['move']}"
        figures.append((drawn, f"{name}: {one['before']} becomes {one['after']}; better: {' '.join(one['better'])}"))
    return joined(
        (tag("p", f"Moves that give a result away: {count:,}"), boards(figures), more(count - MOST_MISTAKES, ""))
    )


def class_view(found: "ClassReport") -> Markup:
    """The players by rank."""
    players: list[Any] = found.to_dict()["players"]  # type: ignore[assignment]
    rows = [
        (
            str(one["rank"]),
            one["player"],
            f"{'✓' if one['perfect'] else '✗'} {one['verdict']}",
            f"{one['asked']:,}",
            f"{one['mistakes']:,}",
            "" if one["points_against_random"] is None else f"{one['points_against_random']:.2%}",
        )
        for one in players
    ]
    heads = ("#", "player", "result", "positions asked", "mistakes", "against random")
    rest = more(len(rows) - MOST_PLAYERS, "players")
    return framed(f"{found.game}: certificates", table(heads, rows[:MOST_PLAYERS]), rest)


def rules_view(found: "RulesReport") -> Markup:
    """Each check of the rules, and how random games go."""
    faults = len(found.faults)
    title = "no faults" if not faults else f"{faults} of {len(found.checks)} checks failed"
    said = [
        (
            MARKS.get(check.status, check.status),
            ". ".join(one for one in (check.sentence[:-1], check.fault, check.note) if one),
        )
        for check in found.checks
    ]
    games = [str(found.games), tag("pre", str(found.games.sample))] if found.games is not None else []
    mark = "✓" if found.ok else "✗"
    return framed(f"{mark} {found.game}: {title}", table(("", "check"), said), *map(note, games))
