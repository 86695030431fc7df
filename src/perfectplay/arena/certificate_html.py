"""Certificates as pages of their own: nothing is loaded from elsewhere, and boards are drawn.

A certificate comes as what `to_dict()` of it is, and what JSON shows.
"""

from collections.abc import Iterator
from fractions import Fraction
from html import escape
from typing import Any

from perfectplay.game import Game, after
from perfectplay.rules.notation import replay, show_position
from perfectplay.rules.outputs import META
from perfectplay.views.scoped_style import STYLE, board_size, board_svg, changed_squares
from perfectplay.words import FIRST, SECOND, Position

Json = dict[str, Any]
"""A certificate, or a part of one."""
MOST_DRAWN = 24
"""The most mistakes that are drawn."""
SCALE = 2.2
"""The size of a drawn board."""
PAGE_STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.25rem; margin-top: 2.5rem } h3 { font-size: 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid #8886; vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.boards { display: flex; flex-wrap: wrap; gap: 1.2rem; padding: 0; list-style: none }
.boards li { max-width: 14rem } .boards svg { display: block; margin-bottom: .3rem }
.verdict::before { content: "\\2717\\00a0" } .perfect .verdict::before { content: "\\2713\\00a0" }
.slip { font-weight: 600 } pre { white-space: pre-wrap; padding: .6rem; border: 1px solid #8886 }
"""


def certificate_html(game: Game, certificate: Json) -> str:
    """The certificate of one player."""
    return page(f"{certificate['player']} in {certificate['game']}", certificate_parts(game, certificate, "h1"))


def class_html(game: Game, report: Json) -> str:
    """The certificates of several players, with a table before them."""
    return page(f"Certificates: {report['game']}", class_parts(game, report))


def page(title: str, parts: Iterator[str]) -> str:
    """A page with this title."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{META}\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def class_parts(game: Game, report: Json) -> Iterator[str]:
    """The table of all players, and the certificate of each."""
    yield f"<h1>{escape(report['game'])}: certificates</h1>"
    names = ("rank", "player", "result", "positions", "mistakes", "against random", "ms per move", "calls", "remarks")
    yield heads(names)
    for number, certificate in enumerate(report["players"]):
        yield class_row(number, certificate)
    yield "</tbody></table>"
    for number, certificate in enumerate(report["players"]):
        yield f'<section id="player-{number}">'
        yield from certificate_parts(game, certificate, "h2")
        yield "</section>"


def heads(names: tuple[str, ...]) -> str:
    """The beginning of a table."""
    return "<table><thead><tr>" + "".join(f"<th>{name}</th>" for name in names) + "</tr></thead><tbody>"


def class_row(number: int, certificate: Json) -> str:
    """A player in the table."""
    points, calls = certificate["points_against_random"], certificate["first_move_calls"]
    numbers = (
        f"{certificate['asked']:,}",
        f"{certificate['mistakes']:,}",
        "" if points is None else f"{100 * points:.2f}%",
        f"{1000 * certificate['seconds_per_move']:.3g}",
        "" if calls is None else f"{calls:,}",
    )
    return (
        f"<tr{class_attribute(certificate)}><td>{certificate['rank']}</td>"
        f'<td><a href="#player-{number}">{escape(certificate["player"])}</a></td>'
        f'<td class="verdict">{escape(certificate["verdict"])}</td>'
        + "".join(f'<td class="number">{text if certificate["sides"] else ""}</td>' for text in numbers)
        + f"<td>{escape(' '.join(certificate['remarks']))}</td></tr>"
    )


def class_attribute(certificate: Json) -> str:
    """The attribute of what is perfect; empty for the rest."""
    return ' class="perfect"' if certificate["perfect"] else ""


def certificate_parts(game: Game, certificate: Json, heading: str) -> Iterator[str]:
    """The whole certificate of a player."""
    yield f"<{heading}>{escape(certificate['player'])}</{heading}>"
    verdict = f"{escape(certificate['game'])}: {escape(certificate['verdict'])}."
    yield f'<p{class_attribute(certificate)}><span class="verdict">{verdict}</span></p>'
    if certificate["sides"]:
        yield heads(("side", "positions", "worst result", "against random"))
        yield "".join(side_row(game, side) for side in certificate["sides"]) + "</tbody></table>"
    if certificate["functions"]:
        yield heads(("function", "result"))
        yield "".join(function_row(function) for function in certificate["functions"]) + "</tbody></table>"
    if certificate["game_that_refutes"] is not None:
        yield from game_parts(game, certificate["game_that_refutes"])
    if certificate["failures"]:
        yield from failure_parts(game, certificate)
    if certificate["positions"]:
        yield from mistake_parts(game, certificate["positions"], certificate["mistakes"])
    yield from (f"<p>{escape(remark)}</p>" for remark in certificate["remarks"])
    if certificate["printed"]:
        yield f"<h3>What it prints</h3><pre>{escape(certificate['printed'])}</pre>"


def side_row(game: Game, side: Json) -> str:
    """A row of the table of sides."""
    name = game.look.sides[side_number(side)]
    cells = (f"{name}, moving {side['side']}", f"{side['asked']:,}", side["worst"], chances_text(side))
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def side_number(facts: Json) -> int:
    """The side of these facts, by number."""
    return FIRST if facts["side"] == "first" else SECOND


def function_row(function: Json) -> str:
    """A row of the table of functions."""
    return f"<tr><td>{escape(function['name'])}</td><td>{escape(function['result'])}</td></tr>"


def chances_text(side: Json) -> str:
    """The probabilities against a random opponent, in per cent."""
    chances = side["against_random"]
    if chances is None:
        return "unknown"
    names = (("won", "win"), ("drawn", "draw"), ("lost", "loss"))
    games = "" if side["estimated_from"] is None else f" (estimated from {side['estimated_from']:,} games)"
    return ", ".join(f"{100 * float(Fraction(chances[key])):.2f}% {name}" for name, key in names) + games


def game_parts(game: Game, refutation: Json) -> Iterator[str]:
    """The game that refutes the player, drawn move by move."""
    own, values = side_number(refutation), refutation["values"]
    name = escape(game.look.sides[own])
    yield f"<h3>The shortest game that refutes it ({name} is the player, {refutation['result']})</h3>"
    yield '<ol class="boards">'
    for number, (position, side, move) in enumerate(replay(game, game.start, FIRST, refutation["moves"])):
        following = after(game, position, side, move)
        slip = side == own and values[number] != values[number + 1]
        caption = f"{number + 1}. {escape(game.look.sides[side])} {escape(refutation['moves'][number])}"
        note = f' <span class="slip">? {values[number]} becomes {values[number + 1]}</span>' if slip else ""
        board = picture(game, *following, changed_squares(game, (position, side), following))
        yield f"<li>{board}{caption}{note}</li>"
    yield "</ol>"
    if refutation["fault"]:
        yield f"<pre>{escape(refutation['fault'])}</pre>"
    if refutation["repeats"] is not None:
        yield f"<p>From move {refutation['repeats'] + 1} on, the moves can repeat for ever.</p>"


def failure_parts(game: Game, certificate: Json) -> Iterator[str]:
    """The positions in which the player fails, the soonest first, each drawn with what happens."""
    count = sum(side["faults"] for side in certificate["sides"])
    limit = "" if count <= MOST_DRAWN else f", of which {MOST_DRAWN} are drawn"
    yield f"<h3>Positions in which it fails: {count:,}{limit}</h3>"
    yield '<ul class="boards">'
    for failure in certificate["failures"][:MOST_DRAWN]:
        position, side = game.start, FIRST
        for before, turn, move in replay(game, game.start, FIRST, failure["line"]):
            position, side = after(game, before, turn, move)
        yield f"<li>{picture(game, position, side, [])}{escape(failure['reason'])}</li>"
    yield "</ul>"


def mistake_parts(game: Game, mistakes: list[Json], count: int) -> Iterator[str]:
    """The mistakes, the soonest first, each position drawn with the move that is played there."""
    limit = "" if count <= MOST_DRAWN else f", of which {MOST_DRAWN} are drawn"
    yield f"<h3>Moves that give a result away: {count:,}{limit}</h3>"
    yield '<ul class="boards">'
    for mistake in mistakes[:MOST_DRAWN]:
        *_, (position, side, move) = replay(game, game.start, FIRST, (*mistake["line"], mistake["move"]))
        following = after(game, position, side, move)
        board = picture(game, *following, changed_squares(game, (position, side), following))
        name = escape(f"{game.look.sides[side]} {mistake['move']}")
        better = escape(" ".join(mistake["better"]))
        yield f"<li>{board}{name}: {mistake['before']} becomes {mistake['after']}; better: {better}</li>"
    yield "</ul>"


def picture(game: Game, position: Position, side: int, changed: list[int]) -> str:
    """The position drawn, the squares of the last move tinted."""
    (width, height), label = board_size(game), escape(show_position(game, position, side))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'width="{width * SCALE:g}" height="{height * SCALE:g}" viewBox="0 0 {width} {height}">'
        f"{board_svg(game, position, side, changed)}</svg>"
    )
