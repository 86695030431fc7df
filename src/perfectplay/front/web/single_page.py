"""A game in one file: the page with everything that is known about the game inside, to be opened without a server."""

import inspect
from pathlib import Path
from typing import BinaryIO

from perfectplay.explain.game_graph import graphing
from perfectplay.export.export_report import Report
from perfectplay.front.web.allowed_names import LONGEST_SIDE, Menu
from perfectplay.front.web.api_answers import Fields, RequestHandler
from perfectplay.front.web.catalogue import data_of, summary_of
from perfectplay.front.web.page_bundle import whole_page
from perfectplay.front.web.page_packing import packed
from perfectplay.front.web.page_solution import carrying, check_size, count_positions
from perfectplay.game import Game
from perfectplay.solve.lookup_or_solve import lookup_for
from perfectplay.solve.steps import Step, Steps
from perfectplay.table.table_folder import kept_table
from perfectplay.version import __version__


def writing(game: Game, sink: BinaryIO) -> Steps[Report]:
    """Writes the page and returns what to tell about it; raises TooBig or BadGame before anything is written."""
    lookup_for(game)
    table = kept_table(game)
    if table is not None:
        check_size(game, table.header.classes)
    carried = yield from carrying(game)
    graph = yield from graphing(game, True)
    yield Step("writing", 0)
    sink.write(whole_page(first_board(game), summary_of(inspect.getmodule(game.moves)), packed(carried, graph)))
    classes, positions = len(carried.positions), count_positions(carried)
    said = f" in {classes:,} classes" if carried.turns.count > 1 else ""
    lines = [f"{game.name}: the page with all {positions:,} positions{said}; open it in a browser"]
    return Report(lines, {"positions": positions, "classes": classes})


def first_board(game: Game) -> Fields:
    """What the page shows first, as the server tells it: one game, and no models of opponents."""
    name = Path(game.name).name
    catalogue: Fields = {
        "games": [],
        "opened": [name],
        "opens": name,
        "models": [],
        "longest_side": LONGEST_SIDE,
        "version": __version__,
    }
    handler = RequestHandler(Menu([name]), lookup_for, at_once=False)
    return {"games": catalogue, "game": data_of(handler, name, game), "line": None}
