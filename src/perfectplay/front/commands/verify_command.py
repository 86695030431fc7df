"""`perfectplay verify`: whether a table is right."""

from argparse import Namespace
from pathlib import Path

from perfectplay.front.progress import watch
from perfectplay.loading import absolute_name, load_game, split_path
from perfectplay.solve.verify import sampled, verified
from perfectplay.table import open_table
from perfectplay.table.opening_books import book_of, place_of_book
from perfectplay.table.table import Table
from perfectplay.table.table_file import Header
from perfectplay.table.table_folder import kept_tables, place_of
from perfectplay.words import BadTable, PerfectplayError


def show_verify(options: Namespace) -> int:
    """Checks a table, given as a file or as the game whose table is kept; raises BadTable if it is wrong."""
    table = table_to_verify(options.table)
    path = table.reader.name
    if table.header.plies is not None:
        return show_verified_book(options, table)
    some = options.sample is not None and options.sample < len(table)
    count = watch(sampled(table, options.sample, options.seed) if some else verified(table))
    what = "classes chosen by chance" if some else "classes, all there are"
    print(f"{path} is right: checked {count:,} {what}")
    return 0


def table_to_verify(text: str) -> Table:
    """The table in that file, or the game's own table, or its opening book."""
    if Path(text).is_file() and split_path(text)[0] is None:
        return open_table(text)
    try:
        game = load_game(text)
    except PerfectplayError as fault:
        raise BadTable(f"{text!r} is neither a table nor a game: {fault}") from None
    if place_of(game).exists():
        return open_table(place_of(game), game)
    book = book_of(game)
    if book is not None:
        return book
    if place_of_book(game).exists():
        return open_table(place_of_book(game), game)
    for kept in kept_tables():  # of earlier rules, or under an old name
        if isinstance(kept.header, Header) and kept.header.game in (text, absolute_name(text)):
            return open_table(kept.path, game)
    raise BadTable(f"{text} has no table yet; run: perfectplay solve {text}")


def show_verified_book(options: Namespace, book: Table) -> int:
    """Checks an opening book."""
    from perfectplay.solve.verify_book import SAMPLE, verified_book  # numba: only when it is wanted

    sample = SAMPLE if options.sample is None else options.sample
    count = watch(verified_book(book, sample, options.seed))
    anew = f"of the last ply no more than {sample:,}, searched anew"
    print(f"{book.reader.name} is right: checked {count:,} classes, {anew}")
    return 0
