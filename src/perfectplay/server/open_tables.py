"""The tables that the server has open: opened once, so that a look-up takes no time."""

import asyncio
from functools import lru_cache

from perfectplay.game import Game
from perfectplay.server.api_answers import Later
from perfectplay.solvers.table.opening_books import book_of
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.table.table_folder import kept_table, tables_stamp
from perfectplay.words import Lookup

MOST_OPEN = 32
KEPT = 1 << 15
"""Entries cached for each table, some megabytes: nearby positions share children."""


class Tables:
    """The solved games that the server knows."""

    def __init__(self) -> None:
        self.open: dict[Game, Lookup] = {}
        self.without: dict[Game, int] = {}
        """Games that a worker found neither solved nor small, and the stamp of their tables then."""
        self.books: dict[Game, Table | None] = {}

    def solution(self, game: Game) -> Lookup | None:
        """The look-up of the game, None if there is none; raises Later if it cannot tell."""
        lookup = self.open.get(game)
        if lookup is None and self.without.get(game) != tables_stamp(game):
            raise Later
        return lookup

    def note_unsolved(self, game: Game) -> None:
        """Remembers that the game has no table, until one comes to the table folder."""
        self.without[game] = tables_stamp(game)
        forget_oldest(self.without)

    async def find(self, game: Game) -> bool:
        """Whether the game's table is open now; it is opened if it is in the table folder."""
        if game not in self.open and tables_stamp(game) and self.without.get(game) != tables_stamp(game):
            table = await asyncio.to_thread(kept_table, game)
            if table is not None:
                self.open[game] = lru_cache(maxsize=KEPT)(table.lookup)
                forget_oldest(self.open)
        return game in self.open

    async def find_book(self, game: Game) -> None:
        """Opens the game's opening book, if there is one and no table."""
        if game not in self.open and game not in self.books:
            self.books[game] = await asyncio.to_thread(book_of, game)
            forget_oldest(self.books)


def forget_oldest(kept: dict[Game, Lookup] | dict[Game, int] | dict[Game, Table | None]) -> None:
    """Drops the oldest until few are left."""
    while len(kept) > MOST_OPEN:
        del kept[next(iter(kept))]
