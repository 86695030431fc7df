"""A strategy as one page that loads nothing else: the rules, the proof, the game that refutes a shorter list, drawn."""

from collections.abc import Iterator
from html import escape

from perfectplay.arena.certificate_html import PAGE_STYLE, picture
from perfectplay.game import Game, after
from perfectplay.insight.strategies.strategy_words import (
    HOW_TO_READ,
    Facts,
    failure_heading,
    headline,
    mistake_text,
    proof,
)
from perfectplay.rules.notation import replay
from perfectplay.rules.outputs import META
from perfectplay.views.board_svg import STYLE, changed_squares
from perfectplay.words import FIRST

STRATEGY_STYLE = """
.rules { font-size: 1.25rem; line-height: 1.6; padding: .8rem 1rem .8rem 3rem; border: 1px solid #8886;
  border-radius: 8px } .rules li::marker { font-weight: 600 }
"""


def strategy_html(game: Game, facts: Facts) -> str:
    """The page; `facts` is the strategy as in JSON."""
    title = f"{facts['game']}: a strategy in words"
    style = f"{PAGE_STYLE}{STRATEGY_STYLE}{STYLE}"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{META}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts(game, facts, title))
        + "\n</main>\n</body>\n</html>\n"
    )


def parts(game: Game, facts: Facts, title: str) -> Iterator[str]:
    """The elements of the page."""
    yield f"<h1>{escape(title)}</h1>"
    yield f"<p><strong>{escape(headline(game, facts))}</strong></p>"
    if facts["rules"]:
        yield f"<p>{HOW_TO_READ}</p>"
        yield rules_list(facts["rules"], "rules")
    yield "<h2>The proof</h2>" if facts["proven"] else "<h2>How often it fails</h2>"
    yield from (f"<p>{escape(line)}</p>" for line in proof(game, facts))
    if facts["shorter"] is not None:
        yield from failure_parts(game, facts)


def rules_list(rules: list[Facts], kind: str = "") -> str:
    """The rules, numbered."""
    items = "".join(f"<li>{escape(rule['text'])}</li>" for rule in rules)
    return f'<ol class="{kind}">{items}</ol>' if kind else f"<ol>{items}</ol>"


def failure_parts(game: Game, facts: Facts) -> Iterator[str]:
    """The list that fails, and the game that refutes it, drawn move by move."""
    failing = facts["shorter"]
    yield "<h2>The game that refutes it</h2>" if not facts["proven"] else "<h2>Why not fewer rules?</h2>"
    yield f"<p>{escape(failure_heading(facts))}</p>"
    if facts["proven"] and failing["rules"]:
        yield rules_list(failing["rules"])
    yield '<ol class="boards">'
    steps = replay(game, game.start, FIRST, failing["moves"])
    for number, (position, side, move) in enumerate(steps):
        following = after(game, position, side, move)
        wrong = number + 1 == len(failing["moves"]) and failing["repeats"] is None
        caption = f"{number + 1}. {escape(game.look.sides[side])} {escape(failing['moves'][number])}"
        note = ' <span class="slip">?</span>' if wrong else ""
        yield f"<li>{picture(game, *following, changed_squares(game, (position, side), following))}{caption}{note}</li>"
    yield "</ol>"
    yield f"<p>{escape(mistake_text(game, facts))}</p>"
