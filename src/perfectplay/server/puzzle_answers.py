"""The puzzles of a game for the page: those that a page of it in one file has, too."""

from functools import lru_cache

from perfectplay.commands.learn.puzzling import scan_of
from perfectplay.exports.page.game_data import Fields
from perfectplay.game import Game
from perfectplay.insight.puzzles.puzzle_fields import page_puzzles
from perfectplay.insight.puzzles.puzzle_kinds import USUAL
from perfectplay.server.api_answers import Later, RequestHandler, Values
from perfectplay.solvers.oracle import oracle_for
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.words import TooBig

MOST_CLASSES = 300_000
"""Larger games take too long for a request."""


def puzzles(handler: RequestHandler, values: Values) -> Fields:
    """Positions in which exactly one move keeps the result, the easiest first; the game is solved and not too large."""
    game = handler.allowed.game(values["game"])
    if handler.at_once:
        raise Later
    if handler.solution(game) is None:
        raise TooBig(f"{game.name} is not solved yet, and puzzles come from the solution")
    table = kept_table(game)
    if table is not None and table.header.classes > MOST_CLASSES:
        raise TooBig(f"{game.name} is too big for puzzles here; run: perfectplay puzzles {game.name} --to FILE.html")
    return {"game": values["game"], "kind": USUAL, "puzzles": made(game)}


@lru_cache(maxsize=8)
def made(game: Game) -> list[dict[str, object]]:
    """The puzzles, kept for the next who asks."""
    return page_puzzles(oracle_for(game), scan_of(game))
