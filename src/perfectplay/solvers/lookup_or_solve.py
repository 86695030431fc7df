"""The value of a position, from a table in the table folder or from a small game solved on the spot."""

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from perfectplay.folders import replacing
from perfectplay.game import COMPILED_BITS, Game, move_entries
from perfectplay.loading import absolute_name
from perfectplay.solvers.forecast import in_words
from perfectplay.solvers.interpreted import Reached, is_larger, reached_if_small, solved
from perfectplay.table.table_folder import kept_table, place_of, remove_outdated, tables_stamp
from perfectplay.words import BadPosition, BadTable, Entry, Lookup, Move, Position, TooBig

LARGEST = 10**11
"""Games with more positions than this are called too large to solve, although a cluster might do it."""
WORTH_KEEPING = 10_000
"""Solutions of more positions than this go to the table folder: they took a tenth of a second or more."""


@lru_cache(maxsize=8)
def lookup_for(game: Game) -> Lookup:
    """Answers any reachable position of the game; raises TooBig if it is neither solved nor small."""
    lookup = solved_lookup(game, WORTH_KEEPING)
    if lookup is None:
        raise TooBig(too_wide(game) or not_yet(game))
    return lookup


def why_unsolved(game: Game) -> str:
    """Why there is no table of a game: it is too large, or not solved yet; this may take a second."""
    large = f"{game.name} is too large to solve: it has more than {in_words(LARGEST)} positions, by a forecast"
    return too_wide(game) or (large if is_larger(game, LARGEST) else not_yet(game))


def too_wide(game: Game) -> str:
    """What is said of a game with words too wide to compile; empty for others."""
    wide = f"{game.name} is too large to solve: it needs {game.bits} bits per word of at most {COMPILED_BITS}"
    return wide if game.bits > COMPILED_BITS else ""


def not_yet(game: Game) -> str:
    """What is said of a game that may be solved."""
    return f"{game.name} is not solved yet; run: perfectplay solve {game.name}"


def lookup_if_solved(game: Game) -> Lookup | None:
    """The same, None where `lookup_for` raises; it looks again when a table comes or goes, and keeps every solution."""
    return lookup_while(game, tables_stamp(game))


@lru_cache(maxsize=32)
def lookup_while(game: Game, stamp: int) -> Lookup | None:
    """The look-up of the game as long as its tables have this stamp."""
    return solved_lookup(game, worth_keeping=0)


def solved_lookup(game: Game, worth_keeping: int) -> Lookup | None:
    """The look-up in the game's table, or else in the solution of a small game; None if it is neither.

    A solution of more positions than `worth_keeping` goes to the table folder.
    """
    table = kept_table(game)
    if table is not None:
        return table.lookup
    reached = reached_if_small(game)
    if reached is None:
        return None
    entries = solved(reached)
    if len(entries) > worth_keeping:
        keep(game, reached, entries)

    def lookup(position: Position) -> Entry:
        try:
            return entries[position]
        except (KeyError, TypeError):
            raise BadPosition(f"{position} cannot be reached in {game.name} by legal play from the start") from None

    return lookup


def keep(game: Game, reached: Reached, entries: dict[Position, Entry]) -> None:
    """Writes the solution to the table folder, if possible, and checks it; raises BadGame."""
    from perfectplay.solvers.validation import checked_by_positions
    from perfectplay.table.check_mark import write_mark
    from perfectplay.table.table import tabulate

    with suppress(OSError, BadTable):
        path, named = place_of(game), replace(game, name=absolute_name(game.name))
        with replacing(path) as sink:
            header, keys = tabulate(named, entries, sink)
            part = checked_by_positions(reached, keys, header.scale)
        remove_outdated(path, header)
        write_mark(path, part)


def entries_of_moves(game: Game, lookup: Lookup, position: Position) -> dict[Move, Entry]:
    """The entry of each legal move, from the mover's view, best first."""
    entries = move_entries(game, position, lookup)
    return dict(sorted(entries.items(), key=lambda item: item[1].preference(), reverse=True))


def best_moves(entries: dict[Move, Entry]) -> list[Move]:
    """The moves as good as the best."""
    best = max(entries.values(), key=Entry.preference)
    return [move for move, entry in entries.items() if entry.as_good_as(best)]
