"""The single-file page: one HTML file with the solution of a game, or with a search, opened without a server."""

import inspect
from pathlib import Path
from typing import BinaryIO

from perfectplay.exports.export_report import Report
from perfectplay.exports.page.game_data import (
    SOLVED_PLAYERS,
    Fields,
    about_game,
    catalogue,
    game_data,
    player_fields,
    summary_of,
)
from perfectplay.exports.page.lesson_position import lesson_position
from perfectplay.exports.page.page_bundle import SEARCHED_PAGE, whole_page
from perfectplay.exports.page.page_packing import packed
from perfectplay.exports.page.page_search import Searched, packed_search, searching
from perfectplay.exports.page.page_solution import Carried, carrying, check_size, count_positions
from perfectplay.game import Game, images
from perfectplay.insight.puzzles.puzzle_fields import page_puzzles
from perfectplay.insight.puzzles.puzzle_scan import Scan
from perfectplay.players.models.game_graph import graphing
from perfectplay.rules.notation import number_of, plies_text, show_position
from perfectplay.solvers.oracle import oracle_for, solved_oracle
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table_folder import kept_table

SEARCHING_PLAYERS = ("level", "perfect", "blocks", "wins", "random")
"""The players of a game that the page searches."""
MOST_BYTES = 1_500_000
"""The largest page that searches: one that a phone loads in a moment. A longer book is cut."""


def writing(game: Game, sink: BinaryIO) -> Steps[Report]:
    """Writes the page and returns a report; raises TooBig or BadGame before anything is written."""
    solved_oracle(game)
    table = kept_table(game)
    if table is not None:
        check_size(game, table.header.classes)
    carried = yield from carrying(game)
    sink.write((yield from page_of(game, carried)))
    classes, positions = len(carried.positions), count_positions(carried)
    said = f", {classes:,} of them canonical" if carried.turns.count > 1 else ""
    lines = [f"{game.name}: the page with all {positions:,} positions{said}; open it in a browser"]
    return Report(lines, {"positions": positions, "classes": classes})


def page_of(game: Game, carried: Carried, preview: Fields | None = None, home: str = "") -> Steps[bytes]:
    """The page of a solved game; `home` is the gallery that it belongs to, if any."""
    graph = yield from graphing(game, True)
    yield Step("writing", 0)
    first = first_board(game, SOLVED_PLAYERS)
    first["puzzles"] = page_puzzles(oracle_for(game), Scan(graph))
    return whole_page(first, summary(game), packed(carried, graph), preview=preview, home=home)


def writing_search(game: Game, sink: BinaryIO) -> Steps[Report]:
    """Writes the page of a game without a table, with a search in it; raises BadGame or NotCompiled."""
    searched, page = yield from page_that_searches(game)
    sink.write(page)
    plies, classes = len(searched.book.plies) - 1, searched.book.classes
    carried = f"a book of {plies_text(plies)}, {number_of(classes, 'canonical position')}"
    book = carried if classes else "no opening book"
    lines = [f"{game.name}: the page with its rules, an exact search and {book}; open it in a browser"]
    return Report(lines, {"source": "search", "book_plies": plies if classes else None, "classes": classes})


def page_that_searches(game: Game, preview: Fields | None = None, home: str = "") -> Steps[tuple[Searched, bytes]]:
    """What the page of a game without a table has inside, and the page; raises BadGame or NotCompiled."""
    searched = yield from searching(game)
    yield Step("writing", 0)
    first, about = first_board(game, SEARCHING_PLAYERS), summary(game)
    page = whole_page(first, about, packed_search(searched), SEARCHED_PAGE, preview, home)
    while len(page) > MOST_BYTES and searched.book.plies:
        searched = searched.with_plies(len(searched.book.plies) - 2)
        page = whole_page(first, about, packed_search(searched), SEARCHED_PAGE, preview, home)
    return searched, page


def summary(game: Game) -> str:
    """The rules in a sentence."""
    return game.look.summary or summary_of(inspect.getmodule(game.moves))


def first_board(game: Game, players: tuple[str, ...]) -> Fields:
    """What the page shows first: one game, and no models of opponents."""
    name = Path(game.name).name
    data = game_data(name, game, solved=True, players=player_fields(game, players, best="perfect"))
    data = {**data, "about": about_game(game), "lesson": lesson_fields(game)}
    return {"games": catalogue([], [name], []), "game": data, "line": None}


def lesson_fields(game: Game) -> Fields:
    """The position that the classroom opens with, how far it looks ahead, and whether the game has symmetries."""
    position, side, depth = lesson_position(game)
    return {"position": show_position(game, position, side), "depth": depth, "symmetric": images(game).count > 1}
