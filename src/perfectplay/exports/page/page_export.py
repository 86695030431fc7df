"""Single-file pages, opened without a server: of a game with its solution or with a search, and of puzzles."""

import base64
import inspect
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from perfectplay.exports.export_rows import Report
from perfectplay.exports.page import PUZZLED, STATIC
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
from perfectplay.exports.page.page_bundle import SEARCHED_PAGE, SOLVED_PAGE, rendered
from perfectplay.exports.page.page_search import Searched, packed_search, searching
from perfectplay.exports.page.page_solution import Carried, carrying, check_size, count_positions, packed
from perfectplay.exports.page.shown_position import here
from perfectplay.game import Game, after, images, legal_moves
from perfectplay.insight.puzzles.puzzle_choice import page_puzzles
from perfectplay.insight.puzzles.puzzle_lines import Guide
from perfectplay.insight.puzzles.puzzle_scan import Scan
from perfectplay.players.models.game_graph import graphing
from perfectplay.rules.notation import (
    VALUE_NAMES,
    entry_text,
    move_name,
    number_of,
    parse_position,
    plies_text,
    replay,
    show_position,
)
from perfectplay.solvers.oracle import Oracle, oracle_for, solved_oracle
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table_folder import kept_table
from perfectplay.solvers.worth import entry_fields
from perfectplay.views.board_squares import change_of
from perfectplay.words import Move, Position, Turn

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
    return whole_page(first, game, packed(carried, graph), SOLVED_PAGE, preview, home)


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
    first = first_board(game, SEARCHING_PLAYERS)
    page = whole_page(first, game, packed_search(searched), SEARCHED_PAGE, preview, home)
    while len(page) > MOST_BYTES and searched.book.plies:
        searched = searched.with_plies(len(searched.book.plies) - 2)
        page = whole_page(first, game, packed_search(searched), SEARCHED_PAGE, preview, home)
    return searched, page


def whole_page(
    first: Fields, game: Game, graph: bytes, folders: Sequence[Path], preview: Fields | None, home: str
) -> bytes:
    """The whole page of a game as bytes; it links to its home, if it has one."""
    data = base64.b64encode(graph).decode()
    about = {"about": summary(game), "preview": preview, "home": home, "runs_code": folders == SEARCHED_PAGE}
    return rendered("page.html", {"first": first, "graph": data, **about}, folders).encode()


def summary(game: Game) -> str:
    """The rules in a sentence."""
    return game.look.summary or summary_of(inspect.getmodule(game.moves))


def first_board(game: Game, players: tuple[str, ...]) -> Fields:
    """What the page shows first: one game, and no models of opponents."""
    name = Path(game.name).name
    data = game_data(name, game, solved=True, players=player_fields(game, players, best="perfect"))
    position, side, depth = lesson_position(game)
    opens = {"position": show_position(game, position, side), "depth": depth, "symmetric": images(game).count > 1}
    data = {**data, "about": about_game(game), "lesson": opens}
    return {"games": catalogue([], [name], []), "game": data, "line": None}


# Puzzles as one offline page: with each comes the small tree of positions that solving it needs, and no table.


REFUTED = 3
"""Plies of the line that shows why a move is wrong."""


def puzzle_page(oracle: Oracle, puzzles: list[Fields]) -> str:
    """The page of these puzzles."""
    name = Path(oracle.game.name).name
    places: dict[str, Fields] = {}
    for puzzle in puzzles:
        Tree(oracle, puzzle, places).grow()
    data = game_data(name, oracle.game, solved=True, players=[])
    first = {"game": data, "puzzles": puzzles, "places": places}
    title = f"Puzzles: {data['title']} · perfectplay"
    values = {"first": first, "about": summary(oracle.game), "title": title}
    return rendered("puzzle_page.html", values, (PUZZLED, STATIC))


class Tree:
    """The positions that can come up when a puzzle is solved, by their text, and what is known of them."""

    def __init__(self, oracle: Oracle, puzzle: Fields, places: dict[str, Fields]) -> None:
        self.oracle, self.game, self.places = oracle, oracle.game, places
        self.root = parse_position(self.game, puzzle["position"])
        self.guide = Guide(oracle, *self.root)
        self.told = {position: move for position, _, move in replay(self.game, *self.root, puzzle["line"])}

    def grow(self) -> None:
        """Adds all positions after good moves and the replies to them, and the refutations of wrong ones."""
        waiting: list[tuple[Turn, int]] = [(self.root, 0)]
        met = set()
        while waiting:
            turn, turns = waiting.pop()
            if turn in met:
                continue
            met.add(turn)
            position, side = turn
            solver = side == self.guide.solver
            following = self.good(position) if solver else self.reply(position, side)
            done = self.guide.solved(position, side, turns)
            self.add(turn, following, refuted=solver and not done)
            if not done:
                waiting += [(after(self.game, *turn, move), turns + solver) for move in following]

    def good(self, position: Position) -> list[Move]:
        """The moves that are accepted; where a search does not prove what follows others, the one of the line."""
        found = self.guide.good(position)
        return found if self.oracle.proves else [move for move in found if move == self.told.get(position)]

    def reply(self, position: Position, side: int) -> list[Move]:
        """The move of the other side, if the game goes on."""
        if not legal_moves(self.game, position):
            return []
        move = self.told.get(position, self.guide.reply(position, side))
        return [] if move is None else [move]

    def add(self, turn: Turn, following: list[Move], refuted: bool) -> None:
        """Adds a position, of which these moves may be made."""
        position, side = turn
        study, solver = self.oracle.study(position), side == self.guide.solver
        moves = []
        for move, worth in study.moves.items():
            child = after(self.game, *turn, move)
            if refuted and move in study.failing:
                self.add_refutation(child)
            change = change_of(self.game, turn, child)
            facts: Fields = {} if worth.value is None else {"value": VALUE_NAMES[worth.value]}
            if worth.entry is not None:
                facts |= {**entry_fields(worth.entry), "text": entry_text(worth.entry)}
            squares = {"child": show_position(self.game, *child), "to": change.to, "from": [*change.left]}
            moves.append({"move": move_name(self.game, *turn, move), "best": move in following, **facts, **squares})
        name = {"reply": move_name(self.game, *turn, following[0])} if following and not solver else {}
        value = None if study.here.value is None else VALUE_NAMES[study.here.value]
        whole = {"side": side, "here": here(self.game, *turn), "value": value, "moves": moves, **name}
        self.places[show_position(self.game, *turn)] = whole

    def add_refutation(self, turn: Turn) -> None:
        """Adds a position after a wrong move, with the best line from there."""
        text = show_position(self.game, *turn)
        if text in self.places:
            return
        names, there = [], turn
        for move in islice(self.oracle.line(turn[0]).moves or self.oracle.study(turn[0]).best[:1], REFUTED):
            names.append(move_name(self.game, *there, move))
            there = after(self.game, *there, move)
        over = not legal_moves(self.game, turn[0])
        nothing: Fields = {"over": over, "winner": None, "rows": [], "going": [], "moves": []}
        self.places[text] = {"side": turn[1], "here": nothing, "best": names}
