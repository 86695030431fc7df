"""Solved games: entries as numbers, the file format, look-up, and the table folder where tables are kept."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from perfectplay.game import Game
    from perfectplay.table.table import Table


def open_table(path: "str | PathLike[str]", game: "Game | None" = None) -> "Table":
    """The table in that file, of the game that it names, or of the game given; raises BadTable."""
    from perfectplay.table.table import opened  # not needed by those who only play

    return opened(path, game)
