"""The shelf: tables that are kept under the user's data directory, one file a game."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from perfectplay.game import Game
from perfectplay.places import data_folder
from perfectplay.words import BadTable

if TYPE_CHECKING:
    from perfectplay.table.file import Header
    from perfectplay.table.table import Table

ENDING = ".table"


def folder() -> Path:
    """The folder of the shelf."""
    return data_folder() / "tables"


def file_name(game: Game) -> str:
    """The file's name: the game's, as far as file systems like it, and letters that tell apart what looks alike."""
    plain = re.sub(r"[^a-z0-9]+", "-", game.name.lower()).strip("-")[:80]
    return f"{plain}-{crc32(game.name.encode()):08x}{ENDING}"


def place_of(game: Game) -> Path:
    """Where the game's table is kept, whether it is there or not."""
    return folder() / file_name(game)


def table_on_shelf(game: Game) -> "Table | None":
    """The game's table, if it is there and right for the rules as they are now."""
    path = place_of(game)
    if not path.exists():
        return None
    from perfectplay.table.table import opened  # much to import for those who find nothing

    try:
        return opened(path, game)
    except BadTable:
        return None


class Kept(NamedTuple):
    """A file on the shelf: its header, or what is wrong with it."""

    path: Path
    size: int
    header: "Header | BadTable"


def kept_tables() -> Iterator[Kept]:
    """The files on the shelf, by name."""
    from perfectplay.table.table import mapped

    for path in sorted(path for path in folder().glob(f"*{ENDING}") if path.is_file()):
        try:
            reader = mapped(path)
            yield Kept(path, reader.size, reader.header)
        except BadTable as fault:
            yield Kept(path, path.stat().st_size, fault)
