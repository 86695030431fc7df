"""Opening books: tables of the positions up to some ply, for games too big for a table of all."""

from collections.abc import Iterator
from pathlib import Path

from perfectplay.fingerprint import rules_of
from perfectplay.game import Game
from perfectplay.places import data_folder
from perfectplay.table.shelf import ENDING, file_name
from perfectplay.table.table import Table, mapped
from perfectplay.words import BadTable

SHIPPED = Path(__file__).parent.parent / "books"
"""The books that come with the package."""
BOOK = ".book"


def place_of_book(game: Game) -> Path:
    """Where the user's own book of the game is kept, whether it is there or not."""
    return data_folder() / "books" / f"{file_name(game).removesuffix(ENDING)}{BOOK}"


def books() -> Iterator[Path]:
    """All books, the user's own first."""
    for folder in (data_folder() / "books", SHIPPED):
        yield from sorted(path for path in folder.glob(f"*{BOOK}") if path.is_file())


def book_of(game: Game) -> Table | None:
    """The deepest book that is right for the rules as they are now, if there is one."""
    paths = list(books())
    rules = rules_of(game) if paths else ""
    if not rules:
        return None
    found: list[Table] = []
    for path in paths:
        try:
            reader = mapped(path)
        except BadTable:
            continue
        if reader.header.rules == rules and reader.header.plies is not None:
            found.append(Table(game, reader))
    return max(found, key=lambda book: book.header.plies or 0, default=None)
