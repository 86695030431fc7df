"""What is known about a game: its table on the shelf, or the solution of a small game, which is put there."""

from functools import lru_cache

from perfectplay.game import Game
from perfectplay.solve.answers import keep, lookup_for
from perfectplay.solve.plain import solved_if_small
from perfectplay.table.shelf import place_of, table_on_shelf
from perfectplay.words import Lookup


def full_truth(game: Game) -> Lookup | None:
    """The truth as a worker knows it: tables, and small games, which it solves and puts on the shelf."""
    return found_out(game, stamp_of(game))


@lru_cache(maxsize=32)
def found_out(game: Game, stamp: int) -> Lookup | None:
    """The same, kept for the next request; asked anew when another table has come to the shelf."""
    if table_on_shelf(game) is None:
        entries = solved_if_small(game)
        if entries is None:
            return None
        keep(game, entries)
    return lookup_for(game)


def stamp_of(game: Game) -> int:
    """When the file on the shelf was written, 0 if there is none."""
    try:
        return place_of(game).stat().st_mtime_ns
    except OSError:
        return 0
