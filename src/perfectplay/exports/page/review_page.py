"""Reviews as one page that loads nothing: each move on the board, its judgement, what was better, the value curve."""

import json
from collections.abc import Sequence
from typing import Any

from perfectplay.exports.page import ASSETS, report_style
from perfectplay.exports.page.page_bundle import template
from perfectplay.game import Game, after
from perfectplay.rules.notation import parse_move, parse_position, piece_name, pieces_on, replay
from perfectplay.views.board_art import art_of
from perfectplay.views.scoped_style import changed_squares
from perfectplay.words import FIRST, Turn

Facts = dict[str, Any]
"""A review as in JSON, and the words that people read."""
EMPTY = "."
PIECE = 48
"""The character of the first kind of piece in the text of a board; the others follow."""


def review_page(game: Game, reviews: Sequence[Facts]) -> str:
    """The page with these reviews."""
    name = game.name[:1].upper() + game.name[1:]
    data = {"art": art_of(game).to_dict(), "sides": [*game.look.sides], "games": [shown(game, one) for one in reviews]}
    return template("review/review.html").render(
        title=f"{name}: review",
        style=report_style("review"),
        script=(ASSETS / "review" / "review.js").read_text(encoding="utf-8"),
        data=json.dumps(data).replace("<", "\\u003c"),
        several=len(reviews) > 1,
    )


def shown(game: Game, review: Facts) -> Facts:
    """A review as the page's script gets it, with a board for each position and for each move of a better line."""
    turn = parse_position(game, review["position"])
    boards, plies = [board(game, turn)], []
    for ply in review["plies"]:
        plies.append({**ply, "boards": boards_of(game, turn, ply["line"])})
        boards += boards_of(game, turn, [ply["move"]])
        turn = after(game, *turn, parse_move(game, *turn, ply["move"]))
    kept = ("heading", "turned", "note", "summary", "sides", "turning_point", "curve")
    return {**{key: review[key] for key in kept}, "plies": plies, "boards": boards}


def boards_of(game: Game, turn: Turn, names: Sequence[str]) -> list[Facts]:
    """The board after each of these moves."""
    return [board(game, after(game, *made), made[:2]) for made in replay(game, *turn, names)]


def board(game: Game, turn: Turn, before: Turn | None = None) -> Facts:
    """A board: a character for each square, the squares that the last move changed, and what stands where, spoken."""
    first = len(game.look.pieces[FIRST])
    pieces = pieces_on(game, *turn)
    text = "".join(EMPTY if at is None else chr(PIECE + at[0] * first + at[1]) for at in pieces)
    return {
        "pieces": text,
        "changed": [] if before is None else changed_squares(game, before, turn),
        "spoken": spoken(game, turn),
    }


def spoken(game: Game, turn: Turn) -> str:
    """What stands where: X on a1 b2, O on c3; beside the board: 2, 0."""
    (width, height), look = game.shape, game.look
    names = [None if at is None else piece_name(game, at) for at in pieces_on(game, *turn)]
    places: dict[str, list[str]] = {}
    for square, name in enumerate(names[: width * height]):
        if name is not None:
            places.setdefault(name, []).append(look.columns[square % width] + look.rows[square // width])
    stands = ", ".join(f"{piece} on {' '.join(squares)}" for piece, squares in places.items()) or "an empty board"
    beside = ", ".join(name for name in names[width * height :] if name is not None)
    return f"{stands}; beside the board: {beside}" if beside else stands
