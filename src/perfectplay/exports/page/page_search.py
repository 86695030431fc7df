"""A game without a table for a page: its rules and the search as WebAssembly, and its opening book.

The positions of a book are not written: the page finds them again with the rules, ply by ply, one of each symmetry
class, and sorts each ply by keys. In that order the file has the values.
"""

import zlib
from itertools import accumulate
from typing import NamedTuple

from perfectplay.compiler.wasm.wasm_search import WasmSearch, search_module
from perfectplay.exports.page.game_data import Fields
from perfectplay.exports.page.page_solution import check_look, names_of, written
from perfectplay.game import Game
from perfectplay.players.models.levels import USUAL
from perfectplay.rules.notation import moves_are_squares, spots
from perfectplay.solvers.search.book import classes_by_ply
from perfectplay.solvers.steps import Step, Steps
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.table.table_folder import book_of
from perfectplay.solvers.validity.plausibility import only_adds
from perfectplay.solvers.validity.validation import check_hints, check_rules
from perfectplay.words import FIRST, SECOND, BadGame, Entry

EACH = 20_000
"""Positions between two progress steps."""


class Book(NamedTuple):
    """The entries of a book's positions, ply by ply in the order of keys."""

    plies: tuple[tuple[Entry, ...], ...]
    again: bool
    """Whether a position can come on two plies; the book has it on the first."""

    @property
    def classes(self) -> int:
        """How many positions there are, up to symmetry."""
        return sum(map(len, self.plies))


NO_BOOK = Book((), False)


class Searched(NamedTuple):
    """What the file has: rules and search, and the book."""

    game: Game
    search: WasmSearch
    book: Book

    def with_plies(self, plies: int) -> "Searched":
        """The same with a book of so many plies; without one if that is less than 0."""
        return self._replace(book=self.book._replace(plies=self.book.plies[: plies + 1]))


def searching(game: Game) -> Steps[Searched]:
    """The game with its search and its book, in steps; raises BadGame or NotCompiled for one that has no page."""
    check_page(game)
    check_rules(game, compiled=False)
    check_hints(game, game.start)
    yield Step("translating the rules", 0)
    search = search_module(game)
    table = None if game.key is None else book_of(game)
    return Searched(game, search, NO_BOOK if table is None else (yield from listed(game, table)))


def check_page(game: Game) -> None:
    """Raises BadGame for what a page that searches does not know: extra turns, points, names made by Python."""
    if game.again is not None or game.margin is not None:
        what = "extra turns" if game.again is not None else "points"
        raise BadGame(f"{game.name} has {what}, which only a page with its solution can play")
    check_look(game)
    names = names_of(game)
    if any(map(callable, names)):
        why = "its move_names are a Python function, and a page that searches needs a list of names"
        raise BadGame(f"{game.name} does not fit into a page: {why}")
    if any("," in name for one in names for name in one):  # type: ignore[union-attr]
        raise BadGame(f"{game.name} does not fit into a page: a move has a comma in its name")


def listed(game: Game, table: Table) -> Steps[Book]:
    """The book of a table, in steps; raises BadGame if its positions are not those that the rules reach."""
    layers = yield from classes_by_ply(game, table.header.plies or 0)
    plies: list[tuple[Entry, ...]] = []
    for layer in layers:
        entries = []
        for position in sorted(layer, key=lambda position: table.key(*position)):
            entries.append(table.lookup(position))
            if len(entries) % EACH == 0:
                yield Step("the opening book", sum(map(len, plies)) + len(entries), table.header.classes)
        plies.append(tuple(entries))
    left = game.plies_left  # if each move takes one, no position comes on two plies
    begin = 0 if left is None else left(*game.start)
    again = left is None or any(left(*one) != begin - ply for ply, layer in enumerate(layers) for one in layer)
    book = Book(tuple(plies), again)
    if book.classes != table.header.classes:
        raise BadGame(f"the book of {game.name} has {table.header.classes:,} positions, the rules {book.classes:,}")
    return book


def packed_search(searched: Searched) -> bytes:
    """The game with its search and its book, compressed."""
    entries = {one for ply in searched.book.plies for one in ply}
    ordered = sorted(entries, key=lambda entry: (entry.value, entry.distance or 0))
    grades = {entry: i for i, entry in enumerate(ordered)}
    planes = {
        "code": list(searched.search.code),
        "book": [grades[entry] for ply in searched.book.plies for entry in ply],
    }
    about = {
        **facts(searched.game),
        "work": searched.search.work,
        "pool": searched.search.pool,
        "words": searched.search.words,
        "top": searched.search.top,
        "plies": [*accumulate(map(len, searched.book.plies))],
        "again": searched.book.again,
        "grades": [[entry.value, entry.distance] for entry in grades],
    }
    return zlib.compress(written(about, planes), 9)


def facts(game: Game) -> Fields:
    """What the page must know about a game besides its rules; words are texts, since JSON has no such numbers."""
    return {
        "start": [*map(str, game.start)],
        "spots": [
            [[[str(mask), str(value), *only] for mask, value, *only in square] for square in spots(game, side)]
            for side in (FIRST, SECOND)
        ],
        "names": [list(names) for names in names_of(game)],  # type: ignore[arg-type]
        "numbered": moves_are_squares(game),
        "adds": only_adds(game),
        "levels": [[float(level.noise), level.sight] for level in USUAL],
    }
