"""`perfectplay tables` and `perfectplay verify`: the shelf of solved games, and whether a table is right."""

import json
from argparse import Namespace
from pathlib import Path

from perfectplay.front.progress import watch
from perfectplay.loading import load_game, split_path
from perfectplay.notation import entry_text
from perfectplay.solve.forecast import in_bytes
from perfectplay.solve.verify import sampled, verified
from perfectplay.table import open_table
from perfectplay.table.books import BOOK, SHIPPED, book_of, place_of_book
from perfectplay.table.file import Header
from perfectplay.table.parts import remove_parts
from perfectplay.table.shelf import folder, kept_tables, place_of
from perfectplay.table.table import Table
from perfectplay.words import BadTable, Entry, PerfectplayError


def show_tables(options: Namespace) -> int:
    """Lists the tables, or removes some."""
    if options.remove or options.remove_all:
        return remove(options)
    kept = list(kept_tables())
    if options.json:
        facts = [
            {
                "table": str(table.path),
                "bytes": table.size,
                "game": table.header.game if isinstance(table.header, Header) else None,
                "classes": table.header.classes if isinstance(table.header, Header) else None,
            }
            for table in kept
        ]
        print(json.dumps(facts))
        return 0
    for table in kept:
        if isinstance(table.header, Header):
            start = entry_text(Entry(table.header.value, table.header.distance))
            counts = f"{table.header.positions:>13,} positions  {table.header.classes:>13,} classes"
            print(f"{table.header.game:<28} {start:<17} {counts}  {in_bytes(table.size):>9}")
        else:
            print(f"{table.path.name}: damaged, {in_bytes(table.size)}")
    total = in_bytes(sum(table.size for table in kept))
    count = f"{len(kept)} table{'' if len(kept) == 1 else 's'}"
    print(f"{count}, {total}, in {folder()}" if kept else f"no tables yet in {folder()}")
    return 0


def remove(options: Namespace) -> int:
    """Removes the tables of the games named, or all."""
    paths = [table.path for table in kept_tables()] if options.remove_all else []
    for name in options.remove or ():
        path = next((kept.path for kept in kept_tables() if name in names_of(kept.path, kept.header)), None)
        if path is None:
            raise BadTable(f"no table of {name!r} is kept; perfectplay tables lists those that are")
        paths.append(path)
    removed = list(dict.fromkeys(paths))
    for path in removed:
        path.unlink()
        remove_parts(path)
    if options.json:
        print(json.dumps({"removed": [str(path) for path in removed]}))
    else:
        print("\n".join(f"removed {path}" for path in removed) or "no tables to remove")
    return 0


def names_of(path: Path, header: Header | BadTable) -> set[str]:
    """What a kept table may be called by."""
    return {path.name, str(path)} | ({header.game} if isinstance(header, Header) else set())


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
    """The table in that file, or the game's table, or its opening book."""
    if Path(text).is_file() and split_path(text)[0] is None:
        return open_table(text)
    try:
        game = load_game(text)
    except PerfectplayError as fault:
        raise BadTable(f"{text!r} is neither a table nor a game: {fault}") from None
    if place_of(game).exists():
        return open_table(place_of(game))
    book = book_of(game)
    if book is not None:
        return book
    for path in (place_of_book(game), SHIPPED / f"{game.name}{BOOK}"):
        if path.exists():
            return open_table(path)
    raise BadTable(f"{text} has no table yet; run: perfectplay solve {text}")


def show_verified_book(options: Namespace, book: Table) -> int:
    """Checks an opening book."""
    from perfectplay.solve.verify_book import SAMPLE, verified_book  # numba: only when it is wanted

    sample = SAMPLE if options.sample is None else options.sample
    count = watch(verified_book(book, sample, options.seed))
    anew = f"of the last ply no more than {sample:,}, searched anew"
    print(f"{book.reader.name} is right: checked {count:,} classes, {anew}")
    return 0
