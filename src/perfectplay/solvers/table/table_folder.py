"""The folder of tables, under the user's data directory: one file per game, whatever its name.

File names come from the game's rules: `drop-5c9a1e07-2f61d0c4a9b3e857.table` is for rules written in drop.py, followed
by a hash of what is known of a game without running its rules, and the beginning of their fingerprint.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from perfectplay.game import Game, images, legal_moves
from perfectplay.processes.folders import data_folder, remove_leftovers
from perfectplay.rules.fingerprint import rules_of
from perfectplay.solvers.table.table import Table, reader_of
from perfectplay.solvers.table.table_file import remove_mark, remove_marks_without_tables
from perfectplay.words import BadPosition, BadTable

if TYPE_CHECKING:
    from perfectplay.solvers.table.table import Table
    from perfectplay.solvers.table.table_file import Header


ENDING = ".table"


def tables_folder() -> Path:
    """The folder of the tables."""
    return data_folder() / "tables"


def form_of(game: Game) -> str:
    """Eight letters that cheaply tell most games apart: if no file has them, no fingerprint is needed."""
    return f"{crc32(repr((game.start, game.bits, images(game).count)).encode()):08x}"


@lru_cache(maxsize=16)
def rules_key(game: Game) -> str:
    """The part of all file names that belongs to these rules; raises BadTable if they have no fingerprint.

    It is cached, since it only says where to look; opening a table compares the rules again.
    """
    from perfectplay.rules.fingerprint import fingerprint  # a slow import, often not needed

    return rules_key_from(game, fingerprint(game))


def rules_key_from(game: Game, rules: str) -> str:
    """The same, from the fingerprint."""
    return f"{form_of(game)}-{rules[:16]}"


def label_of(game: Game) -> str:
    """The name of the file with the rules, in letters that file systems accept."""
    source = Path(game.moves.__code__.co_filename).stem if isinstance(game.moves, FunctionType) else ""
    return re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-")[:40] or "game"


def place_in(place: Path, game: Game, ending: str, key: str = "") -> Path:
    """The path in that folder for files of these rules, whether it exists or not."""
    key = key or rules_key(game)
    there = sorted(place.glob(f"*-{key}{ending}"))
    return there[0] if there else place / f"{label_of(game)}-{key}{ending}"


def table_path(game: Game) -> Path:
    """The path of the game's table, whether it exists or not; raises BadTable if the rules have no fingerprint."""
    return place_in(tables_folder(), game, ENDING)


def checkpoints() -> Path:
    """The folder of the checkpoints of long solves."""
    return data_folder() / "progress"


def checkpoint_of(game: Game, ending: str = "") -> Path:
    """The folder for the checkpoint of a long solve; nothing is saved there if the rules have no fingerprint."""
    try:
        return place_in(checkpoints(), game, ending)
    except BadTable:
        return checkpoints() / f"{label_of(game)}-{form_of(game)}{ending}"


def possible_tables(game: Game) -> list[Path]:
    """The files that may be tables of this game, found without its fingerprint."""
    return sorted(tables_folder().glob(f"*-{form_of(game)}-*{ENDING}"))


def tables_stamp(game: Game) -> int:
    """A number that changes when a table that may be the game's comes or goes; 0 if there is none."""
    try:
        there = [(path.name, path.stat().st_mtime_ns) for path in possible_tables(game)]
    except OSError:  # gone between the two
        return 0
    return crc32(repr(there).encode()) if there else 0


def kept_table(game: Game) -> "Table | None":
    """The game's table, if it exists and matches the current rules."""
    remove_leftovers(tables_folder())
    if not possible_tables(game):
        return None
    from perfectplay.rules.fingerprint import fingerprint  # a slow import, often not needed
    from perfectplay.solvers.table.table import Table, reader_of

    try:
        rules = fingerprint(game)
        path = place_in(tables_folder(), game, ENDING, rules_key_from(game, rules))
        reader = reader_of(path)
    except BadTable:
        return None
    return Table(game, reader, path=path) if reader.header.rules == rules else None


def kept_path(game: Game) -> Path | None:
    """The file of the game's table, None if there is none; a faster look than to open it."""
    try:
        path = table_path(game) if possible_tables(game) else None
    except BadTable:  # its rules have no fingerprint
        return None
    return path if path is not None and path.exists() else None


def tidy() -> None:
    """Removes unfinished files of processes that have ended, and marks of tables that are gone."""
    for place in (tables_folder(), data_folder() / "books", *checkpoints().glob("*-*")):
        remove_leftovers(place)
    remove_marks_without_tables(tables_folder())


class FolderFile(NamedTuple):
    """A file in the folder: its header, or its fault."""

    path: Path
    size: int
    header: "Header | BadTable"

    @property
    def in_use(self) -> bool:
        """Whether its name matches its rules, so that it is found."""
        return not isinstance(self.header, BadTable) and self.path.stem.endswith(f"-{self.header.rules[:16]}")


def kept_tables() -> Iterator[FolderFile]:
    """The tables in the folder, sorted by name."""
    return kept_in(tables_folder(), ENDING)


def kept_in(place: Path, ending: str, label: str = "") -> Iterator[FolderFile]:
    """The tables or books in a folder, sorted by name."""
    from perfectplay.solvers.table.table import reader_of

    for path in sorted(path for path in place.glob(f"{label}*{ending}") if path.is_file()):
        try:
            reader = reader_of(path)
            yield FolderFile(path, reader.size, reader.header)
        except BadTable as fault:
            yield FolderFile(path, path.stat().st_size, fault)


def remove_outdated(path: Path, header: "Header") -> None:
    """Removes files of earlier rules of the same game, now that there is one of the current rules."""
    for file in kept_in(path.parent, path.suffix, path.name.rsplit("-", 2)[0]):
        other = file.header
        if not isinstance(other, BadTable) and other.game == header.game and other.rules != header.rules:
            with suppress(OSError):
                remove_table(file.path)


def remove_table(path: Path) -> None:
    """Removes a table with its parts and its mark."""
    from perfectplay.solvers.table.table_parts import remove_parts

    path.unlink(missing_ok=True)
    remove_parts(path)
    remove_mark(path)


# Opening books: tables of the positions up to some ply, for games too large for a full table.


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
