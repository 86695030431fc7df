"""The single-file page: one HTML file with the whole solution of a game, opened without a server."""

import inspect
from pathlib import Path
from typing import BinaryIO

from perfectplay.explain.game_graph import graphing
from perfectplay.exporters.export_report import Report
from perfectplay.exporters.page.page_bundle import whole_page
from perfectplay.exporters.page.page_packing import packed
from perfectplay.exporters.page.page_solution import Carried, carrying, check_size, count_positions
from perfectplay.game import Game
from perfectplay.page.game_data import (
    SOLVED_PLAYERS,
    Fields,
    about_game,
    catalogue,
    game_data,
    player_fields,
    summary_of,
)
from perfectplay.solvers.lookup_or_solve import lookup_for
from perfectplay.solvers.steps import Step, Steps
from perfectplay.table.table_folder import kept_table


def writing(game: Game, sink: BinaryIO) -> Steps[Report]:
    """Writes the page and returns a report; raises TooBig or BadGame before anything is written."""
    lookup_for(game)
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
    about = summary_of(inspect.getmodule(game.moves))
    return whole_page(first_board(game), about, packed(carried, graph), preview, home)


def first_board(game: Game) -> Fields:
    """What the page shows first: one game, and no models of opponents."""
    name = Path(game.name).name
    players = player_fields(SOLVED_PLAYERS, best="perfect")
    data = {**game_data(name, game, solved=True, players=players), "about": about_game(game)}
    return {"games": catalogue([], [name], []), "game": data, "line": None}
