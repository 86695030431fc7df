"""Opening books: tables of the positions up to some ply, for games too large for a full table."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from perfectplay.game import Game, legal_moves
from perfectplay.processes.folders import data_folder, remove_leftovers
from perfectplay.rules.fingerprint import rules_of
from perfectplay.solvers.table.table import Table, reader_of
from perfectplay.solvers.table.table_folder import place_in
from perfectplay.words import BadPosition, BadTable

SHIPPED = Path(__file__).parents[2] / "books"
"""The books in the package."""
BOOK = ".book"


def books_folder() -> Path:
    """The folder of the user's books."""
    return data_folder() / "books"


def place_of_book(game: Game) -> Path:
    """The path of the user's book of the game, whether it exists or not."""
    return place_in(books_folder(), game, BOOK)


def books() -> Iterator[Path]:
    """All books, the user's first."""
    for place in (books_folder(), SHIPPED):
        yield from sorted(path for path in place.glob(f"*{BOOK}") if path.is_file())


def book_of(game: Game) -> Table | None:
    """The deepest book that matches the current rules, or None."""
    remove_leftovers(books_folder())
    likely: list[Table] = []
    for path in books():
        with suppress(BadTable, BadPosition):
            book = Table(game, reader_of(path))
            if begins(game, book):
                likely.append(book)
    rules = rules_of(game) if likely else ""  # without a fingerprint no book can be trusted
    matches = [book for book in likely if rules and book.header.rules == rules]
    return max(matches, key=lambda book: book.header.plies or 0, default=None)


def begins(game: Game, book: Table) -> bool:
    """Whether the book has the start of the game and its moves: a cheap test that books of most other games fail."""
    if book.header.plies is None:
        return False
    firsts = (game.play(*game.start, move) for move in legal_moves(game, game.start) if book.header.plies)
    return all(book.find(position) is not None for position in (game.start, *firsts))
