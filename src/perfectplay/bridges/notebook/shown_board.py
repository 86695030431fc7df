"""What the script of the board in a notebook gets: its code and style, and the values of moves as the page has them."""

import json
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from perfectplay.commands.know.analysing import Analysis
from perfectplay.commands.matches.match import Match
from perfectplay.exports.page import STATIC
from perfectplay.exports.page.game_data import Fields
from perfectplay.exports.page.page_bundle import bundled, scripts, small_style
from perfectplay.views.board_picture import board_picture
from perfectplay.views.game_pieces import capital, side_names
from perfectplay.views.scoped_style import ROOT, SCHEMES, STYLE

HERE = Path(__file__).parent


@lru_cache(maxsize=1)
def script() -> str:
    """The board as one module: the page's scripts for boards, and its style, which stays inside the board."""
    sheets = (STATIC / "page.css", HERE / "widget.css")
    page, own = (path.read_text(encoding="utf-8").replace(":root", ":host") for path in sheets)
    code = bundled("widget", scripts((HERE, STATIC)))
    style = json.dumps(small_style(page + STYLE + own))
    return (
        f"{code}const style = {style};\nexport default {{ render: (context) => widget_js.render(context, style) }};\n"
    )


def host_style() -> str:
    """The style of the element around the board: light or dark as the notebook is."""
    return SCHEMES.replace(ROOT, "perfectplay-board") + "\n"


def hint_fields(analysis: Analysis) -> Fields:
    """What is known of a position and its moves, as the page has it."""
    best = analysis.best
    moves = [
        {"move": one.move, **one.fields(), "text": one.text, "best": one.value is not None and one.move in best}
        for one in analysis.moves
    ]
    return {
        "position": analysis.match.text(),
        **analysis.fields(),
        "verdict": analysis.verdict,
        "source": "table" if analysis.nodes is None else "search",
        "exact": analysis.complete,
        "moves": moves,
    }


def result_text(match: Match, opponent: str | None, side: int) -> str:
    """How the match has ended, in a sentence; empty while it goes on."""
    result = match.result
    if result is None:
        return ""
    points = f" by {result.margin}" if result.margin else ""
    if result.winner is None:
        return "The game is drawn."
    if opponent is None:
        return f"{side_names(match.game.look)[result.winner]} wins{points}."
    return f"You win{points}." if result.winner == side else f"{capital(opponent)} wins{points}."


def still_picture(match: Match, changed: Collection[int]) -> str:
    """The board as SVG that needs no script: for a notebook that was saved, exported or printed."""
    return board_picture(match.game, match.position, match.turn, changed=changed)
