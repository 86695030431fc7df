"""The truth about a position, wherever it comes from: a table on the shelf, or a small game solved on the spot."""

from contextlib import suppress
from functools import lru_cache

from perfectplay.fingerprint import why_no_fingerprint
from perfectplay.game import COMPILED_BITS, Game, legal_moves
from perfectplay.solve.plain import solved_if_small
from perfectplay.table.shelf import place_of, table_on_shelf
from perfectplay.words import BadPosition, Entry, Lookup, Move, Position, TooBig

WORTH_KEEPING = 10_000
"""A solution of more positions than this goes to the shelf: it took a tenth of a second or more."""


@lru_cache(maxsize=8)
def lookup_for(game: Game) -> Lookup:
    """Answers any reachable position of the game; raises TooBig if it is neither solved nor small."""
    table = table_on_shelf(game)
    if table is not None:
        return table.lookup
    entries = solved_if_small(game)
    if entries is None:
        if game.bits > COMPILED_BITS:
            raise TooBig(f"{game.name} is too big to solve: {game.bits} bits a word, and up to {COMPILED_BITS} compile")
        raise TooBig(f"{game.name} is not solved yet; run: perfectplay solve {game.name}")
    if len(entries) > WORTH_KEEPING:
        keep(game, entries)

    def lookup(position: Position) -> Entry:
        try:
            return entries[position]
        except (KeyError, TypeError):
            raise BadPosition(f"{position} cannot be reached in {game.name} by legal play from the start") from None

    return lookup


def keep(game: Game, entries: dict[Position, Entry]) -> None:
    """Puts the solution on the shelf, if that can be written to and the rules cannot change without a trace."""
    if why_no_fingerprint(game) is not None:
        return
    from perfectplay.table.table import replacing, tabulate

    with suppress(OSError), replacing(place_of(game)) as sink:
        tabulate(game, entries, sink)


def entries_of_moves(game: Game, lookup: Lookup, position: Position) -> dict[Move, Entry]:
    """What each legal move is worth to the player who makes it, the best first."""
    entries = {move: lookup(game.play(*position, move)).before() for move in legal_moves(game, position)}
    return dict(sorted(entries.items(), key=lambda item: item[1].preference(), reverse=True))


def best_moves(entries: dict[Move, Entry]) -> list[Move]:
    """The moves that best play may choose among."""
    best = max(entries.values(), key=Entry.preference)
    return [move for move, entry in entries.items() if entry.as_good_as(best)]
