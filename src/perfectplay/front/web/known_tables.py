"""What is known about a game: its table in the table folder, or the solution of a small game, which is put there."""

from functools import lru_cache
from zlib import crc32

from perfectplay.game import Game
from perfectplay.solve.interpreted import solved_if_small
from perfectplay.solve.lookup_or_solve import keep, lookup_for
from perfectplay.table.table_folder import kept_table, possible_tables
from perfectplay.words import Lookup


def full_truth(game: Game) -> Lookup | None:
    """The truth as a worker knows it: tables, and small games, which it solves and puts in the table folder."""
    return found_out(game, stamp_of(game))


@lru_cache(maxsize=32)
def found_out(game: Game, stamp: int) -> Lookup | None:
    """The same, kept for the next request; asked anew when another table has come to the table folder."""
    if kept_table(game) is None:
        entries = solved_if_small(game)
        if entries is None:
            return None
        keep(game, entries)
    return lookup_for(game)


def stamp_of(game: Game) -> int:
    """A number that changes when a table comes that may be the game's, or goes; 0 if there is none."""
    try:
        there = [(path.name, path.stat().st_mtime_ns) for path in possible_tables(game)]
    except OSError:  # gone between the two
        return 0
    return crc32(repr(there).encode()) if there else 0
