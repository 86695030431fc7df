"""Tables of solved games: grades, the file format, lookups, and the table folder."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from perfectplay.game import Game
    from perfectplay.table.table import Table


def open_table(path: "str | PathLike[str]", game: "Game | None" = None) -> "Table":
    """The table in that file, of the game that it names or of the given game; raises BadTable."""
    from perfectplay.table.table import opened  # players do not need it

    return opened(path, game)
